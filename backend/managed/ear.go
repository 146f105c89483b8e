package managed

import (
	"encoding/json"
	"log/slog"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"

	"turnwatch/backend/acp"
	"turnwatch/backend/agent"
	"turnwatch/backend/proc"
)

// Methods of the agent that are served.
const (
	methodAsk    = "session/request_permission"
	methodRead   = "fs/read_text_file"
	methodWrite  = "fs/write_text_file"
	methodCancel = "$/cancel_request"
)

// ear hears everything that one agent says and hands it to the session's sink.
// It is the acp.Handler of its connection. What the wire brings is delivered, in
// order and with the back-pressure of the sink; what stderr brings is offered.
type ear struct {
	sink    agent.Sink
	read    evidence
	asks    asks
	desk    *desk
	tail    tail
	options options
	log     *slog.Logger

	session atomic.Pointer[agent.ProviderSession] // nil until it is known
	replay  atomic.Bool                           // a session is being loaded
	ready   atomic.Bool                           // the session is open
	foreign atomic.Uint64                         // updates of other sessions, dropped

	noisy chan struct{} // has a token once stdout was seen to hold no protocol
}

// What a program may print before its first message, in a row.
const (
	noiseLines = 3
	noiseBytes = 4 << 10
)

// noise hears of lines on stdout that are no messages.
func (e *ear) noise(lines, bytes int) {
	if lines < noiseLines && bytes < noiseBytes {
		return
	}
	select {
	case e.noisy <- struct{}{}:
	default:
	}
}

var _ acp.Handler = (*ear)(nil)

// own returns the session's id, "" while it is not known.
func (e *ear) own() agent.ProviderSession {
	if id := e.session.Load(); id != nil {
		return *id
	}
	return ""
}

// Update delivers one update and what the agent's evidence finds in it.
func (e *ear) Update(u acp.Update) {
	if own := e.own(); own != "" && u.Session != "" && u.Session != own {
		e.foreign.Add(1)
		return
	}
	// An incomplete update is kept as one of an unknown kind; nothing is lost.
	update, _ := acp.Decode(u)
	update.Replayed = e.replay.Load()
	var found []agent.Event
	if !update.Replayed {
		found = e.read.update(u.Stamp, &update, u.Raw)
	}
	if update.Kind == agent.OptionsChanged || update.Kind == agent.ModeChanged {
		e.options.note(update.Options)
	}
	e.sink.Deliver(agent.Updated{Stamp: u.Stamp, Update: update})
	e.deliver(found)
}

// Request serves what is served and refuses the rest. A permission request is
// only ever handed on.
func (e *ear) Request(r *acp.Request) {
	switch r.Method {
	case methodAsk:
		e.ask(r)
	case methodRead, methodWrite:
		e.desk.take(r, e.own())
	default:
		_ = r.Refuse()
	}
}

func (e *ear) ask(r *acp.Request) {
	session, ask, err := acp.ParseAsk(r.Params)
	switch own := e.own(); {
	case err != nil:
		_ = r.Fail(acp.CodeInvalidParams, "invalid params", nil)
		return
	case own != "" && session != "" && session != own:
		_ = r.Fail(acp.CodeInvalidParams, "no such session", nil)
		return
	}
	e.read.asked(r.Stamp)
	ask.Kind = agent.AskPermission
	ask.ID = e.asks.add(r)
	e.sink.Deliver(agent.Asked{Stamp: r.Stamp, Ask: ask})
}

// Notification takes back requests and shows the rest to the agent's evidence.
func (e *ear) Notification(method string, params jsontext.Value, st agent.Stamp) {
	if method != methodCancel {
		e.deliver(e.read.notification(st, method, params))
		return
	}
	var p struct {
		ID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	if id, ok := e.asks.withdraw(string(p.ID)); ok {
		e.sink.Deliver(agent.AskGone{Stamp: st, ID: id})
	}
}

func (e *ear) deliver(found []agent.Event) {
	for _, ev := range found {
		e.sink.Deliver(ev)
	}
}

// want chooses the lines of stderr that are looked at. Until the session is open
// all are: they tell why an agent does not start.
func (e *ear) want(line []byte) bool { return !e.ready.Load() || e.read.want(line) }

// pass says of a whole block that want would choose none of its lines.
func (e *ear) pass(block []byte) bool { return e.ready.Load() && e.read.passes(block) }

// stderr reads lines to their end. It never waits for the sink.
func (e *ear) stderr(lines <-chan proc.Line) {
	for l := range lines {
		opening := !e.ready.Load()
		if opening || e.read.keeps() {
			e.tail.add(l.Text)
		}
		if !e.read.want(l.Text) {
			continue
		}
		for _, ev := range e.read.stderr(l.Stamp, l.Text) {
			if !e.sink.Offer(ev) {
				e.log.Warn("no room for evidence of stderr")
			}
		}
	}
}

// opened says that the session is open. What an agent whose stderr is not to be
// kept wrote until then is forgotten.
func (e *ear) opened() {
	e.ready.Store(true)
	if !e.read.keeps() {
		e.tail.clear()
	}
}
