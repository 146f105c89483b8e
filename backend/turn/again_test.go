package turn_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
	"turnwatch/backend/policy"
	"turnwatch/backend/turn"
)

// interactive is the policy of a person at the screen, without dice.
func interactive(t turn.Tried) turn.Verdict {
	d := policy.Interactive(failure.Of(t.Failure), policy.Turn{Output: t.Output, Tools: t.Tools, Tries: t.Tries}, 0)
	return turn.Verdict{Wait: d.Wait, Most: policy.Tries(), Drop: d.Reason}
}

func overloaded() *agent.Failure {
	return &agent.Failure{Code: failure.ProviderOverloaded, Confidence: string(failure.High)}
}

func breaks(g agent.Generation, f *agent.Failure) agent.Event {
	return agent.Answered{Generation: g, Failure: f}
}

// lively is a rig whose first turn runs in a session that can be taken up again.
func lively(t testing.TB) *rig {
	r := newRig(t)
	r.policy.Again = interactive
	return r.do(submit("p1"), agent.Opened{Info: agent.SessionInfo{ID: "ses_1", Resumes: true, Options: model("a")}})
}

// waiting is a rig whose first prompt waits to be sent again.
func waiting(t testing.TB) *rig {
	r := lively(t).do(breaks(1, overloaded()))
	require.NotNil(t, r.state.View().Again)
	return r
}

func model(name string) []agent.Option {
	return []agent.Option{{ID: "model", Category: "model", Current: name, Choices: []agent.Choice{{Value: "a"}, {Value: "b"}}}}
}

func due(g agent.Generation) agent.Event { return bound(agent.RetryDue, g) }

func timers(r *rig, which agent.Timer) (out []agent.Arm) {
	for _, a := range r.armed {
		if a.Timer == which {
			out = append(out, a)
		}
	}
	return out
}

func dispatches(r *rig) (out []agent.Dispatch) {
	for _, m := range r.sent {
		if d, ok := m.(agent.Dispatch); ok {
			out = append(out, d)
		}
	}
	return out
}

func TestAFailedPromptIsSentAgain(t *testing.T) {
	r := waiting(t)
	at := r.now.Wall.Add(5 * time.Second)
	assert.Equal(t, []agent.RetryPlanned{{Try: 1, Most: 5, At: at}}, of[agent.RetryPlanned](r))
	assert.Equal(t, &turn.Waiting{Generation: 1, Try: 1, Most: 5, At: at}, r.state.View().Again)
	assert.Equal(t, agent.SessionWaiting, r.state.View().Session)
	assert.Equal(t, agent.TaskWaiting, r.state.View().Task, "nobody is needed yet")
	assert.Equal(t, []agent.Arm{{Timer: agent.RetryDue, Generation: 1, After: 5 * time.Second}}, timers(r, agent.RetryDue))

	r.do(after(5*time.Second), due(1))
	sent := dispatches(r)
	require.Len(t, sent, 2)
	assert.Equal(t, agent.Dispatch{Generation: 2, Prompt: sent[0].Prompt}, sent[1])
	starts := of[agent.TurnStarted](r)
	assert.Equal(t, agent.TurnStarted{Generation: 2, Prompt: sent[0].Prompt, Again: 1, Try: 1}, starts[1])
	parts := of[agent.PartSet](r)
	assert.Equal(t, 1, parts[len(parts)-1].Part.Try, "the prompt is marked")
	assert.Nil(t, r.state.View().Again)

	r.do(chunk(2, "m", "there"), answer(2, agent.EndTurn))
	assert.Equal(t, agent.TaskDone, r.state.View().Task)
	assert.Empty(t, of[agent.RetryDropped](r))
}

func TestFiveRetriesThenTheUsersWord(t *testing.T) {
	r := lively(t)
	var waits []time.Duration
	for g := agent.Generation(1); g <= 6; g++ {
		r.do(breaks(g, overloaded()))
		if v := r.state.View().Again; v != nil {
			waits = append(waits, v.At.Sub(r.now.Wall))
			r.do(after(v.At.Sub(r.now.Wall)), due(g))
		}
	}
	assert.Equal(t, []time.Duration{5e9, 10e9, 20e9, 40e9, 60e9}, waits)
	assert.Len(t, dispatches(r), 6)
	assert.Equal(t, []agent.RetryDropped{{Why: agent.DropExhausted, Try: 5}}, of[agent.RetryDropped](r))
	assert.Equal(t, agent.TaskNeedsYou, r.state.View().Task)

	r.do(submit("p1"), breaks(7, overloaded()))
	require.NotNil(t, r.state.View().Again)
	assert.Equal(t, 1, r.state.View().Again.Try, "what the user sends begins anew")
}

