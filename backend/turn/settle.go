package turn

import "turnwatch/backend/agent"

// end is how a turn is to be settled.
type end struct {
	outcome agent.Outcome
	stop    agent.StopReason
	byAgent bool // of cancelled: nobody here asked for it
	failure *agent.Failure
	final   bool // of failed: the prompt is not sent again, whatever the policy
}

// answered takes the return of a prompt call. The call of a turn that was settled
// before changes nothing any more; that it came back is written down.
func (t *step) answered(e agent.Answered) {
	if t.forget(e.Generation) {
		t.note(e.Generation, agent.CancelStepped{Step: agent.CancelReturned})
		return
	}
	if !t.turn.open() || e.Generation != t.turn.gen {
		return
	}
	t.turn.usage = e.Usage
	switch {
	case t.turn.phase == cancelling:
		t.note(t.turn.gen, agent.CancelStepped{Step: agent.CancelAcknowledged})
		t.settle(end{outcome: agent.Cancelled, stop: e.Stop})
	case e.Failure != nil:
		t.settle(end{outcome: agent.Failed, failure: e.Failure})
	case e.Stop == agent.StopCancelled:
		t.settle(end{outcome: agent.Cancelled, stop: e.Stop, byAgent: true})
	case t.turn.output:
		t.settle(end{outcome: agent.Completed, stop: e.Stop})
	default:
		t.settle(end{outcome: agent.EndedEmpty, stop: e.Stop})
	}
}

// failureSeen takes correlated evidence that the turn has failed although its
// prompt call is still held. The call loses the race: it is cancelled and let go.
func (t *step) failureSeen(e agent.FailureSeen) {
	if !t.turn.open() || e.Stamp.Generation != t.turn.gen {
		return
	}
	if t.turn.phase == cancelling {
		t.release()
		t.settle(end{outcome: agent.Cancelled})
		return
	}
	t.send(agent.Cancel{Generation: t.turn.gen})
	t.release()
	f := e.Failure
	t.settle(end{outcome: agent.Failed, failure: &f})
}

// release lets go of the prompt call of the turn in hand. Until it returns, what
// the agent says may still belong to it.
func (t *step) release() { t.abandoned = append(t.abandoned, call{gen: t.turn.gen}) }

// forget drops a prompt call from the abandoned ones and tells if it was there.
func (t *step) forget(g agent.Generation) bool {
	for i, a := range t.abandoned {
		if a.gen == g {
			t.abandoned = append(t.abandoned[:i], t.abandoned[i+1:]...)
			return true
		}
	}
	return false
}

// settle ends the turn in hand, once: after it no turn is open, so nothing can
// reach it a second time.
func (t *step) settle(e end) {
	gen := t.turn.gen
	if e.outcome != agent.Completed {
		t.note(gen, t.words.closeTools(gen, t.now.Wall)...)
	}
	t.closeAsks(agent.ByEnd)
	t.note(gen, t.words.seal(gen)...)
	facts := []agent.Fact{agent.TurnSettled{
		Outcome: e.outcome, Stop: e.stop, ByAgent: e.byAgent,
		Failure: e.failure, Usage: t.turn.usage,
	}}
	if e.outcome == agent.EndedEmpty {
		facts = append(facts, agent.Noticed{Notice: agent.Notice{Kind: agent.NoticeEmpty}})
	}
	facts = append(facts, t.plan(e)...)
	t.session, t.task = t.after(e)
	t.queue.held = e.outcome != agent.Completed && !t.turn.byPolicy && len(t.queue.prompts) > 0
	facts = append(facts, agent.StateSet{Session: t.session, Task: t.task, Held: t.queue.held})
	seq := t.noteAck(gen, facts...)
	if t.retry != nil {
		t.waiting = append(t.waiting, wait{seq: seq, retry: gen})
	}
	t.turn = current{}
	t.next()
	t.rest()
}

// after tells where the session and its task stand once a turn has ended.
func (t *step) after(e end) (agent.SessionState, agent.TaskState) {
	switch e.outcome {
	case agent.Completed:
		return agent.SessionWaiting, agent.TaskDone
	case agent.Cancelled:
		if !e.byAgent {
			return agent.SessionWaiting, agent.TaskWaiting
		}
	case agent.NeverStarted:
		return agent.SessionFailed, agent.TaskFailed
	case agent.Failed:
		if t.policy.Unattended {
			return agent.SessionFailed, agent.TaskNeedsYou
		}
		if t.retry != nil { // nobody is needed yet
			return agent.SessionWaiting, agent.TaskWaiting
		}
	}
	return agent.SessionWaiting, agent.TaskNeedsYou
}
