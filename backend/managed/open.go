package managed

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"turnwatch/backend/acp"
	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
	"turnwatch/backend/proc"
)

// Bounds of an opening.
const (
	startBound   = 30 * time.Second // for initialize, unless Options.Start says otherwise
	sessionBound = 60 * time.Second // for session/new, resume or load, and the options
	noiseGrace   = 8 * time.Second  // for initialize after lines that are no protocol: a banner may come before a slow start
)

// Connector launches one agent; each Open starts a process of its own. It is an
// agent.Connector.
type Connector struct {
	target  Target
	options Options
}

// New returns a connector for a target. Nothing is started or looked for yet.
func New(t Target, o Options) *Connector { return &Connector{target: t, options: o} }

var _ agent.Connector = (*Connector)(nil)

// Open starts the agent in req.Dir and makes one session ready. What a person can
// act on comes as a *agent.Failure behind an *OpenError; on any error nothing of
// the agent is left. The process outlives ctx, which bounds the opening alone.
func (c *Connector) Open(ctx context.Context, req agent.OpenRequest, sink agent.Sink) (agent.Conn, error) {
	p, known := profileOf(c.target.Kind)
	line, f := c.line(p, known, sink.Stamp().At)
	if f != nil {
		return nil, &OpenError{Failure: f}
	}
	tries, err := p.attempts(line.args)
	if err != nil {
		return nil, fmt.Errorf("open agent: %w", err)
	}
	for i, a := range tries {
		o := &opening{Connector: c, profile: p, line: line, attempt: a, request: req, sink: sink}
		conn, err := o.run(ctx)
		if err == nil {
			return conn, nil
		}
		if i+1 == len(tries) || !o.flag || ctx.Err() != nil {
			return nil, err
		}
		silent(c.options.Log).Info("agent refused its arguments, trying without", "agent", p.kind, "attempt", i+1)
	}
	return nil, errors.New("open agent: no way to start it") // attempts gives at least one
}

// line is a program with its arguments and the environment it is found by.
type line struct {
	program string
	args    []string
	dir     string // a folder to put on PATH, for the interpreter beside the program
}

