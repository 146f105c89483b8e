package autoresume_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/policy/autoresume"
)

func TestTheCountdownAnnouncesEachPrompt(t *testing.T) {
	r := newRig(t, func(o *autoresume.Options) { o.Timing.Countdown = 10 * sec })
	r.at(0, "A", start())
	r.at(sec, "A", says(leak))
	r.at(20*sec, "A", ended())
	r.until(30 * sec)
	assert.Equal(t, []string{"23s announce tool_text"}, r.acts(autoresume.Announce, autoresume.Prompt))
	assert.Equal(t, 33*sec, r.did[0].Due)
	r.until(40 * sec)
	assert.Equal(t, []string{"23s announce tool_text", "33s prompt tool_text"}, r.acts(autoresume.Announce, autoresume.Prompt))
	assert.Equal(t, 1, r.did[1].Count)
}

func TestWhatTakesAnAnnouncementBack(t *testing.T) {
	for name, ev := range map[string]autoresume.Event{
		"cancel on the countdown": autoresume.Dismissed{}, "typing": autoresume.Typing{}, "the user's cancel": autoresume.Cancelled{},
		"a prompt": start(), "a turn of the agent": autoresume.TurnStarted{Origin: autoresume.ByAgent},
		"a question": autoresume.AskOpened{ID: "q"}, "another watcher": autoresume.Yielded{To: true},
		"switched off": autoresume.Switched{}, "the agent is gone": autoresume.Exited{}, "compaction": autoresume.Compacting{On: true},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, func(o *autoresume.Options) { o.Timing.Countdown = 10 * sec })
			r.at(0, "A", start())
			r.at(sec, "A", says(leak))
			r.at(20*sec, "A", ended())
			r.at(25*sec, "A", ev)
			r.until(40 * sec)
			assert.Equal(t, []string{"23s announce tool_text"}, r.acts(autoresume.Announce))
			assert.Len(t, r.acts(autoresume.Withdraw), 1)
			assert.Empty(t, r.acts(autoresume.Prompt))
			assert.Equal(t, autoresume.Withdrawn, r.ledger.Rows()[0].Result)
		})
	}
}

func TestActivityTakesAnAnnouncedCancelBack(t *testing.T) {
	r := newRig(t, func(o *autoresume.Options) {
		o.Timing.Countdown = 10 * sec
		o.Stall.Strategy = autoresume.StallAbort
	})
	r.at(0, "A", start())
	r.at(55*sec, "A", autoresume.Stirred{})
	r.until(90 * sec)
	assert.Equal(t, []string{"50s announce continuestall", "55s withdraw continuestall"},
		r.acts(autoresume.Announce, autoresume.Withdraw, autoresume.Prompt, autoresume.Cancel))
}

func TestADismissedActionIsNotAnnouncedAgainInItsTurn(t *testing.T) {
	r := newRig(t, func(o *autoresume.Options) { o.Timing.Countdown = 10 * sec })
	r.at(0, "A", start())
	r.at(52*sec, "A", autoresume.Dismissed{})
	r.until(300 * sec)
	assert.Len(t, r.acts(autoresume.Announce), 1)
	r.at(301*sec, "A", start())
	r.until(360 * sec)
	assert.Len(t, r.acts(autoresume.Announce), 2)
}

func TestPresets(t *testing.T) {
	play := func(p autoresume.Preset) *rig {
		r := newRig(t, func(o *autoresume.Options) { o.Preset = p })
		r.answer = willing
		r.at(0, "A", start())
		r.at(60*sec, "A", says(leak))
		r.at(61*sec, "A", ended())
		r.until(64 * sec)
		return r
	}
	all := []autoresume.Act{autoresume.Prompt, autoresume.Cancel, autoresume.Notice}
	assert.Equal(t, []string{"50s notice stall", "1m4s notice tool_text"}, play(autoresume.NotifyOnly).acts(all...))
	assert.Equal(t, []string{"50s notice stall", "1m4s prompt tool_text"}, play(autoresume.Safe).acts(all...))
	assert.Equal(t, []string{"50s prompt continue", "1m4s prompt tool_text"}, play(autoresume.Full).acts(all...))
}

