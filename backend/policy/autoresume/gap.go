package autoresume

import "time"

// Names of rules in the ledger.
const (
	ruleStall  = "stall"
	ruleStream = "stream_failure"
	ruleIdle   = "idle"
	ruleLoop   = "tool_loop"
	ruleChild  = "child"

	ruleDeadStream = "dead_stream"
	ruleCeiling    = "ceiling"
	ruleSaturation = "saturation"
	ruleComplete   = "task_complete"
)

// gap is the time between an own cancel and the prompt after it.
type gap struct {
	row   uint64
	kind  Kind
	why   Evidence
	spend *spend
	last  time.Duration // when the turn must be over
}

// sentence is a prompt that was sent. While it waits its turn has not begun;
// then it stands until the agent answers it.
type sentence struct {
	row     uint64
	kind    Kind
	waiting bool
}

// prompt sends one.
func (e *Engine) prompt(s *session, k Kind, why Evidence) {
	s.seen.prompt, s.seen.asked = e.now, true
	id := e.tell(Action{Session: s.id, Act: Prompt, Kind: k, Why: why, Count: s.root().spent.prompts})
	s.sent = &sentence{row: id, kind: k, waiting: !s.turn.open}
	s.msg.fresh = true
	if s.sent.waiting {
		e.arm(s, awaitTimer, e.now+s.rules.Idle.Delay)
	}
}

// gapDue is rule 4: the prompt goes out as soon as the turn is really over.
func (e *Engine) gapDue(s *session) {
	g := s.gap
	if g == nil {
		return
	}
	over := !s.turn.open
	s.gap = nil
	switch {
	case over && !e.held(s) && !e.spacing(s):
		g.spend.sent = e.now
		e.prompt(s, g.kind, g.why)
	case e.now < g.last:
		s.gap = g
		e.arm(s, gapTimer, min(e.now+s.rules.Timing.CancelPoll, g.last))
	case !over:
		e.giveUp(s, GaveUpCancel, g.why)
	default:
		e.tell(Action{ID: g.row, Session: s.id, Act: Withdraw, Kind: g.kind})
	}
}

// answered takes what came of a prompt.
func (e *Engine) answered(s *session, ok bool) {
	sent := s.sent
	if sent == nil {
		return
	}
	if ok {
		e.tell(Action{ID: sent.row, Session: s.id, Act: Outcome, Kind: sent.kind, Result: Accepted})
		return
	}
	e.lost(s, Refused)
}

// notTaken says that no turn began after a prompt.
func (e *Engine) notTaken(s *session) {
	if s.sent != nil && s.sent.waiting {
		e.lost(s, Ignored)
	}
}

// lost is a prompt that did nothing: a failure, where it was to help against one.
func (e *Engine) lost(s *session, r Result) {
	sent := s.sent
	s.sent = nil
	s.stop(awaitTimer)
	e.tell(Action{ID: sent.row, Session: s.id, Act: Outcome, Kind: sent.kind, Result: r})
	if sent.kind == StreamFailure || sent.kind == DeadStream {
		e.failed(s, sent.kind, Evidence{Rule: ruleStream})
	}
}
