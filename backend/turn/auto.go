package turn

import "turnwatch/backend/agent"

// autoPrompt begins a turn with a prompt of the auto-resume policy, where nothing
// has happened since it was decided, nobody waits, and the agent is surely free.
func (t *step) autoPrompt(e agent.AutoPrompt) {
	switch {
	case t.turn.phase != idle, e.Turn != t.gen, e.Epoch != t.epoch,
		len(t.queue.prompts) > 0, t.retry != nil, len(t.abandoned) > 0:
		t.refuse(agent.Stale)
	case empty(e.Prompt.Blocks):
		t.refuse(agent.EmptyPrompt)
	default:
		auto := e.Auto
		t.begin(current{prompt: e.Prompt, auto: &auto})
	}
}

// autoCancel ends the turn in hand for the auto-resume policy. It never ends one
// that waits for the user.
func (t *step) autoCancel(e agent.AutoCancel) {
	sent := t.turn.phase == dispatched || t.turn.phase == active
	if !sent || e.Turn != t.turn.gen || e.Epoch != t.epoch || len(t.turn.asks) > 0 {
		t.refuse(agent.Stale)
		return
	}
	t.turn.byPolicy = true
	t.cancel()
}

// autoTell writes down what the auto-resume policy did or means to do.
func (t *step) autoTell(s agent.AutoStep) { t.noteAck(t.gen, agent.AutoStepped{Step: s}) }