// line finds the program to start.
func (c *Connector) line(p profile, known bool, at time.Time) (line, *agent.Failure) {
	f := newFinder(c.options.Environ)
	switch {
	case len(c.target.Command) > 0:
		l := line{program: c.target.Command[0], args: c.target.Command[1:]}
		if strings.ContainsAny(l.program, `/\`) {
			return l, nil
		}
		return found(l, f.locate([]string{l.program}, p.own), p, at)
	case p.kind == agent.Demo:
		if c.options.Self == "" {
			return line{}, notFound(p, "tw", at)
		}
		return line{program: c.options.Self, args: p.args}, nil
	case !known:
		return line{}, refusal("unknown_agent", HintUnknownAgent, at, "agent", string(p.kind))
	}
	return found(line{program: p.programs[0], args: p.args}, f.locate(p.programs, p.own), p, at)
}

// found takes the place where a program was found into its line.
func found(l line, at place, p profile, now time.Time) (line, *agent.Failure) {
	switch {
	case at.file != "":
		l.program = at.file
		if !at.onPath {
			l.dir = filepath.Dir(at.file)
		}
		return l, nil
	case at.closed != "":
		return l, refusal("not_executable", HintNotExecutable, now, "program", shortName(at.closed))
	}
	return l, notFound(p, l.program, now)
}

// opening is one attempt to bring an agent up.
type opening struct {
	*Connector
	profile profile
	line    line
	attempt attempt
	request agent.OpenRequest
	sink    agent.Sink
	flag    bool // it ended because of an argument: another attempt may do
}

// run makes the attempt. On an error nothing of it is left running.
func (o *opening) run(ctx context.Context) (agent.Conn, error) {
	e := &ear{
		sink: o.sink, read: o.profile.reader(), log: silent(o.options.Log),
		noisy: make(chan struct{}, 1),
	}
	w, err := o.prepare(e)
	if err != nil {
		return nil, err
	}
	l, err := launch(ctx, o.profile, o.process(), e)
	if err != nil {
		e.desk.close()
		if ctx.Err() != nil {
			return nil, fmt.Errorf("open agent: %w", err)
		}
		return nil, &OpenError{Failure: startFailure(err, o.profile, o.line.program, o.sink.Stamp().At)}
	}
	c, err := o.join(ctx, l, w)
	if err == nil {
		return c, nil
	}
	if e := l.end(context.Background(), brief()); e != nil {
		l.ear.log.Warn("agent not wholly stopped", "agent", o.profile.kind, "launch", l.process.LaunchID())
	}
	var f *agent.Failure
	if errors.As(err, &f) {
		shown := []string(nil)
		if l.ear.read.keeps() {
			shown = l.ear.tail.shown()
		}
		return nil, &OpenError{Failure: f, Stderr: shown}
	}
	return nil, fmt.Errorf("open agent: %w", err)
}

// prepare opens the session's folder where files are served.
func (o *opening) prepare(e *ear) (wish, error) {
	w := wish{profile: o.profile, version: o.options.Version, dir: o.request.Dir, tools: o.target.Tools}
	w.files = o.options.Files == FilesOn || o.options.Files == FilesDefault && o.profile.files
	e.desk = newDesk(nil)
	if !w.files {
		return w, nil
	}
	f, err := openFolder(o.request.Dir)
	if err != nil {
		at := o.sink.Stamp().At
		if errors.Is(reason(errors.Unwrap(err)), errDenied) {
			return w, &OpenError{Failure: refusal("folder_unreadable", HintFolderClosed, at, "folder", o.request.Dir)}
		}
		return w, &OpenError{Failure: refusal("folder_missing", HintFolderMissing, at, "folder", o.request.Dir)}
	}
	e.desk = newDesk(f)
	return w, nil
}

// process is the launch of this attempt.
func (o *opening) process() proc.Options {
	set := map[string]string{}
	for k, v := range o.target.Env {
		set[k] = v
	}
	for k, v := range o.attempt.env {
		set[k] = v
	}
	if o.line.dir != "" {
		set["PATH"] = withFolder(parseEnviron(o.options.Environ), o.line.dir)
	}
	return proc.Options{
		Path: o.line.program, Args: o.attempt.args, Dir: o.request.Dir,
		Env:    proc.Environ(o.options.Environ, set),
		Ledger: o.options.Ledger, Log: silent(o.options.Log),
	}
}

// join speaks with the started agent until its session is ready.
func (o *opening) join(ctx context.Context, l *live, w wish) (*conn, error) {
	bound := o.options.Start
	if bound == 0 {
		bound = startBound
	}
	first, stop := context.WithTimeout(ctx, bound)
	go giveUp(first, stop, l.ear.noisy)
	init, err := l.client.Initialize(first, w.initialize())
	stop()
	if err != nil {
		return nil, o.silence(ctx, l, err, bound)
	}
	if init.Protocol != 0 && init.Protocol != protocolVersion {
		return nil, refusal("protocol", HintProtocol, l.now(), "need", fmt.Sprint(protocolVersion), "have", fmt.Sprint(init.Protocol))
	}
	l.auth = init.Auth
	l.ear.read.begin(o.joint(l))
	second, stop := context.WithTimeout(ctx, sessionBound)
	defer stop()
	if err := o.session(second, l, w, init); err != nil {
		return nil, o.trouble(ctx, l, err)
	}
	if err := l.chooseAll(second, o.request.Options); err != nil {
		return nil, o.trouble(ctx, l, err)
	}
	l.ear.opened()
	l.ear.log.Info("agent ready", "agent", o.profile.kind, "launch", l.process.LaunchID(), "pid", l.process.PID(), "resumed", o.request.Resume != "")
	return &conn{live: l, info: o.info(l, init)}, nil
}

// giveUp ends the wait for the answer to initialize where the program prints what
// is no protocol: an answer right behind a banner still counts, one that the
// program would need long for does not come. It returns when ctx ends.
func giveUp(ctx context.Context, stop context.CancelFunc, noisy <-chan struct{}) {
	select {
	case <-noisy:
	case <-ctx.Done():
		return
	}
	grace := time.NewTimer(noiseGrace)
	defer grace.Stop()
	select {
	case <-grace.C:
		stop()
	case <-ctx.Done():
	}
}

// joint is what the agent's evidence may listen to beside the pipes. Its server
// takes requests only from here on.
func (o *opening) joint(l *live) joint {
	j := joint{
		sink: o.sink, session: l.ear.own, dir: o.request.Dir, server: o.attempt.server,
		clock: o.options.Clock, log: l.ear.log,
	}
	if j.clock == nil {
		j.clock = agent.SystemClock{}
	}
	return j
}

func (o *opening) info(l *live, init acp.Initialized) agent.SessionInfo {
	name := init.Title
	if name == "" {
		name = init.Name
	}
	return agent.SessionInfo{
		ID: l.ear.own(), Agent: name, Version: init.Version,
		Options: l.ear.options.list(),
		Resumes: init.Can.Resume || init.Can.Load,
		Images:  init.Can.Image, Embeds: init.Can.Embed,
		Resumed: o.request.Resume != "",
	}
}

// silence says why initialize brought no answer.
func (o *opening) silence(ctx context.Context, l *live, err error, bound time.Duration) error {
	var e *acp.Error
	switch {
	case errors.As(err, &e):
		return refused(o.profile.speaks(), e.Method, e, nil, l.now())
	case errors.Is(err, acp.ErrClosed), errors.Is(err, acp.ErrStalled):
		return o.died(ctx, l)
	case errors.Is(ctx.Err(), context.Canceled):
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		if s := l.client.Stats(); s.Garbage > 0 && s.Frames == 0 {
			return refusal("not_acp", HintNotACP, l.now(), "program", shortName(o.line.program))
		}
		return refusal("no_answer", HintNoAnswer, l.now(), "seconds", fmt.Sprint(int(bound.Seconds())))
	}
	return refusal("not_acp", HintNotACP, l.now(), "program", shortName(o.line.program))
}

// trouble says why an agent that had answered initialize gave no session.
func (o *opening) trouble(ctx context.Context, l *live, err error) error {
	var e *acp.Error
	var f *agent.Failure
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &e):
		return refused(o.profile.speaks(), e.Method, e, l.auth, l.now())
	case errors.Is(err, acp.ErrClosed), errors.Is(err, acp.ErrStalled):
		return o.died(ctx, l)
	case errors.Is(ctx.Err(), context.Canceled):
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return refusal("no_session", HintNoAnswer, l.now(), "seconds", fmt.Sprint(int(sessionBound.Seconds())))
	case errors.Is(err, acp.ErrNoSession):
		return refusal("bad_session", HintNoSession, l.now())
	}
	return refusal("bad_answer", failure.HintBadAnswer, l.now())
}

// died waits for the end of an agent whose connection has ended, and says why.
func (o *opening) died(ctx context.Context, l *live) error {
	select {
	case <-l.gone:
	case <-ctx.Done():
		return ctx.Err()
	}
	text := l.ear.tail.text()
	o.flag = l.exit.Code != 0 && refusedFlag(text)
	return ended(o.profile, o.line.program, text, l.exit, l.client.Stats())
}

// session makes the provider session ready: a new one, or the earlier one that
// the request names, by resume where it is offered, else by load.
func (o *opening) session(ctx context.Context, l *live, w wish, init acp.Initialized) error {
	id := o.request.Resume
	if id == "" {
		s, err := l.client.NewSession(ctx, w.create())
		if err != nil {
			return err
		}
		o.took(l, s.ID, s)
		return nil
	}
	l.ear.session.Store(&id)
	if init.Can.Resume {
		s, err := l.client.ResumeSession(ctx, w.resume(id))
		var e *acp.Error
		if !errors.As(err, &e) || e.Code != fmt.Sprint(acp.CodeMethodNotFound) || !init.Can.Load {
			if err == nil {
				o.took(l, id, s)
			}
			return err
		}
	}
	if !init.Can.Load {
		f := refusal("no_resume", HintNoResume, l.now())
		f.Code = failure.SessionLost
		return f
	}
	l.ear.replay.Store(true)
	defer l.ear.replay.Store(false)
	s, err := l.client.LoadSession(ctx, w.load(id))
	if err == nil {
		o.took(l, id, s)
	}
	return err
}

// took takes up the session that the agent answered.
func (o *opening) took(l *live, id agent.ProviderSession, s acp.Session) {
	if s.ID != "" {
		id = s.ID
	}
	l.ear.session.Store(&id)
	l.ear.options.set(s.Choices)
}
