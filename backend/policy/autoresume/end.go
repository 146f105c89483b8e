package autoresume

// turnEnded is the head of rules 5 and 6: what the end of a turn leads to.
func (e *Engine) turnEnded(s *session, end TurnEnded) {
	if !s.turn.open {
		return
	}
	ours := s.cancelledByUs()
	e.withdraw(s)
	s.stop(awaitTimer)
	if s.sent != nil {
		s.sent.waiting = false
	}
	s.turn.open, s.turn.attached, s.turn.tools = false, false, nil
	s.holds.retryUntil = 0
	s.orphan.on = false
	if s.parent != nil {
		if end.Stop == StopCancelled && !ours {
			s.each(func(d *session) { e.cancelled(d) })
		}
		e.childEnded(s, end.Stop == StopError && !aborted(end.Fault))
		return
	}
	if ours {
		return
	}
	switch end.Stop {
	case StopCancelled:
		s.each(func(d *session) { e.cancelled(d) })
	case StopError:
		s.holds.aborted = true
		if end.Fault != nil {
			e.failedWith(s, end.Fault)
		}
	case StopRefusal:
		s.holds.aborted = true
		s.repair.armed = false
	default:
		e.endedWell(s, end)
	}
}

// endedWell judges a turn that ended without an error: a stream that died in the
// middle, at once, and everything else in two looks.
func (e *Engine) endedWell(s *session, end TurnEnded) {
	s.repair.armed = false
	s.msg.truncated = end.Stop == StopMaxTokens
	if s.rules.Stream.Dead {
		if tokens, dead := s.msg.dead(end.OutTokens, s.rules.Stream.MinTokens); dead {
			e.failed(s, DeadStream, Evidence{Rule: ruleDeadStream, Figure: tokens})
			return
		}
	}
	e.arm(s, intentTimer, e.now+s.rules.Idle.IntentDelay)
	e.arm(s, passTimer, e.now+s.rules.Idle.Delay)
}

// cancelledByUs reports whether a cancel of ours is pending, of the session or of
// one above it: what ends then was ended by us.
func (s *session) cancelledByUs() bool {
	for p := s; p != nil; p = p.parent {
		if p.gap != nil {
			return true
		}
	}
	return false
}