func TestWhatIsNotSentAgain(t *testing.T) {
	hard, unsure := overloaded(), overloaded()
	hard.Code = failure.QuotaLimited
	unsure.Confidence = string(failure.Medium)
	for _, tc := range []struct {
		name   string
		policy turn.Policy
		before []agent.Event
		end    agent.Event
		drops  []agent.RetryDropped
	}{
		{"without a policy", turn.Policy{}, nil, breaks(1, overloaded()), nil},
		{"unattended", turn.Policy{Again: interactive, Unattended: true}, nil, breaks(1, overloaded()), nil},
		{"hard", turn.Policy{Again: interactive}, nil, breaks(1, hard), nil},
		{"unsure", turn.Policy{Again: interactive}, nil, breaks(1, unsure), []agent.RetryDropped{{Why: agent.DropUnsure}}},
		{"after a word", turn.Policy{Again: interactive}, []agent.Event{chunk(1, "m", "I")}, breaks(1, overloaded()), []agent.RetryDropped{{Why: agent.DropEffects}}},
		{"after a tool", turn.Policy{Again: interactive}, []agent.Event{tool(1, "c", agent.ToolPending)}, breaks(1, overloaded()), []agent.RetryDropped{{Why: agent.DropEffects}}},
		{"after a plan", turn.Policy{Again: interactive}, []agent.Event{plan(1)}, breaks(1, overloaded()), []agent.RetryDropped{{Why: agent.DropEffects}}},
		{"after a request", turn.Policy{Again: interactive}, []agent.Event{ask(1, "a"), agent.AskGone{ID: "a"}}, breaks(1, overloaded()), []agent.RetryDropped{{Why: agent.DropEffects}}},
		{"cancelled", turn.Policy{Again: interactive}, []agent.Event{agent.CancelTurn{}}, breaks(1, overloaded()), nil},
		{"interrupted", turn.Policy{Again: interactive}, nil, agent.Closed{}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := lively(t)
			r.policy = tc.policy
			r.do(tc.before...).do(tc.end)
			assert.Nil(t, r.state.View().Again)
			assert.Empty(t, of[agent.RetryPlanned](r))
			assert.Equal(t, tc.drops, of[agent.RetryDropped](r))
			r.do(after(time.Hour), due(1), agent.RetryNow{})
			assert.Len(t, dispatches(r), 1)
		})
	}
	t.Run("thoughts are no output", func(t *testing.T) {
		r := lively(t).do(thought(1, "hm"), breaks(1, overloaded()))
		assert.NotNil(t, r.state.View().Again)
	})
}

// Whatever the user does instead, and whatever the failed turn turns out to have
// done, gives a retry up for good.
func TestWhatGivesARetryUp(t *testing.T) {
	late := agent.Updated{Stamp: agent.Stamp{Generation: 1}, Update: agent.Update{Kind: agent.OptionsChanged, Options: model("b")}}
	for _, tc := range []struct {
		name string
		ev   agent.Event
		why  agent.RetryDrop
		sent int // prompts in all
	}{
		{"cancel", agent.CancelTurn{}, agent.DropCancelled, 1},
		{"a new prompt", submit("p2"), agent.DropPrompt, 2},
		{"an option", agent.SetOption{ID: "model", Value: "b"}, agent.DropOption, 1},
		{"another model, chosen by the agent", late, agent.DropOption, 1},
		{"restart", agent.Restart{}, agent.DropRestart, 1},
		{"a late word", chunk(1, "m", "oh"), agent.DropEffects, 1},
		{"a late tool", tool(1, "c", agent.ToolInProgress), agent.DropEffects, 1},
		{"a late request", ask(1, "a"), agent.DropEffects, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := waiting(t).do(tc.ev)
			assert.Nil(t, r.state.View().Again)
			assert.Equal(t, []agent.RetryDropped{{Why: tc.why}}, of[agent.RetryDropped](r))
			if tc.sent == 1 {
				assert.Equal(t, agent.TaskNeedsYou, r.state.View().Task)
			}
			r.do(after(time.Hour), due(1), agent.RetryNow{}, agent.CancelTurn{})
			assert.Len(t, dispatches(r), tc.sent)
			assert.Len(t, of[agent.RetryDropped](r), 1)
		})
	}
}

