package turn

import (
	"time"

	"turnwatch/backend/agent"
)

// step is one call of Step: the state that it changes and the effects that it
// gathers. Facts of one generation that are stored alike share one Record.
type step struct {
	*State
	now     agent.Moment
	policy  Policy
	effects []agent.Effect
}

// Step takes one event. It returns the state to go on with and the effects in the
// order in which they are to be carried out. An event of another generation, and
// one that arrives when nothing is open, settles nothing.
func Step(s *State, ev agent.Event, now agent.Moment, p Policy) (*State, []agent.Effect) {
	t := &step{State: s, now: now, policy: p}
	t.take(ev)
	return s, t.effects
}

func (t *step) take(ev agent.Event) {
	switch e := ev.(type) {
	case agent.Submit:
		t.submit(e.Prompt)
	case agent.EditQueued:
		t.editQueued(e)
	case agent.RemoveQueued:
		t.removeQueued(e.ID)
	case agent.ReleaseQueue:
		t.releaseQueue()
	case agent.CancelTurn:
		t.cancel()
	case agent.RetryNow:
		t.sendAgain()
	case agent.Decide:
		t.decide(e.Ask, e.Decision)
	case agent.SetOption:
		t.setOption(e)
	case agent.Connect:
		t.connect()
	case agent.Restart:
		t.restart()
	case agent.AutoPrompt:
		t.autoPrompt(e)
	case agent.AutoCancel:
		t.autoCancel(e)
	case agent.AutoTell:
		t.autoTell(e.Step)
	case agent.Closed:
		t.close()
	default:
		t.report(ev)
	}
}

// report takes what a connection or our own side has to say.
func (t *step) report(ev agent.Event) {
	switch e := ev.(type) {
	case agent.Opened:
		t.opened(e.Info)
	case agent.OpenFailed:
		t.openFailed(e.Failure)
	case agent.Updated:
		t.updated(e.Stamp, e.Update)
	case agent.Asked:
		t.asked(e.Stamp, e.Ask)
	case agent.AskGone:
		t.askGone(e.ID)
	case agent.Retrying:
		t.retrying(e)
	case agent.FailureSeen:
		t.failureSeen(e)
	case agent.Answered:
		t.answered(e)
	case agent.Exited:
		t.exited(e.Failure)
	case agent.Persisted:
		t.persisted(e)
	case agent.TimerFired:
		t.fired(e)
	case agent.Checked:
		t.checked(e)
	case agent.Stepped:
		t.stepped(e)
	case agent.CancelRefused:
		t.cancelRefused(e.Generation)
	case agent.Rearm:
		t.rearmRetry()
	}
}

func (t *step) send(m agent.Message) { t.effects = append(t.effects, agent.Send{Message: m}) }

func (t *step) refuse(r agent.Reason) { t.effects = append(t.effects, agent.Refuse{Reason: r}) }

func (t *step) arm(timer agent.Timer, g agent.Generation, after time.Duration) {
	t.effects = append(t.effects, agent.Arm{Timer: timer, Generation: g, After: after})
}

// note records facts of a generation that are kept until they are stored.
func (t *step) note(g agent.Generation, facts ...agent.Fact) {
	t.record(agent.Record{Generation: g, Facts: facts, Must: true})
}

// noteAck is note, and the caller of the event is answered when it is on disk.
func (t *step) noteAck(g agent.Generation, facts ...agent.Fact) uint64 {
	return t.record(agent.Record{Generation: g, Facts: facts, Must: true, Ack: true})
}

// try records facts that are refused when they can't be stored now.
func (t *step) try(g agent.Generation, facts ...agent.Fact) uint64 {
	return t.record(agent.Record{Generation: g, Facts: facts, Ack: true})
}

func (t *step) record(r agent.Record) uint64 {
	if len(r.Facts) == 0 {
		return t.seq
	}
	if n := len(t.effects); n > 0 && r.Must {
		last, ok := t.effects[n-1].(agent.Record)
		if ok && last.Must && last.Generation == r.Generation {
			last.Facts = append(last.Facts, r.Facts...)
			last.Ack = last.Ack || r.Ack
			t.effects[n-1] = last
			return last.Seq
		}
	}
	t.seq++
	r.Seq = t.seq
	t.effects = append(t.effects, r)
	return r.Seq
}

// stand records where the session and its task stand, if that has changed.
func (t *step) stand(s agent.SessionState, k agent.TaskState) {
	t.session, t.task = s, k
	t.noteAck(t.turn.gen, agent.StateSet{Session: s, Task: k, Held: t.queue.held})
}
