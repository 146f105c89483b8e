package turn_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/turn"
)

func steps(r *rig) []agent.CancelStep {
	var out []agent.CancelStep
	for _, f := range of[agent.CancelStepped](r) {
		out = append(out, f.Step)
	}
	return out
}

func TestACancelIsSentOnceAndBounded(t *testing.T) {
	r := running(t).do(agent.CancelTurn{}, agent.CancelTurn{}, agent.CancelTurn{})
	assert.Equal(t, 1, count[agent.Cancel](r))
	assert.Equal(t, []agent.Arm{{Timer: agent.CancelBound, Generation: 1, After: 3 * time.Second}}, r.armed)
	assert.Equal(t, []agent.CancelStep{agent.CancelSent}, steps(r))
	assert.True(t, r.state.View().Cancelling)
}

func TestTheBoundOfAnEarlierCancelIsStale(t *testing.T) {
	r := running(t).do(agent.CancelTurn{}, answer(1, agent.StopCancelled), submit("p2"), agent.CancelTurn{})
	r.do(bound(agent.CancelBound, 1))
	assert.Len(t, settled(r), 1, "the cancel of turn 2 has three seconds of its own")
	r.do(bound(agent.CancelBound, 2))
	assert.Len(t, settled(r), 2)
}

func TestAnUnansweredCancelEscalatesAndLaterSaysSo(t *testing.T) {
	r := running(t).do(agent.CancelTurn{}, bound(agent.CancelBound, 1))
	require.Len(t, settled(r), 1)
	assert.Equal(t, agent.Arm{Timer: agent.StopBound, Generation: 1, After: turn.StopWait}, r.armed[1])
	r.do(bound(agent.StopBound, 1), bound(agent.StopBound, 1))
	assert.Equal(t, []agent.CancelStep{agent.CancelSent, agent.CancelEscalated, agent.CancelNotStopped}, steps(r), "said once")
	assert.Equal(t, "not_stopped", of[agent.Noticed](r)[0].Notice.Kind)
	r.do(answer(1, agent.StopCancelled))
	assert.Equal(t, agent.CancelReturned, steps(r)[3])
	assert.Len(t, settled(r), 1)
}

func TestAnAgentThatAnswersLateIsNotSaidToHaveNotStopped(t *testing.T) {
	r := running(t).do(agent.CancelTurn{}, bound(agent.CancelBound, 1), answer(1, agent.StopCancelled), bound(agent.StopBound, 1))
	assert.Equal(t, []agent.CancelStep{agent.CancelSent, agent.CancelEscalated, agent.CancelReturned}, steps(r))
}

func TestACancelWithNoTurnOpenSendsNothing(t *testing.T) {
	assert.Empty(t, newRig(t).do(agent.CancelTurn{}).sent)
	r := running(t).do(answer(1, agent.EndTurn))
	n := len(r.sent)
	assert.Len(t, r.do(agent.CancelTurn{}).sent, n)
}

func TestACancelBeforeAnythingWasSentSendsNothing(t *testing.T) {
	t.Run("the start is being written", func(t *testing.T) {
		r := newRig(t)
		r.hold = true
		r.do(submit("p1"), agent.CancelTurn{})
		assert.Empty(t, settled(r))
		r.do(agent.Persisted{Seq: 1})
		assert.Equal(t, agent.Cancelled, settled(r)[0].Outcome)
		assert.Empty(t, r.sent)
	})
	t.Run("the agent is being brought up", func(t *testing.T) {
		r := newRig(t).do(submit("p1"), agent.CancelTurn{})
		assert.Equal(t, agent.Cancelled, settled(r)[0].Outcome)
		r.do(agent.Opened{})
		assert.Zero(t, count[agent.Dispatch](r))
		assert.Zero(t, count[agent.Cancel](r))
	})
}

func TestACancelClosesOpenToolsForGood(t *testing.T) {
	r := running(t).do(tool(1, "done", agent.ToolCompleted), tool(1, "open", agent.ToolInProgress),
		agent.CancelTurn{}, tool(1, "open", agent.ToolCompleted), tool(1, "new", agent.ToolPending), answer(1, agent.EndTurn))
	last := map[string]agent.ToolStatus{}
	for _, f := range of[agent.PartSet](r) {
		if f.Part.Kind == agent.PartTool {
			last[f.Part.Key] = f.Part.Tool.Status
		}
	}
	assert.Equal(t, map[string]agent.ToolStatus{
		"done": agent.ToolCompleted, "open": agent.ToolCancelled, "new": agent.ToolCancelled,
	}, last)
}

func TestACancelAnswersOpenRequests(t *testing.T) {
	r := running(t).do(ask(1, "a1"), agent.CancelTurn{}, ask(1, "a2"))
	by := agent.Decision{By: agent.ByCancel}
	assert.Contains(t, r.sent, agent.Message(agent.Decided{Ask: "a1", Decision: by}))
	assert.Contains(t, r.sent, agent.Message(agent.Decided{Ask: "a2", Decision: by}))
	assert.Equal(t, []agent.AskClosed{{ID: "a1", Decision: by}}, of[agent.AskClosed](r))
	assert.Empty(t, r.state.View().Asks)
}

func TestAfterAnEscalationTheNextPromptGoesOutAndTheOldOneCannotTouchIt(t *testing.T) {
	r := running(t).do(agent.CancelTurn{}, bound(agent.CancelBound, 1), submit("p2"))
	require.Equal(t, agent.Generation(2), r.last().(agent.Dispatch).Generation)
	epoch := r.state.View().Epoch
	r.do(chunk(2, "m9", "whose?"))
	assert.Equal(t, epoch, r.state.View().Epoch, "ambiguous text is no activity")
	r.do(answer(1, agent.StopCancelled))
	assert.Len(t, settled(r), 1, "the late end of the old prompt settles nothing")
	r.do(chunk(2, "m10", "mine"))
	assert.Equal(t, epoch+1, r.state.View().Epoch)
	r.do(answer(2, agent.EndTurn))
	require.Len(t, settled(r), 2)
	assert.Equal(t, agent.Completed, settled(r)[1].Outcome)
}

func TestRestartEndsTheTurnAndOpensAnew(t *testing.T) {
	r := running(t).do(agent.Restart{})
	assert.Equal(t, agent.Cancelled, settled(r)[0].Outcome)
	n := len(r.sent)
	require.GreaterOrEqual(t, n, 3)
	assert.Equal(t, []agent.Message{agent.Cancel{Generation: 1}, agent.Shut{}, agent.Open{Resume: "ses_1"}}, r.sent[n-3:])
	r.do(exit(), agent.Opened{Info: agent.SessionInfo{ID: "ses_1", Resumed: true}}, submit("p2"))
	assert.Equal(t, agent.Generation(2), r.last().(agent.Dispatch).Generation)
}

func TestAnIdleAgentIsStoppedOnlyIfItCanResume(t *testing.T) {
	for _, resumes := range []bool{true, false} {
		r := newRig(t)
		r.policy.Idle = turn.IdleWait
		r.do(submit("p1"), agent.Opened{Info: agent.SessionInfo{ID: "s", Resumes: resumes}}, chunk(1, "m", "x"), answer(1, agent.EndTurn))
		for _, a := range r.armed {
			r.do(bound(a.Timer, a.Generation))
		}
		assert.Equal(t, resumes, count[agent.Shut](r) == 1)
		r.do(submit("p2"))
		assert.Equal(t, resumes, count[agent.Open](r) == 2)
	}
}