func TestANotifyingPolicyNeitherActsNorGivesUp(t *testing.T) {
	r := newRig(t, func(o *autoresume.Options) { o.Preset = autoresume.NotifyOnly })
	r.at(0, "A", start())
	r.until(3600 * sec)
	assert.Equal(t, []string{"50s notice stall"}, r.acts(autoresume.Prompt, autoresume.Cancel, autoresume.GiveUp, autoresume.Notice))
}

func TestStopAllStopsEverySession(t *testing.T) {
	r := newRig(t, func(o *autoresume.Options) { o.Timing.Countdown = 10 * sec })
	for _, s := range []string{"A", "B"} {
		r.at(0, s, start())
	}
	r.until(52 * sec)
	require.Len(t, r.acts(autoresume.Announce), 2)
	r.at(53*sec, "", autoresume.Switched{On: false})
	assert.Len(t, r.acts(autoresume.Withdraw), 2)
	r.until(200 * sec)
	assert.Empty(t, r.acts(autoresume.Prompt))
	r.at(201*sec, "", autoresume.Switched{On: true})
	r.until(300 * sec)
	assert.NotEmpty(t, r.acts(autoresume.Prompt))
}

func TestOptionsOfOneSession(t *testing.T) {
	r := newRig(t, nil)
	o := autoresume.Defaults()
	o.Stall.Strategy = autoresume.StallOff
	r.at(0, "A", autoresume.Configured{Options: o, Caps: autoresume.AllCaps()}, start())
	r.at(0, "B", start())
	r.until(52 * sec)
	require.Len(t, r.did, 1)
	assert.Equal(t, "B", r.did[0].Session)
}

func TestAPollComesBeforeACancelOfASessionFoundInItsMiddle(t *testing.T) {
	for state, want := range map[string]int{"busy": 1, "idle": 0, "": 0, "retry": 0} {
		r := newRig(t, func(o *autoresume.Options) { o.Stall.Strategy = autoresume.StallAbort })
		polls := 0
		r.answer = func(a autoresume.Action) []autoresume.Event {
			if a.Act == autoresume.Poll {
				polls++
				return []autoresume.Event{autoresume.Probed{State: state}}
			}
			return nil
		}
		r.at(0, "A", autoresume.Opened{Busy: true})
		r.until(51 * sec)
		assert.Equal(t, 1, polls, state)
		assert.Len(t, r.acts(autoresume.Cancel), want, state)
	}
}

func TestAPollThatIsNeverAnsweredIsNoLeave(t *testing.T) {
	r := newRig(t, func(o *autoresume.Options) { o.Stall.Strategy = autoresume.StallAbort })
	r.at(0, "A", autoresume.Opened{Busy: true})
	r.until(100 * sec)
	assert.NotEmpty(t, r.acts(autoresume.Poll))
	assert.Empty(t, r.acts(autoresume.Cancel, autoresume.Prompt))
}

func TestWhatCameOfAPromptIsInTheLedger(t *testing.T) {
	tests := []struct {
		name   string
		events []autoresume.Event
		want   autoresume.Result
	}{
		{"refused", []autoresume.Event{autoresume.Sent{}}, autoresume.Refused},
		{"nothing came of it", []autoresume.Event{autoresume.Sent{OK: true}}, autoresume.Ignored},
		{"a turn began", []autoresume.Event{autoresume.Sent{OK: true}, autoresume.TurnStarted{Origin: autoresume.BySupervisor}}, autoresume.Accepted},
		{"it was answered", []autoresume.Event{autoresume.Sent{OK: true}, autoresume.TurnStarted{Origin: autoresume.BySupervisor}, says("x")}, autoresume.Answered},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, nil)
			r.at(0, "A", start())
			r.at(sec, "A", says(leak))
			r.at(20*sec, "A", ended())
			r.until(23 * sec)
			r.at(23*sec+ms, "A", tt.events...)
			r.until(30 * sec)
			rows := r.ledger.Rows()
			require.Len(t, rows, 1)
			assert.Equal(t, tt.want, rows[0].Result)
			assert.Equal(t, "idle", rows[0].Why.Rule)
		})
	}
}

