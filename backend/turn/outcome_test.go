package turn_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
)

func TestATurnEndsInTheOutcomeThatItsEvidenceProves(t *testing.T) {
	rows := []struct {
		name    string
		events  []agent.Event
		outcome agent.Outcome
		code    agent.Code
		byAgent bool
		session agent.SessionState
		task    agent.TaskState
		held    bool
	}{
		{"text and end_turn", []agent.Event{chunk(1, "m", "hi"), answer(1, agent.EndTurn)},
			agent.Completed, "", false, agent.SessionRunning, agent.TaskRunning, false},
		{"a tool call alone is output", []agent.Event{tool(1, "t", agent.ToolCompleted), answer(1, agent.EndTurn)},
			agent.Completed, "", false, agent.SessionRunning, agent.TaskRunning, false},
		{"a plan alone is output", []agent.Event{plan(1), answer(1, agent.EndTurn)},
			agent.Completed, "", false, agent.SessionRunning, agent.TaskRunning, false},
		{"max_tokens with output completes", []agent.Event{chunk(1, "m", "hi"), answer(1, agent.MaxTokens)},
			agent.Completed, "", false, agent.SessionRunning, agent.TaskRunning, false},
		{"refusal with output completes", []agent.Event{chunk(1, "m", "no"), answer(1, agent.Refusal)},
			agent.Completed, "", false, agent.SessionRunning, agent.TaskRunning, false},
		{"an unknown stop reason with output completes", []agent.Event{chunk(1, "m", "hi"), answer(1, "weird")},
			agent.Completed, "", false, agent.SessionRunning, agent.TaskRunning, false},
		{"end_turn with nothing", []agent.Event{answer(1, agent.EndTurn)},
			agent.EndedEmpty, "", false, agent.SessionWaiting, agent.TaskNeedsYou, true},
		{"end_turn with empty text", []agent.Event{chunk(1, "m", ""), answer(1, agent.EndTurn)},
			agent.EndedEmpty, "", false, agent.SessionWaiting, agent.TaskNeedsYou, true},
		{"thoughts are no output", []agent.Event{thought(1, "hm"), answer(1, agent.EndTurn)},
			agent.EndedEmpty, "", false, agent.SessionWaiting, agent.TaskNeedsYou, true},
		{"usage is no output", []agent.Event{usage(1), answer(1, agent.EndTurn)},
			agent.EndedEmpty, "", false, agent.SessionWaiting, agent.TaskNeedsYou, true},
		{"the agent's own error form is no output", []agent.Event{agent.Updated{
			Stamp: agent.Stamp{Generation: 1}, Update: agent.Update{Kind: agent.MessageChunk, NotOutput: true, Block: agent.TextBlock("Error: 429")},
		}, answer(1, agent.EndTurn)},
			agent.EndedEmpty, "", false, agent.SessionWaiting, agent.TaskNeedsYou, true},
		{"cancelled that nobody asked for", []agent.Event{chunk(1, "m", "hi"), answer(1, agent.StopCancelled)},
			agent.Cancelled, "", true, agent.SessionWaiting, agent.TaskNeedsYou, true},
		{"an error answer", []agent.Event{chunk(1, "m", "hi"), refusal(1, "auth_required")},
			agent.Failed, "auth_required", false, agent.SessionWaiting, agent.TaskNeedsYou, true},
		{"the agent exits", []agent.Event{chunk(1, "m", "hi"), exit()},
			agent.Failed, "agent_crashed", false, agent.SessionWaiting, agent.TaskNeedsYou, true},
		{"evidence while the call is held", []agent.Event{seen(1)},
			agent.Failed, "quota_limited", false, agent.SessionWaiting, agent.TaskNeedsYou, true},
		{"our cancel, acknowledged", []agent.Event{agent.CancelTurn{}, answer(1, agent.StopCancelled)},
			agent.Cancelled, "", false, agent.SessionWaiting, agent.TaskWaiting, true},
		{"our cancel, answered end_turn", []agent.Event{agent.CancelTurn{}, answer(1, agent.EndTurn)},
			agent.Cancelled, "", false, agent.SessionWaiting, agent.TaskWaiting, true},
		{"our cancel, answered by an error", []agent.Event{agent.CancelTurn{}, refusal(1, "unknown_provider_error")},
			agent.Cancelled, "", false, agent.SessionWaiting, agent.TaskWaiting, true},
		{"our cancel, and the agent exits", []agent.Event{agent.CancelTurn{}, exit()},
			agent.Cancelled, "", false, agent.SessionWaiting, agent.TaskWaiting, true},
		{"our cancel, and evidence", []agent.Event{agent.CancelTurn{}, seen(1)},
			agent.Cancelled, "", false, agent.SessionWaiting, agent.TaskWaiting, true},
		{"our cancel, not answered", []agent.Event{agent.CancelTurn{}, bound(agent.CancelBound, 1)},
			agent.Cancelled, "", false, agent.SessionWaiting, agent.TaskWaiting, true},
		{"closed with a turn open", []agent.Event{chunk(1, "m", "hi"), agent.Closed{}},
			agent.Interrupted, "", false, agent.SessionWaiting, agent.TaskNeedsYou, true},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			r := running(t).do(submit("p2")) // waits behind the turn
			r.do(row.events...)
			ends := settled(r)
			require.Len(t, ends, 1)
			assert.Equal(t, row.outcome, ends[0].Outcome)
			assert.Equal(t, row.byAgent, ends[0].ByAgent)
			if row.code != "" {
				require.NotNil(t, ends[0].Failure)
				assert.Equal(t, row.code, ends[0].Failure.Code)
			} else {
				assert.Nil(t, ends[0].Failure)
			}
			v := r.state.View()
			assert.Equal(t, row.session, v.Session)
			assert.Equal(t, row.task, v.Task)
			assert.Equal(t, row.held, v.Held, "the queue after it")
		})
	}
}

