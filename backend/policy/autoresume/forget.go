package autoresume

import (
	"slices"
	"time"
)

// mostResidue is how many sessions are kept that are forgotten but for their
// latches and budgets, which only the user may refill.
const mostResidue = 4096

// What an agent can make us keep by opening sessions is bounded, too: of any more
// nothing is known.
const (
	mostSessions = 4 * mostResidue
	mostChildren = 256 // of one parent
)

// longestHold bounds the retry that an agent announces.
const longestHold = 31 * 24 * time.Hour

// forget lets go of sessions that were idle for long, or that are too many: of
// their texts, plans and calls, and of all of them where nothing was spent.
func (e *Engine) forget() {
	o := e.options.Timing
	var idle []*session
	for _, s := range e.order {
		if s.parent == nil && !s.turn.open && len(s.turn.tools) == 0 && !s.busyBelow() && !s.occupied() && !s.repair.armed && s.timers[passTimer] == 0 {
			idle = append(idle, s)
		}
	}
	slices.SortStableFunc(idle, func(a, b *session) int { return int(a.seen.active - b.seen.active) })
	for i, s := range idle {
		if e.now-s.seen.active >= o.Forget || len(idle)-i > o.Remember {
			e.release(s)
		}
	}
	if len(e.order) > mostResidue {
		for _, s := range idle[:min(len(idle), len(e.order)-mostResidue)] {
			e.remove(s)
		}
	}
}

// release forgets all but what the user must refill.
func (e *Engine) release(s *session) {
	if s.asks() {
		return
	}
	e.drop(s)
	for _, c := range slices.Clone(s.children) {
		e.remove(c)
	}
	s.msg, s.calls, s.passed = message{}, nil, false
	s.plan.entries = nil
	if !s.latch.any() && s.spent.prompts == 0 && s.spent.blocks == 0 && !s.holds.off && !s.holds.yielded {
		e.remove(s)
	}
}

func (e *Engine) remove(s *session) {
	for _, c := range slices.Clone(s.children) {
		e.remove(c)
	}
	e.drop(s)
	delete(e.byID, s.id)
	e.order = slices.DeleteFunc(e.order, func(o *session) bool { return o == s })
	if s.parent != nil {
		s.parent.children = slices.DeleteFunc(s.parent.children, func(o *session) bool { return o == s })
	}
}
