package autoresume

import "turnwatch/backend/policy/detect"

// findings are what the detectors say about the last message.
type findings struct {
	thinking, leak, asks, celebrates, claims, describes, ready, intent bool
}

// find reads the last message once.
func (s *session) find() findings {
	if s.msg.found == nil {
		text := detect.Read(string(s.msg.text))
		f := findings{
			leak: text.ToolText(), asks: text.AsksUser(), celebrates: text.Celebration(), claims: text.DoneClaim(s.rules.claims...),
			describes: text.WorkDescription(), ready: text.ReadyToContinue(), intent: text.ActionIntent(),
		}
		f.thinking = !s.turn.toolRan && detect.Read(string(s.msg.thought)).ToolText()
		s.msg.found = &f
	}
	return *s.msg.found
}

// choice is the first match of the pass. Hold keeps everything back; latch ends
// the session's work; a kind with an exhausted budget is a hold, too.
type choice struct {
	kind  Kind
	count *int
	hold  bool
	latch bool
	why   Evidence
}

// choose is the order of rule 6.
func (s *session) choose() choice {
	o, f, b := s.rules.Idle, s.find(), &s.spent
	open := s.plan.open()
	c := choice{why: Evidence{Rule: ruleIdle, Figure: int64(open)}}
	switch {
	case o.ToolText && f.thinking:
		c.kind, c.count = ThinkingTool, &b.leaks
	case o.ToolText && f.leak:
		c.kind, c.count = ToolText, &b.leaks
	case s.turn.toolRan && s.looping():
		c.kind, c.count = ToolLoop, &b.trips
	case s.turn.unknowns != "":
		c.kind = UnknownTool
	case o.MaxTokens && s.msg.truncated:
		c.kind = Truncated
	case f.asks:
		c.hold = true
	case o.Celebration && f.celebrates && open == 0:
		c.latch = true
	case o.DoneClaim && f.claims && open > 0:
		c.kind, c.count = DoneOpenTodos, &b.done
	case o.DoneClaim && f.claims && !f.describes:
		c.kind, c.count = DoneNoDetail, &b.done
	case o.Ready && f.ready:
		c.kind, c.count = ReadyToGoOn, &b.ready
		c.hold = s.plan.finished() && !b.readyHeld
	case o.Intent && f.intent:
		c.kind, c.count = ActionIntent, &b.intent
	case o.Todos && open > 0:
		c.kind, c.count = TodoReminder, &b.reminders
	default:
		c.hold = true
	}
	return c
}

// quietEnd reports whether a look at the end of a turn may act: nothing is held,
// no child is at work, nothing stirs and nobody types.
func (e *Engine) quietEnd(s *session) bool {
	return !s.turn.open && s.parent == nil && !s.holds.aborted && !e.held(s) && !s.occupied() && !s.busyBelow() &&
		e.now-s.seen.stirred >= s.rules.Idle.Gap && !e.userActive(s)
}

// lookForIntent is the early look: an announcement with nothing behind it.
func (e *Engine) lookForIntent(s *session) {
	if !e.quietEnd(s) || !s.rules.Idle.Intent || e.now-s.opened < s.rules.Idle.Warmup {
		return
	}
	if f := s.find(); !f.intent || f.leak || f.asks || s.spent.intent >= s.rules.Caps.Retries {
		return
	}
	e.propose(s, proposal{kind: ActionIntent, need: true, count: &s.spent.intent, why: Evidence{Rule: ruleIdle}})
}

// pass is the one look at everything that a turn may have ended with.
func (e *Engine) pass(s *session) {
	if !e.quietEnd(s) {
		return
	}
	c := s.choose()
	switch {
	case c.latch:
		s.latch.completed = true
	case c.hold:
		if c.kind == ReadyToGoOn {
			s.spent.readyHeld = true
		}
	case c.kind == ToolLoop:
		e.trip(s)
	case c.kind == TodoReminder:
		e.remind(s)
	case c.count == nil || *c.count < s.rules.Caps.Retries:
		e.propose(s, proposal{kind: c.kind, need: true, count: c.count, why: c.why})
	}
}

// remind speaks of open entries of the plan: at the pass, and again at ticks.
func (e *Engine) remind(s *session) {
	o := s.rules
	if !s.passed || s.repair.armed || !o.Idle.Todos || s.spent.reminders >= o.Caps.Retries || s.plan.open() == 0 || !e.quietEnd(s) || e.spacing(s) {
		return
	}
	if s.spent.reminders > 0 && e.now-s.seen.remind < o.backoff(s.spent.reminders) {
		return
	}
	c := s.choose()
	if c.kind != TodoReminder || c.hold {
		return
	}
	s.seen.remind = e.now
	e.propose(s, proposal{kind: TodoReminder, need: true, count: c.count, why: c.why})
}
