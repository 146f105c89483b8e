package autoresume

import "time"

// held is rule 1: whether everything is kept back for a session. An own cancel
// before its prompt is seen to apart.
func (e *Engine) held(s *session) bool {
	if e.off || s.stray || s.holds.compacting || s.holds.dead || s.holds.dismissed || e.now < s.holds.retryUntil || s.filtered() {
		return true
	}
	for p := s; p != nil; p = p.parent {
		if p.latch.any() || p.holds.off || p.holds.yielded || !p.rules.Enabled {
			return true
		}
	}
	return s.root().asks()
}

// asks reports whether anything of the family waits for the user.
func (s *session) asks() bool {
	if len(s.holds.asks) > 0 {
		return true
	}
	for _, c := range s.children {
		if c.asks() {
			return true
		}
	}
	return false
}

// filtered reports whether the model filter leaves a session out. A child that
// names no model goes with its parent.
func (s *session) filtered() bool {
	if s.rules.Model == "" {
		return false
	}
	p := s
	for p.model == "" && p.parent != nil {
		p = p.parent
	}
	return s.rules.model == nil || p.model == "" || !s.rules.model.MatchString(p.model)
}

// occupied reports whether an action of the session is on its way.
func (s *session) occupied() bool {
	return s.pending != nil || s.gap != nil || s.sent != nil && s.sent.waiting
}

// userActive reports whether the user has typed just now.
func (e *Engine) userActive(s *session) bool {
	return s.seen.typing && e.now-s.seen.typed < s.rules.Timing.UserActive
}

// spacing reports whether the next prompt has to wait for the last one.
func (e *Engine) spacing(s *session) bool {
	return s.seen.asked && e.now-s.seen.prompt < s.rules.Timing.Inject
}

// backoff is how long to wait after the n-th try.
func (r *rules) backoff(n int) time.Duration {
	if n <= 0 {
		return 0
	}
	d := r.Timing.BackoffBase
	for ; n > 1 && d < r.Timing.BackoffCap; n-- {
		d *= 2
	}
	return min(d, r.Timing.BackoffCap)
}

// drop takes back everything that is on its way for a session: what the user does
// wins, and a turn that begins makes it moot.
func (e *Engine) drop(s *session) {
	e.dropActions(s)
	s.sent = nil
	s.orphan.on = false
	s.stop(intentTimer, passTimer, awaitTimer)
}

// dropActions takes back what was decided already, and leaves the looks that are
// still to come: they see for themselves whether the user is there.
func (e *Engine) dropActions(s *session) {
	e.withdraw(s)
	if s.gap != nil {
		e.tell(Action{ID: s.gap.row, Session: s.id, Act: Withdraw, Kind: s.gap.kind})
	}
	s.gap = nil
	s.repair.armed = false
	s.stop(pendingTimer, gapTimer)
}

// giveUp latches a session and says why, once. What is on its way for its children
// goes, too.
func (e *Engine) giveUp(s *session, r Reason, why Evidence) {
	s.each(func(d *session) { e.drop(d) })
	if s.latch.gaveUp {
		return
	}
	s.latch.gaveUp = true
	e.tell(Action{Session: s.id, Act: GiveUp, Reason: r, Why: why})
}

// switchAll is the one command that stops all automation, or allows it again.
func (e *Engine) switchAll(on bool) {
	e.off = !on
	if e.off {
		for _, s := range e.order {
			e.drop(s)
		}
	}
}
