package autoresume

import "time"

// proposal is something that a rule wants done: a prompt or, with reason, a cancel
// and then the prompt. It is checked, may be announced, and is then carried out.
type proposal struct {
	kind   Kind
	reason Reason
	need   bool          // it counts towards LoopMax
	delay  time.Duration // before it
	count  *int          // the budget that it is charged to, nil for none
	why    Evidence

	row    uint64 // of its announcement, 0 where there was none
	polled bool   // it waits for a poll
	ripe   bool   // it is due, and waits for the end of a call
	busy   bool   // whether the turn was open when it was proposed
}

// propose checks what a rule wants against the presets, the ceilings and the
// guards, and does it, announces it, or gives up. At most one thing of a session
// is on its way.
func (e *Engine) propose(s *session, p proposal) {
	if e.held(s) || s.occupied() {
		return
	}
	p.busy = s.turn.open
	if e.noticed(s, p) {
		return
	}
	needs, all := e.spendsOf(s.root())
	caps := s.rules.Caps
	if all >= caps.WindowBudget || caps.RoundBudget > 0 && s.root().spent.prompts >= caps.RoundBudget {
		e.giveUp(s.root(), GaveUpWindow, Evidence{Rule: ruleCeiling, Figure: int64(all)})
		return
	}
	if p.need && needs+1 >= caps.LoopMax {
		if p.busy {
			p.reason = CancelContinueLoop
		} else {
			p.delay = max(p.delay, s.rules.Timing.AfterCancel)
		}
	}
	if p.reason != "" && !s.mayCancel(p.reason) {
		return
	}
	if s.seen.asked {
		p.delay = max(p.delay, s.seen.prompt+s.rules.Timing.Inject-e.now)
	}
	if cd := s.rules.Timing.Countdown; cd > 0 {
		p.delay = max(p.delay, cd)
		p.row = e.tell(Action{
			Session: s.id, Act: Announce, Kind: p.kind, Reason: p.reason, Why: p.why,
			Due: e.now + p.delay, Count: s.root().spent.prompts + 1,
		})
	}
	s.pending = &p
	if p.delay > 0 {
		e.arm(s, pendingTimer, e.now+p.delay)
		return
	}
	e.pendingDue(s)
}

// pendingDue carries out what is pending, if it still stands.
func (e *Engine) pendingDue(s *session) {
	p := s.pending
	if p == nil {
		return
	}
	if p.polled || e.held(s) || s.turn.open != p.busy || e.userActive(s) {
		e.drop(s)
		return
	}
	if p.reason == CancelToolLoop && !e.loopDue(s) {
		return
	}
	if p.reason != "" && s.turn.attached {
		p.polled = true
		e.arm(s, pendingTimer, e.now+s.rules.Timing.AfterCancel)
		e.tell(Action{Session: s.id, Act: Poll, Reason: p.reason})
		return
	}
	e.perform(s, p)
}

// perform charges a proposal and carries it out. The ceiling is looked at once
// more: others of the family may have come first.
func (e *Engine) perform(s *session, p *proposal) {
	root := s.root()
	if _, all := e.spendsOf(root); all >= s.rules.Caps.WindowBudget {
		e.giveUp(root, GaveUpWindow, Evidence{Rule: ruleCeiling, Figure: int64(all)})
		return
	}
	s.pending = nil
	s.stop(pendingTimer)
	if p.kind == ToolLoop {
		s.calls = nil
	}
	sp := &spend{at: e.now, sent: e.now, need: p.need}
	root.spent.spends = append(root.spent.spends, sp)
	root.spent.prompts++
	if p.count != nil {
		*p.count++
	}
	if p.reason == "" {
		e.prompt(s, p.kind, p.why)
		return
	}
	row := e.tell(Action{Session: s.id, Act: Cancel, Reason: p.reason, Why: p.why})
	s.gap = &gap{row: row, kind: p.kind, why: p.why, spend: sp, last: e.now + s.rules.Timing.CancelTimeout}
	s.stop(intentTimer, passTimer)
	e.arm(s, gapTimer, e.now+s.rules.Timing.AfterCancel)
}

// spendsOf counts the prompts of a family within the window, and forgets older
// ones: the needs among them by when they were needed, all by when they were sent.
func (e *Engine) spendsOf(root *session) (needs, all int) {
	window := root.rules.Caps.Window
	kept := root.spent.spends[:0]
	for _, sp := range root.spent.spends {
		if e.now-sp.sent >= window {
			continue
		}
		kept = append(kept, sp)
		all++
		if sp.need && e.now-sp.at < window {
			needs++
		}
	}
	root.spent.spends = kept
	return needs, all
}

// mayCancel is rule 12: nothing is cancelled over a call in flight, but the one
// that waits for a child that is over or stuck; nor where we can't know.
func (s *session) mayCancel(r Reason) bool {
	if s.turn.attached && !s.caps.Status {
		return false
	}
	return len(s.turn.commands) == 0 && s.onlyDelegates(r == CancelOrphanParent || r == CancelStuckChild)
}

// noticed says instead of acting, where the preset goes no further: once a turn.
func (e *Engine) noticed(s *session, p proposal) bool {
	switch {
	case s.rules.Preset == Full:
		return false
	case s.rules.Preset == Safe && !p.busy && s.parent == nil && p.reason == "":
		return false
	}
	kind := p.kind
	if p.why.Rule == ruleStall {
		kind = NoticeStall
	}
	e.notice(s, kind, p.why)
	return true
}

// notice tells something once a turn.
func (e *Engine) notice(s *session, k Kind, why Evidence) {
	if s.turn.noticed[k] {
		return
	}
	if s.turn.noticed == nil {
		s.turn.noticed = map[Kind]bool{}
	}
	s.turn.noticed[k] = true
	e.tell(Action{Session: s.id, Act: Notice, Kind: k, Why: why})
}
