package autoresume

// take sorts an event to the rule that it concerns.
func (e *Engine) take(s *session, ev Event) {
	e.touch(s, ev)
	switch ev := ev.(type) {
	case Opened:
		e.open(s, ev)
	case TurnStarted:
		e.turnStarted(s, ev.Origin)
	case TurnEnded:
		e.turnEnded(s, ev)
	case Text, Thought, ToolStarted, ToolEnded:
		e.output(s, ev)
	case Planned:
		s.planned(ev.Entries)
	case Used:
		e.used(s, ev)
	case Retrying:
		if ev.Wait > 0 {
			s.holds.retryUntil = e.now + min(ev.Wait, longestHold)
		}
	case Fault:
		e.fault(s, &ev)
	case Completed:
		e.completed(s)
	case Probed:
		e.probed(s, ev.State)
	case Exited:
		e.exited(s)
	case Closed:
		e.remove(s)
	case Sent:
		e.answered(s, ev.OK)
	default:
		e.framed(s, ev)
	}
}

// framed takes what begins or ends a hold, and what the user does.
func (e *Engine) framed(s *session, ev Event) {
	switch ev := ev.(type) {
	case AskOpened:
		put(&s.holds.asks, ev.ID)
	case AskClosed:
		delete(s.holds.asks, ev.ID)
	case Compacting:
		s.holds.compacting = ev.On
	case CommandStarted:
		put(&s.turn.commands, ev.ID)
	case CommandEnded:
		delete(s.turn.commands, ev.ID)
	case Cancelled:
		s.each(func(d *session) { e.cancelled(d) })
	case Typing:
		s.seen.typed, s.seen.typing = e.now, true
		e.dropActions(s)
	case Dismissed:
		e.drop(s)
		s.holds.dismissed = true
	case Switched:
		s.holds.off = !ev.On
		s.each(func(d *session) { e.drop(d) })
	case Yielded:
		s.holds.yielded = ev.To
		s.each(func(d *session) { e.drop(d) })
	case Configured:
		if ev.Options.Validate() == nil {
			r := prepare(ev.Options)
			s.each(func(d *session) { d.rules, d.caps = r, ev.Caps; e.drop(d) })
		}
	}
}

// touch notes that something happened. What is only our own side, or a poll, is
// no activity. Whatever was about to be done to a turn that runs is moot.
func (e *Engine) touch(s *session, ev Event) {
	switch ev.(type) {
	case Sent, Probed, Switched, Yielded, Configured, Dismissed:
		return
	case TurnEnded:
	default:
		s.seen.stirred = e.now
	}
	s.seen.active = e.now
	if _, starts := ev.(TurnStarted); !starts {
		s.turn.events++
	}
	s.orphan.on = false
	s.child.reset()
	if p := s.pending; p != nil && p.busy && p.reason != CancelToolLoop { // a loop is not over because it goes on
		e.withdraw(s)
	}
}

// withdraw takes a pending proposal back.
func (e *Engine) withdraw(s *session) {
	p := s.pending
	if p == nil {
		return
	}
	s.pending = nil
	s.stop(pendingTimer)
	if p.row != 0 {
		e.tell(Action{ID: p.row, Session: s.id, Act: Withdraw, Kind: p.kind, Reason: p.reason})
	}
}

func (e *Engine) open(s *session, ev Opened) {
	s.holds.dead = false
	if ev.Model != "" {
		s.model = ev.Model
	}
	if ev.Parent != "" && ev.Parent != s.id {
		e.adopt(s, e.session(ev.Parent))
	}
	if ev.Caps != nil {
		s.caps = *ev.Caps
	}
	if ev.Busy && !s.turn.open {
		s.turn = turn{open: true, attached: true, tools: s.turn.tools, commands: s.turn.commands}
		s.msg = message{}
	}
}

// turnStarted begins a turn. What belonged to the end of the last one dies; a turn
// of the user clears every latch and budget.
func (e *Engine) turnStarted(s *session, by Origin) {
	sent := s.sent
	if by != BySupervisor || s.gap == nil {
		e.drop(s)
	}
	if by == BySupervisor && sent != nil {
		sent.waiting = false
		s.sent = sent
	}
	if by == ByUser || by == ByExternal {
		e.refill(s)
	}
	next := turn{open: true, attached: s.turn.open && s.turn.attached, tools: s.turn.tools, commands: s.turn.commands}
	s.turn, s.msg, s.passed = next, message{}, false
	s.holds.dead, s.holds.aborted, s.holds.dismissed, s.holds.retryUntil = false, false, false, 0
	if s.parent != nil {
		s.parent.orphan.on = false
	}
}

// refill is what only the user can do, or another client of his.
func (e *Engine) refill(s *session) {
	s.repair = repair{}
	s.calls = nil
	s.holds.compacting = false
	s.holds.asks = nil
	s.each(func(d *session) {
		if d != s {
			e.dropActions(d) // they were charged to what is refilled now
		}
		d.latch = latches{}
		d.spent = budgets{saturated: d.spent.saturated}
		d.child.revived = false
		d.plan.most = d.plan.completed()
	})
}

// cancelled latches a session that the user has stopped.
func (e *Engine) cancelled(s *session) {
	e.drop(s)
	s.latch.cancelled = true
}

// used tells once that the model's window is nearly full.
func (e *Engine) used(s *session, u Used) {
	if u.Size <= 0 || u.Used < 0 || s.spent.saturated || e.held(s) {
		return
	}
	if float64(u.Used)/float64(u.Size) >= s.rules.Saturation {
		s.spent.saturated = true
		e.tell(Action{Session: s.id, Act: Notice, Kind: NoticeSaturation, Why: Evidence{Rule: ruleSaturation, Figure: u.Used * 100 / u.Size}})
	}
}

// probed takes what a poll found: an idle session has no turn, whatever we have
// seen; a poll of ours lets its cancel go on only where the turn surely runs.
func (e *Engine) probed(s *session, state string) {
	switch {
	case state == "idle" && s.turn.open:
		e.turnEnded(s, TurnEnded{Stop: "unknown"})
	case s.pending == nil || !s.pending.polled:
	case state == "busy":
		p := s.pending
		p.polled = false
		if !e.held(s) && s.turn.open {
			e.perform(s, p)
			return
		}
		e.withdraw(s)
	default:
		e.withdraw(s)
	}
}

// exited says that a session's agent is gone, and its children with it: nothing
// more until a turn starts.
func (e *Engine) exited(s *session) {
	was := s.turn.open
	s.each(func(d *session) {
		e.drop(d)
		d.turn.open, d.turn.tools, d.holds.asks, d.holds.dead = false, nil, nil, true
	})
	if was && s.parent != nil {
		e.childEnded(s, true)
	}
}

func put(set *map[string]bool, id string) {
	if *set == nil {
		*set = map[string]bool{}
	}
	if len(*set) < mostInFlight {
		(*set)[id] = true
	}
}
