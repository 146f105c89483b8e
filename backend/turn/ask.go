package turn

import (
	"slices"

	"turnwatch/backend/agent"
)

// asked takes a request of the agent. One that belongs to no open turn, or comes
// while the turn is being cancelled, is answered cancelled: nobody waits for it.
func (t *step) asked(st agent.Stamp, a agent.Ask) {
	if !t.turn.open() || t.turn.phase == cancelling || st.Generation != t.turn.gen {
		by := agent.ByEnd
		if t.turn.phase == cancelling {
			by = agent.ByCancel
		}
		t.lateEffect()
		t.send(agent.Decided{Ask: a.ID, Decision: agent.Decision{By: by}})
		return
	}
	t.asking()
	t.turn.chance.acted = true
	t.turn.asks = append(t.turn.asks, a)
	t.genuine()
	t.noteAck(t.turn.gen, agent.AskOpened{Ask: a})
}

// decide takes the answer to an open request. It is sent once it is on disk.
func (t *step) decide(id agent.AskID, d agent.Decision) {
	i := t.findAsk(id)
	if i < 0 {
		t.refuse(agent.NoSuchAsk)
		return
	}
	offered := func(o agent.AskOption) bool { return o.ID == d.Option }
	if d.Option != "" && !slices.ContainsFunc(t.turn.asks[i].Options, offered) {
		t.refuse(agent.NoSuchChoice)
		return
	}
	t.turn.asks = slices.Delete(t.turn.asks, i, i+1)
	t.rearm() // the clock stood while this was open
	t.askOver()
	seq := t.noteAck(t.turn.gen, agent.AskClosed{ID: id, Decision: d})
	t.waiting = append(t.waiting, wait{seq: seq, ask: id, decision: d})
}

// askGone takes back a request that the agent no longer waits for.
func (t *step) askGone(id agent.AskID) {
	if i := t.findAsk(id); i >= 0 {
		t.turn.asks = slices.Delete(t.turn.asks, i, i+1)
		t.rearm()
		t.askOver()
		t.noteAck(t.turn.gen, agent.AskClosed{ID: id, Decision: agent.Decision{By: agent.ByEnd}})
	}
}

// closeAsks answers every open request with cancelled.
func (t *step) closeAsks(by agent.DecisionBy) {
	d := agent.Decision{By: by}
	for _, a := range t.turn.asks {
		if t.link == up {
			t.send(agent.Decided{Ask: a.ID, Decision: d})
		}
		t.note(t.turn.gen, agent.AskClosed{ID: a.ID, Decision: d})
	}
	t.turn.asks = nil
}

func (t *step) findAsk(id agent.AskID) int {
	return slices.IndexFunc(t.turn.asks, func(a agent.Ask) bool { return a.ID == id })
}
