package autoresume

import "strings"

// completed is rule 11: the agent says by its tool that the task is complete. A
// root with open entries in its plan is refused a few times; then it is believed.
// A call is always answered, whatever holds.
func (e *Engine) completed(s *session) {
	if s.parent == nil && s.plan.open() > 0 && s.spent.blocks < s.rules.Caps.Retries && !s.latch.completed {
		s.spent.blocks++
		e.reply(s, Blocked)
		return
	}
	s.spent.accepts++
	s.latch.completed = true
	e.withdraw(s)
	switch s.spent.accepts {
	case 1:
		e.reply(s, Ack)
	case 2:
		e.reply(s, RepeatWarning)
	default:
		e.reply(s, ReplyError)
	}
}

func (e *Engine) reply(s *session, r Result) {
	e.tell(Action{Session: s.id, Act: Reply, Result: r, Why: Evidence{Rule: ruleComplete, Figure: int64(s.plan.open())}})
}

// completing reports whether a tool is task_complete itself, under whatever prefix
// an agent gives to the tools of a server.
func completing(name string) bool { return strings.HasSuffix(name, "task_complete") }
