package turn_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
)

func goOn(turn agent.Generation, epoch uint64) agent.AutoPrompt {
	return agent.AutoPrompt{
		Prompt: agent.Prompt{ID: "auto", Blocks: []agent.Block{agent.TextBlock("go on")}},
		Turn:   turn, Epoch: epoch, Auto: agent.Auto{Kind: "continue", Count: 1},
	}
}

// A prompt of the policy begins a turn where nothing has happened since it was
// decided, and nowhere else.
func TestAPromptOfThePolicyBeginsATurn(t *testing.T) {
	over := func(t *testing.T) *rig { return running(t).do(chunk(1, "m1", "hello"), answer(1, agent.EndTurn)) }
	for _, row := range []struct {
		name  string
		rig   func(t *testing.T) *rig
		turn  agent.Generation
		moved uint64 // epochs that the decision is behind
		begun bool
	}{
		{name: "the turn is over", rig: over, turn: 1, begun: true},
		{name: "another turn was meant", rig: over, turn: 2},
		{name: "the agent has said more since", rig: over, turn: 1, moved: 1},
		{name: "the turn runs", rig: func(t *testing.T) *rig { return running(t).do(chunk(1, "m1", "hello")) }, turn: 1},
		{name: "the user has begun the next", rig: func(t *testing.T) *rig { return over(t).do(submit("p2")) }, turn: 1},
		{name: "something of the user waits", rig: func(t *testing.T) *rig {
			return running(t).do(chunk(1, "m1", "x"), submit("p2"), refusal(1, "unknown"))
		}, turn: 1},
		{name: "the failed prompt is sent again anyway", rig: func(t *testing.T) *rig { return waiting(t) }, turn: 1},
		{name: "the agent has not stopped yet", rig: func(t *testing.T) *rig {
			return running(t).do(chunk(1, "m1", "x"), agent.CancelTurn{}, bound(agent.CancelBound, 1))
		}, turn: 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := row.rig(t)
			before := count[agent.Dispatch](r)
			r.do(goOn(row.turn, r.state.Epoch()-row.moved))
			if !row.begun {
				assert.Equal(t, []agent.Reason{agent.Stale}, r.denied)
				assert.Equal(t, before, count[agent.Dispatch](r))
				return
			}
			assert.Empty(t, r.denied)
			assert.Equal(t, before+1, count[agent.Dispatch](r))
			started := of[agent.TurnStarted](r)
			mark := &agent.Auto{Kind: "continue", Count: 1}
			assert.Equal(t, mark, started[len(started)-1].Auto)
			assert.Nil(t, started[0].Auto, "the user's own is not marked")
			var marked []*agent.Auto
			for _, f := range of[agent.PartSet](r) {
				if f.Part.Kind == agent.PartPrompt {
					marked = append(marked, f.Part.Auto)
				}
			}
			assert.Equal(t, []*agent.Auto{nil, mark}, marked)
		})
	}
}

// A cancel of the policy is bounded like any other, says whose it is, never ends a
// turn that waits for the user, and holds nothing back that the user has queued.
func TestACancelOfThePolicyEndsATurn(t *testing.T) {
	t.Run("the agent answers", func(t *testing.T) {
		r := running(t).do(chunk(1, "m1", "x"))
		r.do(agent.AutoCancel{Turn: 1, Epoch: r.state.Epoch()})
		assert.Equal(t, agent.CancelStepped{Step: agent.CancelSent, Auto: true}, of[agent.CancelStepped](r)[0])
		r.do(agent.Answered{Generation: 1, Stop: agent.StopCancelled})
		assert.Equal(t, agent.Cancelled, settled(r)[0].Outcome)
		assert.False(t, settled(r)[0].ByAgent)
	})
	t.Run("it does not", func(t *testing.T) {
		r := running(t).do(chunk(1, "m1", "x"))
		r.do(agent.AutoCancel{Turn: 1, Epoch: r.state.Epoch()}, after(3*time.Second), bound(agent.CancelBound, 1))
		require.Len(t, settled(r), 1)
	})
	t.Run("the user's own is not marked", func(t *testing.T) {
		r := running(t).do(chunk(1, "m1", "x"), agent.CancelTurn{})
		assert.False(t, of[agent.CancelStepped](r)[0].Auto)
	})
	t.Run("what the user has queued goes on", func(t *testing.T) {
		r := running(t).do(chunk(1, "m1", "x"), submit("p2"))
		r.do(agent.AutoCancel{Turn: 1, Epoch: r.state.Epoch()}, agent.Answered{Generation: 1, Stop: agent.StopCancelled})
		assert.Equal(t, 2, count[agent.Dispatch](r))
		assert.False(t, r.state.View().Held)
	})
	for name, make := range map[string]func(r *rig) agent.AutoCancel{
		"an earlier turn":        func(r *rig) agent.AutoCancel { return agent.AutoCancel{Turn: 0, Epoch: r.state.Epoch()} },
		"the agent speaks again": func(r *rig) agent.AutoCancel { return agent.AutoCancel{Turn: 1, Epoch: r.state.Epoch() - 1} },
		"it asks the user": func(r *rig) agent.AutoCancel {
			r.do(ask(1, "a1"))
			return agent.AutoCancel{Turn: 1, Epoch: r.state.Epoch()}
		},
		"the turn is over": func(r *rig) agent.AutoCancel {
			r.do(answer(1, agent.EndTurn))
			return agent.AutoCancel{Turn: 1, Epoch: r.state.Epoch()}
		},
	} {
		t.Run("refused: "+name, func(t *testing.T) {
			r := running(t).do(chunk(1, "m1", "x"))
			r.do(make(r))
			assert.Equal(t, []agent.Reason{agent.Stale}, r.denied)
			assert.Zero(t, count[agent.Cancel](r))
		})
	}
}

func TestAStepOfThePolicyIsWrittenDown(t *testing.T) {
	r := running(t)
	step := agent.AutoStep{Row: 1, Act: "notice", Kind: "stall"}
	r.do(agent.AutoTell{Step: step})
	assert.Equal(t, []agent.AutoStepped{{Step: step}}, of[agent.AutoStepped](r))
	assert.Empty(t, settled(r))
}
