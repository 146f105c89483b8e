package turn

import "turnwatch/backend/agent"

// open brings the agent up, with the earlier provider session where there is one.
func (t *step) open() {
	if t.link != down {
		return
	}
	t.link = opening
	t.send(agent.Open{Resume: t.info.ID})
}

// connect brings the agent up without a prompt.
func (t *step) connect() {
	if t.link == down {
		t.open()
	}
}

// opened takes a ready agent, and sends what waited for it.
func (t *step) opened(info agent.SessionInfo) {
	if t.link != opening {
		return // we changed our mind meanwhile; its Shut is on the way
	}
	t.link, t.info = up, info
	t.noteAck(0, agent.SessionReady{Info: info})
	if t.turn.phase == starting && t.turn.chance.otherModel(info.Options) {
		t.undo()
		return
	}
	if t.turn.phase == starting {
		t.dispatch()
		return
	}
	t.rest()
}

// openFailed takes an agent that could not be brought up. The turn that waited
// for it has failed; without one only the session says so.
func (t *step) openFailed(f agent.Failure) {
	if t.link != opening {
		return
	}
	t.link = down
	if t.turn.phase == starting {
		t.settle(end{outcome: agent.Failed, failure: &f})
		return
	}
	t.noteAck(0, agent.OpenRefused{Failure: f})
}

// exited takes the end of the agent's process. Every call to it has ended with
// it. Exits that we asked for settle nothing: the turn was settled before.
func (t *step) exited(f agent.Failure) {
	if t.link == opening {
		return // of the process before; the new one reports for itself
	}
	t.link = down
	t.abandoned = nil
	switch {
	case t.turn.phase == cancelling:
		t.settle(end{outcome: agent.Cancelled})
	case t.turn.open():
		t.settle(end{outcome: agent.Failed, failure: &f})
	case t.retry != nil && t.lost():
		t.drop(agent.DropLost)
	}
}

// shut stops the agent's process. It is down from here on, whatever its end says.
func (t *step) shut() {
	if t.link == down {
		return
	}
	t.link = down
	t.abandoned = nil
	t.send(agent.Shut{})
}

// restart stops the agent and opens the session anew. A turn in hand ends by the
// user's word.
func (t *step) restart() {
	t.drop(agent.DropRestart)
	t.stop(end{outcome: agent.Cancelled})
	t.shut()
	t.open()
}

// close lets go of the session: a turn in hand is interrupted, the agent stopped. A
// prompt that waits to be sent again goes on waiting on disk.
func (t *step) close() {
	t.retry = nil
	t.stop(end{outcome: agent.Interrupted})
	t.shut()
}

// stop ends the turn in hand without waiting for anything.
func (t *step) stop(e end) {
	switch {
	case t.turn.open():
		if t.turn.phase != cancelling {
			t.send(agent.Cancel{Generation: t.turn.gen})
		} else {
			e.outcome = agent.Cancelled
		}
		t.settle(e)
	case t.turn.phase == starting:
		t.settle(e)
	case t.turn.phase == recording:
		t.turn.stopped = true
	}
}

// setOption asks the agent for another value; what it says comes back as an update.
func (t *step) setOption(e agent.SetOption) {
	if t.link != up {
		t.refuse(agent.NotOpen)
		return
	}
	t.drop(agent.DropOption)
	t.send(agent.Choose{ID: e.ID, Value: e.Value})
}
