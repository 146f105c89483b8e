package autoresume

// stalled is rule 2: a turn that runs, silent for too long, is spoken to. It
// reports whether it did anything.
func (e *Engine) stalled(s *session) bool {
	r := s.rules.Stall
	if !s.turn.open || s.parent != nil || s.repair.armed && s.caps.PromptWhileBusy || r.Strategy == StallOff || e.held(s) || s.occupied() || s.busyBelow() ||
		len(s.turn.tools)+len(s.turn.commands) > 0 || !r.FirstEvent && s.turn.events == 0 {
		return false
	}
	silent := e.now - max(s.seen.active, s.holds.retryUntil)
	if silent < r.Timeout+r.Grace || e.userActive(s) || e.spacing(s) {
		return false
	}
	if s.seen.asked && e.now-s.seen.prompt < s.rules.backoff(s.spent.attempts) {
		return false
	}
	why := Evidence{Rule: ruleStall, Silent: silent, Figure: int64(s.spent.attempts)}
	if r.Strategy == StallContinue && !s.caps.PromptWhileBusy {
		e.notice(s, NoticeStall, why)
		return true
	}
	if s.rules.Preset == Full && s.spent.attempts >= s.rules.Caps.Retries {
		e.giveUp(s, GaveUpStall, why)
		return true
	}
	p := proposal{kind: Continue, need: true, count: &s.spent.attempts, why: why}
	if r.Strategy == StallAbort {
		p.reason = CancelStall
	}
	e.propose(s, p)
	return true
}
