package autoresume

import (
	"slices"
	"time"
)

// session is what is known of one session.
type session struct {
	id     string
	model  string
	rules  *rules
	caps   Caps
	opened time.Duration
	stray  bool // one too many: nothing is kept of it

	parent   *session
	children []*session

	latch  latches
	holds  holds
	turn   turn
	msg    message
	plan   plan
	spent  budgets
	seen   times
	repair repair
	child  episode // of this session as a child
	orphan orphanWatch
	calls  []call

	timers  [timerKinds]uint64
	pending *proposal // waits for a delay, a countdown or a poll
	gap     *gap      // between an own cancel and the prompt
	sent    *sentence // a prompt whose turn has not begun, or that nothing answered yet
	passed  bool      // the pass over this turn's end is over
}

// latches end automation until the user or another client of his speaks.
type latches struct{ cancelled, completed, gaveUp bool }

func (l latches) any() bool { return l.cancelled || l.completed || l.gaveUp }

// holds keep everything back for a while.
type holds struct {
	asks       map[string]bool
	compacting bool
	dead       bool
	off        bool          // switched off for this session
	yielded    bool          // somebody else watches it
	retryUntil time.Duration // the provider's own retry
	dismissed  bool          // the user took back what was announced in this turn
	aborted    bool          // the last turn ended so that nothing may follow by itself
}

// turn is the turn that runs, or the last one.
type turn struct {
	open     bool
	attached bool // found in its middle: calls in flight are not known
	events   int
	tools    map[string]flight
	commands map[string]bool
	toolRan  bool
	unknown  map[string]int // calls of tools that there are not, by name
	unknowns string         // the first that was called twice
	noticed  map[Kind]bool
}

// flight is a call in flight.
type flight struct {
	name   string
	spawns string
}

// times are moments of awake time; 0 where there was none.
type times struct {
	active  time.Duration // any event
	stirred time.Duration // any event but the end of a turn
	typed   time.Duration
	typing  bool // typed is set
	prompt  time.Duration
	asked   bool // prompt is set
	remind  time.Duration
}

// budgets are what was spent since the user spoke.
type budgets struct {
	attempts  int // on silence, since the agent last spoke
	leaks     int
	intent    int
	ready     int
	done      int
	reminders int
	orphan    int
	trips     int // loops of calls
	blocks    int // refusals of task_complete
	accepts   int // calls of it in a row
	prompts   int // of all kinds, in the family
	spends    []*spend
	readyHeld bool
	saturated bool
}

// spend is a prompt that was decided on: a need where it counts towards LoopMax.
type spend struct {
	at, sent time.Duration
	need     bool
}

func (s *session) root() *session {
	for s.parent != nil {
		s = s.parent
	}
	return s
}

// busyBelow reports whether any descendant has a turn open.
func (s *session) busyBelow() bool {
	for _, c := range s.children {
		if c.turn.open || c.busyBelow() {
			return true
		}
	}
	return false
}

// each calls f for a session and all below it.
func (s *session) each(f func(*session)) {
	f(s)
	for _, c := range s.children {
		c.each(f)
	}
}

// adopt makes p the parent of s, unless that would close a ring. Of a parent with
// very many children one that rests is forgotten; where none does, s stays alone
// and is left alone.
func (e *Engine) adopt(s, p *session) {
	if s.parent != nil || s.stray || p.stray {
		return
	}
	for q := p; q != nil; q = q.parent {
		if q == s {
			return
		}
	}
	if len(p.children) >= mostChildren {
		i := slices.IndexFunc(p.children, func(c *session) bool { return !c.turn.open && !c.busyBelow() && !c.asks() })
		if i < 0 {
			e.remove(s)
			s.stray = true
			return
		}
		e.remove(p.children[i])
	}
	s.parent = p
	s.rules, s.caps = p.rules, p.caps
	p.children = append(p.children, s)
}