func TestWhatLeavesARetryAlone(t *testing.T) {
	same := agent.Updated{Update: agent.Update{Kind: agent.OptionsChanged, Options: model("a")}}
	for name, ev := range map[string]agent.Event{
		"usage": usage(1), "a thought": thought(1, "hm"), "the same model": same, "connect": agent.Connect{},
		"the timer of another turn": due(9), "nothing to release": agent.ReleaseQueue{},
		"a prompt that is not in the queue": agent.RemoveQueued{ID: "none"}, "the end of the process": exit(),
	} {
		t.Run(name, func(t *testing.T) {
			r := waiting(t).do(ev)
			assert.NotNil(t, r.state.View().Again)
			assert.Empty(t, of[agent.RetryDropped](r))
		})
	}
}

func TestRetryNowSendsAtOnceAndOnce(t *testing.T) {
	r := waiting(t).do(agent.RetryNow{}, agent.RetryNow{}, due(1))
	assert.Len(t, dispatches(r), 2)
	r.do(breaks(2, overloaded()))
	assert.Equal(t, 2, r.state.View().Again.Try, "it counts like any other")
	r.do(due(1))
	assert.Len(t, dispatches(r), 2, "the timer of the first one is stale")
}

func TestTheCountdownBeginsWhenThePlanIsOnDisk(t *testing.T) {
	r := lively(t)
	r.hold = true
	r.do(breaks(1, overloaded()))
	assert.Empty(t, timers(r, agent.RetryDue))
	r.do(after(2 * time.Second)).do(r.owed...)
	assert.Equal(t, []agent.Arm{{Timer: agent.RetryDue, Generation: 1, After: 3 * time.Second}}, timers(r, agent.RetryDue))
}

func TestARetryWhoseStartCannotBeStoredIsGivenUp(t *testing.T) {
	r := waiting(t)
	r.refuse = true
	r.do(after(5*time.Second), due(1))
	assert.Len(t, dispatches(r), 1)
	assert.Equal(t, []agent.RetryDropped{{Why: agent.DropUnstored}}, of[agent.RetryDropped](r))
	assert.Equal(t, agent.TaskNeedsYou, r.state.View().Task)
	assert.Nil(t, r.state.View().Again)
}

func TestTheQueueWaitsBehindARetry(t *testing.T) {
	r := lively(t).do(submit("p2"), breaks(1, overloaded()))
	assert.True(t, r.state.View().Held)
	r.do(after(5*time.Second), due(1), chunk(2, "m", "x"), answer(2, agent.EndTurn))
	sent := dispatches(r)
	require.Len(t, sent, 3)
	assert.Equal(t, agent.PromptID("p1"), sent[1].Prompt.ID)
	assert.Equal(t, agent.PromptID("p2"), sent[2].Prompt.ID)
}

func TestAnAgentThatIsStillBusyIsStoppedFirst(t *testing.T) {
	f := *overloaded()
	r := lively(t).do(agent.FailureSeen{Stamp: agent.Stamp{Generation: 1}, Failure: f}, after(5*time.Second), due(1))
	assert.Len(t, dispatches(r), 1)
	assert.Equal(t, agent.Open{Resume: "ses_1"}, r.last())
	assert.Equal(t, 1, count[agent.Shut](r))
	r.do(agent.Opened{Info: agent.SessionInfo{ID: "ses_1", Resumes: true, Options: model("a")}})
	assert.Len(t, dispatches(r), 2)
}

func TestAnAgentThatCannotResumeIsNotBegunAnew(t *testing.T) {
	t.Run("busy with the failed prompt", func(t *testing.T) {
		r := running(t)
		r.policy.Again = interactive
		r.do(agent.FailureSeen{Stamp: agent.Stamp{Generation: 1}, Failure: *overloaded()})
		assert.Equal(t, []agent.RetryDropped{{Why: agent.DropLost}}, of[agent.RetryDropped](r))
	})
	t.Run("gone while the prompt waits", func(t *testing.T) {
		r := running(t)
		r.policy.Again = interactive
		r.do(breaks(1, overloaded()))
		require.NotNil(t, r.state.View().Again)
		r.do(exit(), due(1))
		assert.Equal(t, []agent.RetryDropped{{Why: agent.DropLost}}, of[agent.RetryDropped](r))
		assert.Len(t, dispatches(r), 1)
	})
}

