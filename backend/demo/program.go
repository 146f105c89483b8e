package demo

import (
	"context"
	"crypto/rand"
	"io"
	"regexp"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"turnwatch/backend/acp"
	"turnwatch/backend/agent"
)

// program is the agent: its connection and its sessions. It is the acp.Handler
// of its own connection, whose reader calls it and is never made to wait by it.
type program struct {
	o      Options
	ctx    context.Context // of the whole program
	crash  context.CancelCauseFunc
	conn   *acp.Conn
	ready  chan struct{} // closed once conn is set
	err    *errorStream
	events *events
	work   sync.WaitGroup // every goroutine that the handler starts

	mu       sync.Mutex
	sessions map[string]*session
	loggedIn bool
	over     bool // nothing is spawned any more
}

// errorStream writes whole records to stderr, one at a time.
type errorStream struct {
	mu sync.Mutex
	w  io.Writer
}

func (e *errorStream) print(s string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, _ = io.WriteString(e.w, s)
}

// Update drops what only agents send.
func (p *program) Update(acp.Update) {}

// Notification takes session/cancel. Anything else is no concern of this agent.
func (p *program) Notification(method string, params jsontext.Value, _ agent.Stamp) {
	if method != "session/cancel" {
		return
	}
	var in sessionParams
	if json.Unmarshal(params, &in) != nil {
		return
	}
	if s := p.find(in.SessionID); s != nil {
		s.cancel()
	}
}

// Request answers everything at once, except prompts, which run in a goroutine
// of their own, and what is followed by notifications.
func (p *program) Request(r *acp.Request) {
	<-p.ready
	switch r.Method {
	case "initialize":
		_ = r.Respond(p.introduce())
		return
	case "authenticate", "session/new", "session/load", "session/resume", "session/close",
		"session/prompt", "session/set_mode", "session/set_config_option":
	default:
		_ = r.Refuse()
		return
	}
	var in sessionParams
	if r.Decode(&in) != nil {
		return
	}
	switch r.Method {
	case "authenticate":
		p.authenticate(r, in)
	case "session/new":
		p.open(r, in)
	case "session/load", "session/resume":
		p.reopen(r, in)
	case "session/close":
		p.forget(r, in)
	default:
		p.inSession(r, in)
	}
}

// inSession serves what needs a session that is open.
func (p *program) inSession(r *acp.Request, in sessionParams) {
	s := p.find(in.SessionID)
	if s == nil {
		_ = r.Fail(acp.CodeNotFound, "Session not found", map[string]any{"sessionId": in.SessionID})
		return
	}
	switch r.Method {
	case "session/prompt":
		p.prompt(r, s, in.Prompt)
	case "session/set_mode":
		p.setMode(r, s, in.ModeID)
	case "session/set_config_option":
		p.setOption(r, s, in)
	}
}

func (p *program) introduce() map[string]any {
	methods := []authMethod{}
	if p.o.Scenario == "auth" {
		methods = p.methods()
	}
	return map[string]any{
		"protocolVersion": 1,
		"agentInfo":       map[string]any{"name": "demo-agent", "title": "Demo agent", "version": p.o.Version},
		"agentCapabilities": map[string]any{
			"loadSession":         true,
			"promptCapabilities":  map[string]any{"image": true, "embeddedContext": true},
			"sessionCapabilities": map[string]any{"resume": map[string]any{}, "close": map[string]any{}},
		},
		"authMethods": methods,
		// What looks like a record on this agent's stderr is one of this dialect.
		"_meta": map[string]any{"turnwatch": map[string]any{"dialect": OpenCodeDialect}},
	}
}

func (p *program) methods() []authMethod {
	return []authMethod{{ID: "demo-login", Name: "Log in to the demo", Description: "Needs no account: it succeeds at once."}}
}

func (p *program) authenticate(r *acp.Request, in sessionParams) {
	if in.MethodID != p.methods()[0].ID {
		_ = r.Fail(acp.CodeInvalidParams, "There is no such login method; use demo-login", nil)
		return
	}
	p.mu.Lock()
	p.loggedIn = true
	p.mu.Unlock()
	_ = r.Respond(map[string]any{})
}

// loginNeeded answers as agents do that nobody is logged in to.
func (p *program) loginNeeded(r *acp.Request) {
	_ = r.Fail(acp.CodeAuthRequired, "Authentication required", map[string]any{"authMethods": p.methods()})
}

func (p *program) isLoggedIn() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.loggedIn
}

// open answers session/new.
func (p *program) open(r *acp.Request, in sessionParams) {
	if p.o.Scenario == "auth" && !p.isLoggedIn() {
		p.loginNeeded(r)
		return
	}
	s := newSession("ses_demo"+strings.ToLower(rand.Text()[:16]), p.o.Scenario)
	s.tools = in.Servers
	p.keep(s)
	_ = r.Respond(map[string]any{"sessionId": s.id, "configOptions": s.options(), "modes": s.modes()})
	p.spawn(func() { p.listCommands(s) })
}

// reopen answers session/load and session/resume. A session of an earlier
// program is taken up as well: this agent keeps no files, so it comes back with
// a short history that is always the same.
func (p *program) reopen(r *acp.Request, in sessionParams) {
	if !regexp.MustCompile(`^ses_demo[a-z0-9]{1,64}$`).MatchString(in.SessionID) {
		_ = r.Fail(acp.CodeNotFound, "Session not found", map[string]any{"sessionId": in.SessionID})
		return
	}
	s := p.find(in.SessionID)
	if s == nil {
		s = newSession(in.SessionID, p.o.Scenario)
		s.tools = in.Servers
		s.remember("What is in this project?", "A small web server in Go, with a README and a few tests.")
		p.keep(s)
	}
	p.spawn(func() {
		if r.Method == "session/load" {
			for _, u := range s.replay() {
				_ = p.update(p.ctx, s.id, u)
			}
		}
		_ = r.Respond(map[string]any{"configOptions": s.options(), "modes": s.modes()})
		p.listCommands(s)
	})
}

func (p *program) forget(r *acp.Request, in sessionParams) {
	if s := p.find(in.SessionID); s != nil {
		s.cancel()
	}
	p.mu.Lock()
	delete(p.sessions, in.SessionID)
	p.mu.Unlock()
	_ = r.Respond(map[string]any{})
}

func (p *program) listCommands(s *session) {
	u := commandsUpdate{SessionUpdate: "available_commands_update"}
	for _, sc := range Scenarios() {
		u.AvailableCommands = append(u.AvailableCommands, command{Name: sc.Name, Description: sc.Description})
	}
	_ = p.update(p.ctx, s.id, u)
}

// update sends one session/update and returns when it is written.
func (p *program) update(ctx context.Context, id string, u any) error {
	return p.conn.Notify(ctx, "session/update", sessionUpdate{SessionID: id, Update: u})
}

// spawn runs f in a goroutine that the program waits for at its end. Once that
// has begun f is not run.
func (p *program) spawn(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.over {
		p.work.Go(f)
	}
}

// wait lets no more goroutine start, and waits for those that run.
func (p *program) wait() {
	p.mu.Lock()
	p.over = true
	p.mu.Unlock()
	p.work.Wait()
}

func (p *program) find(id string) *session {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sessions[id]
}

func (p *program) keep(s *session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sessions[s.id] = s
}