func TestAPromptThatNobodyTookIsAFailureOfTheStream(t *testing.T) {
	r := newRig(t, nil)
	r.answer = func(a autoresume.Action) []autoresume.Event {
		if a.Act == autoresume.Prompt {
			return []autoresume.Event{autoresume.Sent{OK: true}} // and no turn
		}
		return nil
	}
	r.at(0, "A", start())
	r.at(12*sec, "A", autoresume.TurnEnded{Stop: autoresume.StopError, Fault: &autoresume.Fault{Name: "StreamError", Message: "stream failed"}})
	r.until(60 * sec)
	assert.Equal(t, []string{
		"15s prompt stream_failure", "20s prompt stream_failure", "25s prompt stream_failure", "28s give_up stream_failure",
	}, r.acts(autoresume.Prompt, autoresume.GiveUp))
}

func TestNothingOverlapsAPromptThatIsOnItsWay(t *testing.T) {
	r := newRig(t, func(o *autoresume.Options) { o.Idle.Delay = 60 * sec })
	r.at(0, "A", start(), autoresume.Planned{Entries: []autoresume.Entry{{Status: "pending"}}})
	r.at(20*sec, "A", ended())
	r.until(130 * sec)
	assert.Equal(t, []string{"1m20s prompt todo_reminder"}, r.acts(autoresume.Prompt))
}

func TestLatchesAndBudgetsSurviveARestart(t *testing.T) {
	r := newRig(t, func(o *autoresume.Options) { o.Caps.Retries = 1 })
	r.answer = willing
	r.at(0, "A", start(), autoresume.Cancelled{})
	r.at(0, "B", start(), says(leak), ended())
	r.at(0, "C", autoresume.Completed{})
	r.at(0, "D", start(), autoresume.TurnEnded{Stop: autoresume.StopError, Fault: &autoresume.Fault{Code: "auth_required"}})
	r.at(0, "E", autoresume.Opened{Parent: "A"}, autoresume.Yielded{To: true})
	r.until(20 * sec)
	require.Equal(t, []string{"3s prompt tool_text"}, r.acts(autoresume.Prompt))
	raw, err := json.Marshal(r.engine.Snapshot())
	require.NoError(t, err)

	var snap autoresume.Snapshot
	require.NoError(t, json.Unmarshal(raw, &snap))
	n := newRig(t, func(o *autoresume.Options) { o.Caps.Retries = 1 })
	n.engine.Restore(snap, 1000*sec)
	again, err := json.Marshal(n.engine.Snapshot())
	require.NoError(t, err)
	assert.JSONEq(t, string(raw), string(again))
	assert.True(t, n.engine.Latches("A").Cancelled)
	assert.True(t, n.engine.Latches("C").Completed)
	assert.True(t, n.engine.Latches("D").GaveUp)
	n.now = 1000 * sec
	n.at(1001*sec, "B", autoresume.TurnStarted{Origin: autoresume.ByAgent}, says(leak), ended())
	n.at(1001*sec, "A", autoresume.TurnStarted{Origin: autoresume.ByAgent})
	n.until(1200 * sec)
	assert.Empty(t, n.did, "budgets and latches are the user's to refill")
	n.at(1201*sec, "B", start(), says(leak), ended())
	n.until(1210 * sec)
	assert.Len(t, n.acts(autoresume.Prompt), 1)
}

func TestASnapshotFromElsewhereHarmsNothing(t *testing.T) {
	r := newRig(t, nil)
	r.engine.Restore(autoresume.Snapshot{Sessions: []autoresume.Saved{
		{ID: "A", Parent: "B", Counts: map[string]int{"leaks": -5, "x": 3}, Spends: []autoresume.SavedSpend{{NeededAgo: -7, SentAgo: 1 << 62, Need: true}}},
		{ID: "B", Parent: "A"}, {ID: "C", Parent: "C"},
	}}, 0)
	r.at(0, "B", start())
	r.until(52 * sec)
	assert.Equal(t, []string{"50s prompt continue"}, r.acts(autoresume.Prompt))
}