// What the failed turn does while the next one is about to be sent is as good as
// what it does before.
func TestARetryThatHasBegunIsUndoneByALateEffect(t *testing.T) {
	for name, late := range map[string]agent.Event{"a tool": tool(1, "c", agent.ToolInProgress), "a request": ask(1, "a")} {
		t.Run("its start is being written: "+name, func(t *testing.T) {
			r := waiting(t)
			r.hold = true
			r.do(due(1), late)
			r.hold = false
			r.do(r.owed...)
			undone(t, r)
		})
		t.Run("the agent is being brought up: "+name, func(t *testing.T) {
			undone(t, waiting(t).do(exit(), due(1), late, agent.Opened{Info: agent.SessionInfo{ID: "ses_1", Resumes: true}}))
		})
	}
}

func undone(t *testing.T, r *rig) {
	assert.Len(t, dispatches(r), 1)
	ends := settled(r)
	require.Len(t, ends, 2)
	assert.Equal(t, agent.TurnSettled{Outcome: agent.Failed, Failure: overloaded()}, ends[1])
	assert.Equal(t, agent.TaskNeedsYou, r.state.View().Task)
}

func TestAnotherModelAfterTheAgentCameBackGetsNothing(t *testing.T) {
	r := waiting(t).do(exit(), due(1), agent.Opened{Info: agent.SessionInfo{ID: "ses_1", Resumes: true, Options: model("b")}})
	assert.Len(t, dispatches(r), 1)
	ends := settled(r)
	require.Len(t, ends, 2)
	assert.Equal(t, agent.Failed, ends[1].Outcome)
	assert.Equal(t, overloaded(), ends[1].Failure)
	assert.Nil(t, r.state.View().Again)
}

func TestARetryOfAnEarlierRun(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	for _, tc := range []struct {
		name string
		at   time.Time
		info agent.SessionInfo
		want time.Time
		why  agent.RetryDrop
	}{
		{"its time is to come", now.Add(time.Minute), agent.SessionInfo{ID: "s", Resumes: true}, now.Add(time.Minute), ""},
		{"its time has passed: it is shown first", now.Add(-time.Minute), agent.SessionInfo{ID: "s", Resumes: true}, now.Add(turn.Notice), ""},
		{"at the end of the hour", now.Add(-turn.Stale), agent.SessionInfo{ID: "s", Resumes: true}, now.Add(turn.Notice), ""},
		{"too late", now.Add(-turn.Stale - 1), agent.SessionInfo{ID: "s", Resumes: true}, time.Time{}, agent.DropLate},
		{"the agent cannot resume", now, agent.SessionInfo{ID: "s"}, time.Time{}, agent.DropLost},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := newRig(t)
			r.policy.Again = interactive
			again := turn.Again{Generation: 4, Prompt: prompt("p1", now), Failure: *overloaded(), Try: 2, Most: 5, At: tc.at}
			r.state = turn.Restore(turn.Past{Generation: 4, Info: tc.info, Again: &again, Task: agent.TaskWaiting})
			assert.Empty(t, r.sent)
			r.do(agent.Rearm{})
			if tc.why != "" {
				assert.Equal(t, []agent.RetryDropped{{Why: tc.why, Try: 1}}, of[agent.RetryDropped](r))
				assert.Equal(t, agent.TaskNeedsYou, r.state.View().Task)
				r.do(due(4), agent.RetryNow{})
				assert.Empty(t, r.sent)
				return
			}
			assert.Equal(t, []agent.RetryPlanned{{Try: 2, Most: 5, At: tc.want}}, of[agent.RetryPlanned](r))
			require.Len(t, r.armed, 1)
			assert.Equal(t, tc.want.Sub(now), r.armed[0].After)
			r.do(due(4), agent.Opened{Info: tc.info})
			require.Len(t, dispatches(r), 1)
			assert.Equal(t, agent.Dispatch{Generation: 5, Prompt: again.Prompt}, dispatches(r)[0])
		})
	}
	t.Run("of a turn that is not the last one", func(t *testing.T) {
		s := turn.Restore(turn.Past{Generation: 5, Again: &turn.Again{Generation: 4}})
		assert.Nil(t, s.View().Again)
	})
}

func TestClosingLeavesARetryOnDisk(t *testing.T) {
	r := waiting(t).do(agent.Closed{}, due(1), agent.RetryNow{})
	assert.Len(t, of[agent.TurnStarted](r), 1)
	assert.Empty(t, of[agent.RetryDropped](r))
}
