package autoresume

import "time"

// repair is what is done about a provider that failed: prompts with growing waits,
// one more that is preceded by a cancel where a turn is still open, then nothing.
type repair struct {
	failures int // since the user spoke
	armed    bool
	escalate bool
	kind     Kind
	after    time.Duration
	why      Evidence
}

// fault takes an error that is reported beside the end of a turn. While a cancel
// of ours is pending it is ours.
func (e *Engine) fault(s *session, f *Fault) {
	if s.parent == nil && !s.cancelledByUs() && !s.repair.armed && !s.occupied() {
		e.failedWith(s, f)
	} else if s.parent == nil && s.repair.armed && !e.held(s) {
		if v := judge(s.rules, f); v.reason != "" {
			e.giveUp(s, v.reason, v.why)
		}
	}
}

// failedWith is the middle of rule 5: what an error leads to.
func (e *Engine) failedWith(s *session, f *Fault) {
	switch v := judge(s.rules, f); {
	case e.held(s):
	case v.reason != "":
		e.giveUp(s, v.reason, v.why)
	case v.passes && s.rules.Stream.Failures && !s.repair.armed:
		e.failed(s, StreamFailure, v.why)
		s.repair.after = max(s.repair.after, e.now+v.wait)
	}
}

// failed counts a failure and says when there is a prompt about it: a dead stream
// at once, an error at a tick after its wait.
func (e *Engine) failed(s *session, k Kind, why Evidence) {
	r := &s.repair
	if e.held(s) {
		return
	}
	r.failures++
	r.kind, r.why, r.after = k, why, e.now
	r.why.Figure = max(r.why.Figure, int64(r.failures))
	r.escalate = r.failures > s.rules.Stream.Retries
	switch {
	case r.failures > s.rules.Stream.Retries+1:
		e.giveUp(s, Reason(k), r.why)
		return
	case k == StreamFailure && !r.escalate:
		r.after += s.rules.backoff(r.failures)
		r.armed = true
		return
	}
	r.armed = true
	e.repairNow(s)
}

// recoveryDue looks at an armed repair at a tick.
func (e *Engine) recoveryDue(s *session) bool {
	if !s.repair.armed || e.now < s.repair.after || e.spacing(s) || e.userActive(s) {
		return false
	}
	return e.repairNow(s)
}

func (e *Engine) repairNow(s *session) bool {
	r := &s.repair
	if e.held(s) || s.occupied() || s.turn.open && !s.caps.PromptWhileBusy && !r.escalate {
		return false
	}
	p := proposal{kind: r.kind, need: true, why: r.why}
	if r.escalate {
		p.delay = s.rules.Timing.AfterCancel
		if s.turn.open {
			p.reason, p.delay = CancelStall, 0
		}
	}
	r.armed = false
	e.propose(s, p)
	return true
}