func TestIdleSessionsAreForgottenButNotWhatTheySpent(t *testing.T) {
	r := newRig(t, nil)
	r.at(0, "A", start(), autoresume.Cancelled{}, autoresume.TurnEnded{Stop: autoresume.StopCancelled})
	r.at(0, "B", start(), ended())
	r.until(11 * 60 * sec)
	snap := r.engine.Snapshot()
	require.Len(t, snap.Sessions, 1)
	assert.Equal(t, "A", snap.Sessions[0].ID)
	for i := range 200 {
		r.at(700*sec, fmt.Sprint("s", i), start(), ended())
	}
	r.until(710 * sec)
	assert.Len(t, r.engine.Snapshot().Sessions, 51, "fifty idle ones, and the latch of A")
}

func TestAVeryLongMessageIsReadFromItsEnd(t *testing.T) {
	for name, text := range map[string]string{
		"a leak at its end":         strings.Repeat("All is well so far.\n", 60_000) + leak,
		"a leak in an endless code": "```\n" + strings.Repeat("x := 1\n", 150_000) + leak,
	} {
		r := newRig(t, nil)
		r.at(0, "A", start())
		for len(text) > 0 {
			n := min(len(text), 10_000)
			r.at(sec, "A", says(text[:n]))
			text = text[n:]
		}
		r.at(20*sec, "A", ended())
		r.until(25 * sec)
		assert.Len(t, r.acts(autoresume.Prompt), map[bool]int{true: 1}[name == "a leak at its end"], name)
	}
}

func TestAClosedSessionIsForgotten(t *testing.T) {
	r := newRig(t, func(o *autoresume.Options) { o.Timing.Countdown = 10 * sec })
	r.at(0, "A", start())
	r.at(0, "C", autoresume.Opened{Parent: "A"})
	r.at(52*sec, "A", autoresume.Closed{})
	assert.Empty(t, r.engine.Snapshot().Sessions)
	assert.Len(t, r.acts(autoresume.Withdraw), 1)
	r.until(100 * sec)
	assert.Empty(t, r.acts(autoresume.Prompt))
}

func TestAnAgentThatOpensChildrenWithoutEndIsBounded(t *testing.T) {
	r := newRig(t, nil)
	r.at(0, "A", start())
	for i := range 20_000 {
		r.engine.Step(fmt.Sprint("c", i), autoresume.Opened{Parent: "A"}, 0)
	}
	assert.Len(t, r.engine.Snapshot().Sessions, 257, "a parent and its latest children")
	for i := range 20_000 {
		r.engine.Step(fmt.Sprint("d", i), autoresume.Opened{Parent: "A", Busy: true}, 0)
	}
	assert.Len(t, r.engine.Snapshot().Sessions, 257)
	for i := range 20_000 {
		r.engine.Step(fmt.Sprint("s", i), autoresume.Stirred{}, 0)
	}
	assert.Len(t, r.engine.Snapshot().Sessions, 16_384)
}

func TestNothingIsAnnouncedAboveTheCeiling(t *testing.T) {
	play := func() *rig {
		r := newRig(t, func(o *autoresume.Options) { o.Timing.Countdown, o.Caps.WindowBudget = 5*sec, 1 })
		r.answer = willing
		r.at(0, "A", start())
		r.at(sec, "A", says(leak))
		r.at(20*sec, "A", ended())
		r.until(29 * sec)
		require.Len(t, r.acts(autoresume.Prompt), 1)
		return r
	}
	r := play()
	r.at(30*sec, "A", says(leak))
	r.at(40*sec, "A", ended())
	r.until(60 * sec)
	assert.Equal(t, []string{"23s announce tool_text", "43s give_up window_budget"}, r.acts(autoresume.Announce, autoresume.GiveUp))

	r = play()
	r.at(30*sec, "C", autoresume.Opened{Parent: "A"}, autoresume.TurnStarted{Origin: autoresume.ByAgent})
	r.until(100 * sec)
	assert.Equal(t, []string{"23s announce tool_text", "1m35s give_up window_budget"}, r.acts(autoresume.Announce, autoresume.GiveUp))
	assert.True(t, r.engine.Latches("A").GaveUp, "the family has one ceiling, and its root gives up")
}
