package autoresume

import (
	"regexp"
	"slices"
	"time"
)

// Engine is the policy over all sessions. It is deterministic: the same calls
// give the same actions. Whoever owns it calls Step for what happens and Wake
// when Next is due; where both fall together Step comes first, so that the user
// beats a timer. The zero value is no use: see New.
type Engine struct {
	options *rules
	caps    Caps
	byID    map[string]*session
	order   []*session // as they were opened
	timers  timers
	now     time.Duration
	ticked  time.Duration
	actions []Action
	rows    uint64 // ids given to actions
	off     bool   // for all
}

// rules are options made ready: with their expressions compiled.
type rules struct {
	Options
	model    *regexp.Regexp
	patterns []pattern
	claims   []*regexp.Regexp
}

// New makes an Engine for sessions that have no options of their own. Options
// that are out of bounds are an error that says which and why.
func New(o Options, c Caps) (*Engine, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return &Engine{options: prepare(o), caps: c, byID: map[string]*session{}}, nil
}

// prepare compiles expressions. One that is none of a name matches nothing.
func prepare(o Options) *rules {
	r := &rules{Options: o}
	if o.Model != "" {
		r.model, _ = regexp.Compile(o.Model)
	}
	for _, p := range o.Stream.Patterns {
		r.patterns = append(r.patterns, newPattern(p))
	}
	for _, p := range o.Idle.DoneClaims {
		if re, err := regexp.Compile("(?i)^(?:" + p + ")$"); err == nil {
			r.claims = append(r.claims, re)
		}
	}
	return r
}

// Step takes an event of a session and returns what is to be done, in order. The
// session of an event that nobody has opened is opened by it, but for Switched
// with session "", which means all.
func (e *Engine) Step(id string, ev Event, now time.Duration) []Action {
	e.begin(now)
	if sw, ok := ev.(Switched); ok && id == "" {
		e.switchAll(sw.On)
		return e.actions
	}
	e.take(e.session(id), ev)
	return e.actions
}

// Wake does the one thing that is due first at a moment: a timer, or the tick.
// Call it until Next is later, and Step in between for what comes of its actions.
func (e *Engine) Wake(now time.Duration) []Action {
	e.begin(now)
	due, isTick := e.due()
	switch {
	case due > e.now:
	case isTick:
		e.ticked = e.now - (e.now-due)%e.options.Timing.Tick
		e.tick()
	default:
		t := e.timers.pop()
		if t.s.timers[t.what] == t.seq {
			t.s.timers[t.what] = 0
			e.fire(t.s, t.what)
		}
	}
	return e.actions
}

// Next is when Wake is to be called, and false while there is no session.
func (e *Engine) Next() (time.Duration, bool) {
	due, _ := e.due()
	return due, len(e.order) > 0
}

func (e *Engine) begin(now time.Duration) {
	e.now = max(e.now, now)
	e.actions = nil
}

// due is the next moment at which anything is: timers come before a tick of the
// same moment.
func (e *Engine) due() (at time.Duration, isTick bool) {
	at = e.ticked + e.options.Timing.Tick
	if len(e.timers.heap) > 0 && e.timers.heap[0].at <= at {
		return e.timers.heap[0].at, false
	}
	return at, true
}

// tick looks at every session.
func (e *Engine) tick() {
	for _, s := range slices.Clone(e.order) {
		switch {
		case e.recoveryDue(s), e.stalled(s), e.orphaned(s), e.stuck(s):
		default:
			e.remind(s)
		}
	}
	e.forget()
}

// fire handles a timer.
func (e *Engine) fire(s *session, what timerKind) {
	switch what {
	case intentTimer:
		e.lookForIntent(s)
	case passTimer:
		s.passed = true
		e.pass(s)
	case pendingTimer:
		e.pendingDue(s)
	case gapTimer:
		e.gapDue(s)
	case awaitTimer:
		e.notTaken(s)
	}
}

// session finds a session, or opens it.
func (e *Engine) session(id string) *session {
	s, ok := e.byID[id]
	if !ok {
		s = &session{id: id, rules: e.options, caps: e.caps, opened: e.now}
		if len(e.order) >= mostSessions {
			s.stray = true
			return s
		}
		e.byID[id] = s
		e.order = append(e.order, s)
	}
	return s
}

// tell adds an action. It returns the id of its row.
func (e *Engine) tell(a Action) uint64 {
	if a.Act != Withdraw && a.Act != Outcome {
		e.rows++
		a.ID = e.rows
	}
	a.At = e.now
	e.actions = append(e.actions, a)
	return a.ID
}

// mostWild is as far as a budget goes in a scenario.
const mostWild = 1000

// Simulate makes an Engine for scenarios at virtual time, where wild numbers harm
// nobody: only what would keep it from ending is put right.
func Simulate(o Options, c Caps) *Engine {
	o.Timing.Tick = max(o.Timing.Tick, time.Millisecond)
	o.Timing.CancelPoll = max(o.Timing.CancelPoll, time.Millisecond)
	for _, n := range []*int{&o.Caps.Retries, &o.Caps.WindowBudget, &o.Stream.Retries, &o.Loop.Trips} {
		*n = min(*n, mostWild)
	}
	return &Engine{options: prepare(o), caps: c, byID: map[string]*session{}}
}
