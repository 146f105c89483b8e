package managed

import (
	"context"
	"errors"
	"sync"
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/diagnose"
	"turnwatch/backend/opencode"
	"turnwatch/backend/redact"
)

// openCodeEvidence reads OpenCode and what speaks like it. Its stderr is a stream
// of records of its own grammar; anything else on it is excluded from the tail and
// from every failure. Beside the pipes it listens to the server inside the agent,
// where it is known, and lets a judge decide between the two.
//
// One lock holds the judge and everything that it is told; nothing under it blocks.
type openCodeEvidence struct {
	plain
	mu    sync.Mutex
	judge judge
	sent  time.Time // when the prompt of the turn in hand was sent
	steps steps
	timer func() bool // ends the wait in hand

	joint joint
	watch *opencode.Client // nil where there is no server
	ctx   context.Context  // of what runs beside; nil before begin
	stop  context.CancelFunc
	done  bool
	work  sync.WaitGroup
}

// want lets error records of the model stream through. It is only a prefilter:
// what the record means is decided where it is parsed.
func (*openCodeEvidence) want(line []byte) bool { return diagnose.Prefilter(line) }

func (*openCodeEvidence) passes(block []byte) bool { return diagnose.Silent(block) }

// keeps says that no line goes to the tail.
func (*openCodeEvidence) keeps() bool { return false }

// begin starts to listen to the agent's server.
func (e *openCodeEvidence) begin(j joint) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.done {
		return
	}
	e.joint = j
	e.ctx, e.stop = context.WithCancel(context.Background())
	if j.server == nil {
		return
	}
	client, err := opencode.New(*j.server, opencode.Options{Clock: j.clock, Log: j.log})
	if err != nil {
		j.log.Warn("agent has no server to listen to", "error", err)
		return
	}
	e.watch = client
	e.take(sourced{there: true})
	e.work.Go(func() { e.listen(client) })
}

// listen hears the server until the end. Where it refuses for good, stderr alone
// decides from there on.
func (e *openCodeEvidence) listen(client *opencode.Client) {
	err := client.Watch(e.ctx, e.heard)
	if e.ctx.Err() != nil {
		return
	}
	e.joint.log.Info("agent has no event stream", "error", err)
	e.tell(sourced{there: false})
}

// end waits for everything that begin started.
func (e *openCodeEvidence) end() {
	e.mu.Lock()
	e.done = true
	if e.timer != nil {
		e.timer()
	}
	if e.stop != nil {
		e.stop()
	}
	e.mu.Unlock()
	e.work.Wait()
}

func (e *openCodeEvidence) prompted(st agent.Stamp) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.sent, e.steps = st.At, steps{}
	e.take(prompted{st})
}

func (e *openCodeEvidence) over(st agent.Stamp) { e.tell(returned{st.Generation}) }

func (e *openCodeEvidence) asked(st agent.Stamp) { e.tell(genuine{st.Generation}) }

func (e *openCodeEvidence) update(st agent.Stamp, u *agent.Update, _ []byte) []agent.Event {
	if u.Genuine() {
		e.tell(genuine{st.Generation})
	}
	return nil
}

// explain makes the failure of an error answer more exact by what the stream told
// of it: the answer itself has no status, no model and no time.
func (e *openCodeEvidence) explain(st agent.Stamp, f agent.Failure) agent.Failure {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.judge.turn != st.Generation {
		return f
	}
	if e.judge.last != nil {
		f = refine(f, *e.judge.last)
	}
	if h := e.judge.held; h != nil {
		f = complete(f, h.failure)
	}
	if f.Model == "" {
		f.Provider, f.Model = e.steps.names.provider, e.steps.names.model
	}
	return f
}

