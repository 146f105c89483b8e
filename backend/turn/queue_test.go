package turn_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/turn"
)

func TestNothingIsSentBeforeTheStartIsOnDisk(t *testing.T) {
	r := newRig(t)
	r.hold = true
	r.do(submit("p1"))
	assert.Empty(t, r.sent)
	r.do(agent.Persisted{Seq: 1})
	assert.Equal(t, []agent.Message{agent.Open{}}, r.sent)
	r.do(agent.Opened{})
	assert.Equal(t, agent.Generation(1), r.last().(agent.Dispatch).Generation)
}

func TestAPromptThatCannotBeWrittenIsNotAccepted(t *testing.T) {
	t.Run("a new one is gone", func(t *testing.T) {
		r := newRig(t)
		r.refuse = true
		r.do(submit("p1"))
		assert.Empty(t, r.sent)
		assert.Zero(t, r.state.View().Queued)
		assert.Equal(t, agent.SessionWaiting, r.state.View().Session)
	})
	t.Run("one behind a turn is gone", func(t *testing.T) {
		r := running(t)
		r.refuse = true
		r.do(submit("p2"))
		assert.Zero(t, r.state.View().Queued)
	})
	t.Run("one from the queue keeps its place, and the queue waits", func(t *testing.T) {
		r := running(t).do(submit("p2"), submit("p3"))
		r.refuse = true
		r.do(chunk(1, "m", "x"), answer(1, agent.EndTurn))
		assert.Equal(t, 2, r.state.View().Queued)
		assert.True(t, r.state.View().Held)
		r.refuse = false
		r.do(agent.ReleaseQueue{})
		assert.Equal(t, agent.PromptID("p2"), r.last().(agent.Dispatch).Prompt.ID)
	})
	t.Run("its generation is not used again", func(t *testing.T) {
		r := newRig(t)
		r.refuse = true
		r.do(submit("p1"))
		r.refuse = false
		r.do(submit("p2"), agent.Opened{})
		assert.Equal(t, agent.Generation(2), r.last().(agent.Dispatch).Generation)
	})
}

func TestASecondPromptWaitsAndIsNeverJoined(t *testing.T) {
	r := running(t).do(submit("p2"), submit("p3"))
	assert.Equal(t, 1, count[agent.Dispatch](r))
	r.do(agent.EditQueued{ID: "p3", Blocks: []agent.Block{agent.TextBlock("other")}}, agent.RemoveQueued{ID: "p2"})
	r.do(chunk(1, "m", "x"), answer(1, agent.EndTurn))
	d := r.last().(agent.Dispatch)
	assert.Equal(t, agent.PromptID("p3"), d.Prompt.ID)
	assert.Equal(t, "other", d.Prompt.Blocks[0].Text)
	assert.Equal(t, agent.Generation(2), d.Generation)
}

func TestAHeldQueueWaitsForTheUser(t *testing.T) {
	r := running(t).do(submit("p2"), refusal(1, "auth_required"))
	assert.Equal(t, 1, count[agent.Dispatch](r))
	t.Run("a prompt typed now goes first, the queue after its success", func(t *testing.T) {
		r.do(submit("now"))
		assert.Equal(t, agent.PromptID("now"), r.last().(agent.Dispatch).Prompt.ID)
		r.do(chunk(2, "m", "x"), answer(2, agent.EndTurn))
		assert.Equal(t, agent.PromptID("p2"), r.last().(agent.Dispatch).Prompt.ID)
	})
}

func TestRemovingTheLastHeldPromptFreesTheQueue(t *testing.T) {
	r := running(t).do(submit("p2"), refusal(1, "auth_required"), agent.RemoveQueued{ID: "p2"})
	assert.False(t, r.state.View().Held)
	assert.Equal(t, agent.TaskNeedsYou, r.state.View().Task)
}

