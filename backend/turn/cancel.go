package turn

import "turnwatch/backend/agent"

// cancel ends the turn in hand by the user's word. It is bounded and never
// depends on the agent. With no turn open it sends nothing: an idle cancel can
// poison the next prompt of some agents; it stops a prompt that waits to be sent
// again. A second one changes nothing.
func (t *step) cancel() {
	switch t.turn.phase {
	case idle:
		t.drop(agent.DropCancelled)
	case recording:
		t.turn.stopped = true
	case starting:
		t.settle(end{outcome: agent.Cancelled})
	case dispatched, active:
		gen := t.turn.gen
		t.turn.phase = cancelling
		t.send(agent.Cancel{Generation: gen})
		t.closeAsks(agent.ByCancel)
		t.note(gen, t.words.closeTools(gen, t.now.Wall)...)
		t.noteAck(gen, agent.CancelStepped{Step: agent.CancelSent, Auto: t.turn.byPolicy})
		t.arm(agent.CancelBound, gen, CancelWait)
	}
}

// cancelRefused notes that the agent does not take a cancel. The bound holds.
func (t *step) cancelRefused(g agent.Generation) {
	if t.turn.phase == cancelling && g == t.turn.gen {
		t.note(g, agent.CancelStepped{Step: agent.CancelDenied})
	}
}

// fired takes a bound that is over. One of an earlier turn is stale.
func (t *step) fired(e agent.TimerFired) {
	switch e.Timer {
	case agent.CancelBound:
		if t.turn.phase == cancelling && e.Generation == t.turn.gen {
			t.escalate()
		}
	case agent.StopBound:
		if c := t.letGo(e.Generation); c != nil && !c.said {
			c.said = true
			t.note(e.Generation,
				agent.CancelStepped{Step: agent.CancelNotStopped},
				agent.Noticed{Notice: agent.Notice{Kind: agent.NoticeNotStopped}})
		}
	case agent.RetryDue:
		if t.retry != nil && e.Generation == t.retry.gen {
			t.sendAgain()
		}
	case agent.IdleBound:
		if t.turn.phase == idle && t.link == up && e.Generation == t.gen && len(t.queue.prompts) == 0 {
			t.shut()
		}
	}
}

// escalate lets go of a prompt that did not return in time and settles the turn.
func (t *step) escalate() {
	gen := t.turn.gen
	t.note(gen, agent.CancelStepped{Step: agent.CancelEscalated})
	t.release()
	t.arm(agent.StopBound, gen, StopWait)
	t.settle(end{outcome: agent.Cancelled})
}

// letGo finds the abandoned call of a turn.
func (t *step) letGo(g agent.Generation) *call {
	for i := range t.abandoned {
		if t.abandoned[i].gen == g {
			return &t.abandoned[i]
		}
	}
	return nil
}

// rest lets an idle agent that can resume go after a while.
func (t *step) rest() {
	if t.turn.phase == idle && t.link == up && t.info.Resumes && t.policy.Idle > 0 {
		t.arm(agent.IdleBound, t.gen, t.policy.Idle)
	}
}