// stderr reads one record. What it proves is told by the judge.
func (e *openCodeEvidence) stderr(st agent.Stamp, line []byte) []agent.Event {
	e.mu.Lock()
	turn := diagnose.Turn{Generation: e.judge.turn, Dispatched: e.sent, Read: st}
	known := e.ctx != nil
	e.mu.Unlock()
	if !known {
		return nil
	}
	session := e.joint.session()
	if session == "" {
		return nil
	}
	f, why := diagnose.Read(line, diagnose.Scope{Kind: agent.OpenCode, Session: session, Turn: &turn})
	if why != "" {
		e.joint.log.Debug("record ignored", "reason", string(why))
		return nil
	}
	e.tell(recorded{st, f})
	return nil
}

// heard takes what the agent's server tells.
func (e *openCodeEvidence) heard(ev opencode.Event) {
	own := e.joint.session()
	e.mu.Lock()
	defer e.mu.Unlock()
	st := e.joint.sink.Stamp()
	switch ev := ev.(type) {
	case opencode.Connected:
		e.take(rejoined{})
	case opencode.StatusChanged:
		if ev.Session == own {
			e.take(reported{stamp: st, status: ev.Status, model: e.steps.names})
		} else if r, ok := e.steps.kin.told(st, ev); ok && e.judge.waitsForKin(st) {
			e.offer(r)
		}
	case opencode.ChildMade:
		e.steps.kin.made(ev, own)
	case opencode.SessionFailed:
		if ev.Session == own {
			e.take(broken{stamp: st, err: ev.Error})
		}
	case opencode.MessageSeen:
		if ev.Session == own && e.steps.message(ev) && e.judge.turn == st.Generation {
			e.offer(agent.Stepped{Stamp: st})
		}
	case opencode.PartSeen:
		if ev.Session == own {
			e.steps.part(ev)
		}
	}
}

// tell lets the judge take an event and does what it wants.
func (e *openCodeEvidence) tell(ev any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.take(ev)
}

// take is tell under the lock.
func (e *openCodeEvidence) take(ev any) {
	if e.done || e.ctx == nil {
		return
	}
	for _, todo := range e.judge.step(ev, e.joint.clock.Now()) {
		switch d := todo.(type) {
		case emit:
			e.offer(d.event)
		case ask:
			e.work.Go(func() { e.ask(d.seq) })
		case wake:
			if e.timer != nil {
				e.timer()
			}
			e.timer = e.joint.clock.AfterFunc(d.after, func() { e.tell(woken{d.seq}) })
		}
	}
}

// offer hands an event over. It never waits: where there is no room, somebody else
// does, unless the turn that it is about is over.
func (e *openCodeEvidence) offer(ev agent.Event) {
	if e.joint.sink.Offer(ev) {
		return
	}
	if f, ok := ev.(agent.FailureSeen); ok && f.Stamp.Generation == e.joint.sink.Stamp().Generation {
		e.work.Go(func() { e.joint.sink.Deliver(f) })
		return
	}
	e.joint.log.Warn("no room for evidence of the agent")
}

// ask asks the server once what the session is doing.
func (e *openCodeEvidence) ask(seq int) {
	a := answered{seq: seq}
	if e.watch != nil {
		all, err := e.watch.Statuses(e.ctx, e.joint.dir)
		a.ok, a.status = err == nil, all[e.joint.session()]
		if err != nil && !errors.Is(err, context.Canceled) {
			e.joint.log.Debug("agent's server did not answer", "error", err)
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	a.stamp, a.model = e.joint.sink.Stamp(), e.steps.names
	e.take(a)
}

// steps follows the steps of the turn in hand over the stream.
type steps struct {
	id     string // the assistant's message of the step
	output bool   // something is in it
	names  modelNames
	kin    kin // who works for the turn
}

// message takes a message and reports whether it begins another step after one
// that had no output.
func (s *steps) message(m opencode.MessageSeen) (again bool) {
	if m.Role != "assistant" || m.ID == s.id {
		return false
	}
	again = s.id != "" && !s.output
	s.id, s.output = m.ID, false
	if redact.ID(m.Provider) {
		s.names.provider = m.Provider
	}
	if redact.ID(m.Model) {
		s.names.model = m.Model
	}
	return again
}

// part takes what a step holds.
func (s *steps) part(p opencode.PartSeen) {
	if p.Message == s.id && !p.Empty {
		s.output = true
	}
}