func TestAfterASuccessTheTaskIsDone(t *testing.T) {
	r := running(t).do(chunk(1, "m", "hi"), answer(1, agent.EndTurn))
	v := r.state.View()
	assert.Equal(t, agent.TaskDone, v.Task)
	assert.Equal(t, agent.SessionWaiting, v.Session)
	assert.Zero(t, v.Generation, "no turn is open")
}

func TestUnattendedAFailedTurnFailsTheSession(t *testing.T) {
	r := running(t)
	r.policy.Unattended = true
	r.do(refusal(1, "auth_required"))
	assert.Equal(t, agent.SessionFailed, r.state.View().Session)
}

func TestEndedEmptyLeavesANeutralNotice(t *testing.T) {
	r := running(t).do(answer(1, agent.EndTurn))
	assert.Equal(t, []agent.Noticed{{Notice: agent.Notice{Kind: "ended_empty"}}}, of[agent.Noticed](r))
}

func TestASettledTurnIsSettledOnce(t *testing.T) {
	late := []agent.Event{
		answer(1, agent.EndTurn), refusal(1, "auth_required"), exit(), seen(1),
		agent.CancelTurn{}, bound(agent.CancelBound, 1), agent.Closed{},
	}
	for i, first := range late[:4] {
		r := running(t).do(first).do(late...)
		assert.Len(t, settled(r), 1, "row %d", i)
	}
}

func TestEventsOfAnotherGenerationSettleNothing(t *testing.T) {
	for _, ev := range []agent.Event{
		answer(7, agent.EndTurn), refusal(7, "auth_required"), seen(7), seen(0),
		bound(agent.CancelBound, 7), bound(agent.StopBound, 7),
	} {
		r := running(t).do(ev)
		assert.Empty(t, settled(r), "%#v", ev)
		assert.Equal(t, agent.Generation(1), r.state.View().Generation)
	}
}

func TestFailureSeenCancelsTheHeldCall(t *testing.T) {
	r := running(t).do(seen(1))
	assert.Equal(t, 1, count[agent.Cancel](r))
	r.do(answer(1, agent.StopCancelled))
	assert.Len(t, settled(r), 1)
	assert.Equal(t, []agent.CancelStepped{{Step: agent.CancelReturned}}, of[agent.CancelStepped](r))
}