func TestWhatCannotBeDoneIsRefusedWithItsReason(t *testing.T) {
	rows := []struct {
		name string
		ev   agent.Event
		want agent.Reason
	}{
		{"an empty prompt", agent.Submit{Prompt: agent.Prompt{ID: "e", Blocks: []agent.Block{agent.TextBlock(" \n")}}}, agent.EmptyPrompt},
		{"an edit of a prompt that is gone", agent.EditQueued{ID: "x", Blocks: []agent.Block{agent.TextBlock("y")}}, agent.NoSuchPrompt},
		{"an edit to nothing", agent.EditQueued{ID: "p2"}, agent.EmptyPrompt},
		{"a removal of a prompt that is gone", agent.RemoveQueued{ID: "x"}, agent.NoSuchPrompt},
		{"an answer to no request", agent.Decide{Ask: "x"}, agent.NoSuchAsk},
		{"an answer that was not offered", agent.Decide{Ask: "a1", Decision: agent.Decision{Option: "always"}}, agent.NoSuchChoice},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			r := running(t).do(submit("p2"), ask(1, "a1"))
			n := len(r.facts)
			r.do(row.ev)
			assert.Equal(t, []agent.Reason{row.want}, r.denied)
			assert.Len(t, r.facts, n, "nothing has changed")
		})
	}
	r := newRig(t).do(agent.SetOption{ID: "model", Value: "x"})
	assert.Equal(t, []agent.Reason{agent.NotOpen}, r.denied)
}

func TestADecisionIsOnDiskBeforeItIsSent(t *testing.T) {
	r := running(t).do(ask(1, "a1"))
	require.Len(t, r.state.View().Asks, 1)
	r.hold = true
	r.do(agent.Decide{Ask: "a1", Decision: agent.Decision{Option: "once", By: agent.ByUser}})
	assert.Zero(t, count[agent.Decided](r))
	r.do(agent.Persisted{Seq: 99})
	assert.Equal(t, agent.Decided{Ask: "a1", Decision: agent.Decision{Option: "once", By: agent.ByUser}}, r.last())
}

func TestARequestOfNoOpenTurnIsAnsweredCancelled(t *testing.T) {
	r := running(t).do(answer(1, agent.EndTurn), ask(1, "late"))
	assert.Equal(t, agent.Decided{Ask: "late", Decision: agent.Decision{By: agent.ByEnd}}, r.last())
	assert.Empty(t, of[agent.AskOpened](r))
}

func TestAnAgentThatCannotBeBroughtUpFailsTheTurnThatNeededIt(t *testing.T) {
	r := newRig(t).do(submit("p1"), agent.OpenFailed{Failure: agent.Failure{Code: "agent_start_failed"}})
	require.Len(t, settled(r), 1)
	assert.Equal(t, agent.Code("agent_start_failed"), settled(r)[0].Failure.Code)
	t.Run("without a turn the session says so", func(t *testing.T) {
		r := newRig(t).do(agent.Connect{}, agent.OpenFailed{Failure: agent.Failure{Code: "agent_start_failed"}})
		assert.Len(t, of[agent.OpenRefused](r), 1)
		assert.Empty(t, settled(r))
	})
}

func TestARestoredQueueWaitsForTheUsersWord(t *testing.T) {
	r := newRig(t)
	r.state = turn.Restore(turn.Past{
		Generation: 4, Parts: 9, Info: agent.SessionInfo{ID: "ses_old"}, Session: agent.SessionRunning,
		Queue: []agent.Prompt{prompt("p5", r.now.Wall)},
	})
	assert.True(t, r.state.View().Held)
	assert.Equal(t, agent.SessionWaiting, r.state.View().Session)
	r.do(agent.ReleaseQueue{})
	assert.Equal(t, agent.Open{Resume: "ses_old"}, r.last())
	r.do(agent.Opened{})
	assert.Equal(t, agent.Generation(5), r.last().(agent.Dispatch).Generation)
	assert.Equal(t, uint64(10), of[agent.PartSet](r)[0].Part.Seq)
}
