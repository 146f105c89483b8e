package turn_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/turn"
)

// pass lets awake and wall time go by with the watchdog looking every minute.
func (r *rig) pass(d time.Duration) *rig {
	for end := r.now.Awake + d; r.now.Awake < end; {
		next := r.now.Awake.Truncate(time.Minute) + time.Minute
		step := min(next, end) - r.now.Awake
		r.do(after(step))
		if r.now.Awake == next {
			if c, ok := r.snapshot(); ok {
				r.do(c)
			}
		}
	}
	return r
}

// snapshot is what the watchdog hands over now, if anything.
func (r *rig) snapshot() (agent.Checked, bool) {
	v := r.state.View()
	return agent.Checked{Generation: v.Generation, Epoch: v.Epoch},
		v.Watched && r.now.Awake-v.Since >= turn.Threshold
}

func notices(r *rig) (out []agent.Notice) {
	for _, n := range of[agent.Noticed](r) {
		out = append(out, n.Notice)
	}
	return out
}

func quiet(args map[string]string) []agent.Notice {
	return []agent.Notice{{Kind: agent.NoticeQuiet, Args: args}}
}

func toolCall(g agent.Generation, c agent.ToolCall) agent.Event {
	return agent.Updated{Stamp: agent.Stamp{Generation: g}, Update: agent.Update{Kind: agent.ToolCalled, Tool: c}}
}

func TestFiveQuietMinutesAreSaidOnceAndChangeNothing(t *testing.T) {
	for _, d := range []time.Duration{10 * time.Minute, time.Hour} {
		r := running(t).do(tool(1, "t", agent.ToolInProgress)).pass(4*time.Minute + 59*time.Second)
		assert.Empty(t, notices(r))
		before := r.state.View()
		r.pass(d)
		assert.Equal(t, quiet(map[string]string{"tool": "bash"}), notices(r), "repeated checks say nothing more")
		assert.Equal(t, before, r.state.View(), "a quiet turn is left alone")
		assert.Empty(t, settled(r))
		assert.Equal(t, []string{"stall"}, r.logs)
	}
}

func TestTheThresholdIsExactlyFiveMinutesAtATick(t *testing.T) {
	r := running(t).do(chunk(1, "m", "x"))
	r.do(after(5*time.Minute - time.Millisecond))
	_, due := r.snapshot()
	assert.False(t, due)
	v := r.state.View()
	r.do(agent.Checked{Generation: v.Generation, Epoch: v.Epoch})
	assert.Empty(t, notices(r), "an early snapshot says nothing")
	r.do(after(time.Millisecond))
	_, due = r.snapshot()
	assert.True(t, due)
}

func TestTheNoticeNamesWhatIsWaitedFor(t *testing.T) {
	rows := []struct {
		name  string
		calls []agent.ToolCall
		want  map[string]string
	}{
		{"no tool", nil, nil},
		{"none that is open", []agent.ToolCall{{ID: "a", Title: "bash", Status: agent.ToolCompleted}}, nil},
		{"the latest that is open", []agent.ToolCall{{ID: "a", Title: "grep"}, {ID: "b", Title: "bash"}, {ID: "c", Title: "read", Status: agent.ToolFailed}}, map[string]string{"tool": "bash"}},
		{"a tool that a tool runs is not named", []agent.ToolCall{{ID: "a", Title: "task"}, {ID: "b", Title: "grep", Parent: "a"}}, map[string]string{"tool": "task"}},
		{"a title that holds the command gives way to the earlier name", []agent.ToolCall{
			{ID: "a", Title: "bash"}, {ID: "a", Title: "sleep 300", RawInput: []byte(`{"command":"sleep 300"}`)},
		}, map[string]string{"tool": "bash"}},
		{"a title that holds a path segment too", []agent.ToolCall{
			{ID: "a", Title: "Read secrets.txt", Name: "read", RawInput: []byte(`{"file":"/home/me/secrets.txt"}`)},
		}, map[string]string{"tool": "read"}},
		{"a name without end is cut, on a character", []agent.ToolCall{{ID: "a", Title: strings.Repeat("é", 200)}}, map[string]string{"tool": strings.Repeat("é", 100)}},
		{"with no name left the kind says it", []agent.ToolCall{
			{ID: "a", Title: "sleep 300", Kind: "execute", RawInput: []byte(`{"command":"sleep 300"}`)},
		}, map[string]string{"kind": "execute"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			r := running(t).do(chunk(1, "m", "x"))
			for _, c := range row.calls {
				r.do(toolCall(1, c))
			}
			assert.Equal(t, quiet(row.want), notices(r.pass(6*time.Minute)))
		})
	}
}

func TestATurnThatNeverStartedIsEnded(t *testing.T) {
	r := running(t).do(submit("p2")).pass(5 * time.Minute)
	require.Len(t, settled(r), 1)
	assert.Equal(t, agent.NeverStarted, settled(r)[0].Outcome)
	v := r.state.View()
	assert.Equal(t, agent.SessionFailed, v.Session)
	assert.Equal(t, agent.TaskFailed, v.Task)
	assert.True(t, v.Held)
	assert.Equal(t, 1, count[agent.Cancel](r), "the call is cancelled")
	assert.Equal(t, agent.Shut{}, r.last(), "the process is asked to stop")
	assert.Empty(t, notices(r))
}

func TestMetadataIsNeitherAStartNorActivity(t *testing.T) {
	r := running(t)
	for range 5 {
		r.do(usage(1), agent.Updated{Stamp: agent.Stamp{Generation: 1}, Update: agent.Update{Kind: agent.CommandsListed}})
		r.pass(time.Minute)
	}
	assert.Equal(t, agent.NeverStarted, settled(r)[0].Outcome)
	r = running(t).do(chunk(1, "m", "x"))
	for range 5 {
		r.pass(time.Minute).do(usage(1))
	}
	assert.Len(t, notices(r), 1)
}

func TestAThoughtProvesAStart(t *testing.T) {
	r := running(t).do(thought(1, "hm")).pass(6 * time.Minute)
	assert.Empty(t, settled(r))
	assert.Len(t, notices(r), 1)
}

func TestAnEventBetweenSnapshotAndHandlingWins(t *testing.T) {
	t.Run("over never_started", func(t *testing.T) {
		r := running(t).do(after(5 * time.Minute))
		c, due := r.snapshot()
		require.True(t, due)
		r.do(chunk(1, "m", "just now"), c)
		assert.Empty(t, settled(r))
	})
	t.Run("and does not use up the notice", func(t *testing.T) {
		r := running(t).do(chunk(1, "m", "x"), after(5*time.Minute))
		c, _ := r.snapshot()
		r.do(chunk(1, "m", "y"), c)
		assert.Empty(t, notices(r))
		assert.Len(t, notices(r.pass(6*time.Minute)), 1)
	})
}

func TestASnapshotThatIsHandledLateIsStale(t *testing.T) {
	r := running(t).do(chunk(1, "m", "x"), after(5*time.Minute))
	c, due := r.snapshot()
	require.True(t, due)
	r.do(chunk(1, "m", "y"), after(6*time.Minute), c)
	assert.Empty(t, notices(r), "by now the turn is silent again, but this snapshot is not of that silence")
	c, _ = r.snapshot()
	assert.Len(t, notices(r.do(c)), 1)
}

func TestASnapshotOfAnotherGenerationIsDropped(t *testing.T) {
	r := running(t).do(after(6 * time.Minute))
	for _, g := range []agent.Generation{0, 2, 9} {
		r.do(agent.Checked{Generation: g, Epoch: r.state.View().Epoch})
		assert.Empty(t, settled(r), "generation %d", g)
	}
}

func TestTheClockIsArmedAtDispatch(t *testing.T) {
	r := newRig(t)
	r.do(after(time.Hour), submit("p1"), after(time.Hour), agent.Opened{}).pass(4 * time.Minute)
	assert.Empty(t, settled(r), "the time before the prompt was sent is no silence")
	assert.Equal(t, 2*time.Hour, r.state.View().Since)
	r.pass(time.Minute)
	assert.Len(t, settled(r), 1)
}

func TestEventsThatResumeWhileTheNoticeIsWritten(t *testing.T) {
	r := running(t).do(chunk(1, "m", "x"))
	r.hold = true
	r.pass(5 * time.Minute).do(chunk(1, "m", "y"))
	assert.Empty(t, of[agent.NoticeChanged](r), "it is not known yet whether it is shown")
	r.hold = false
	for _, ev := range r.owed {
		r.do(ev)
	}
	changed := of[agent.NoticeChanged](r)
	require.Len(t, changed, 1)
	assert.Equal(t, "300000", changed[0].Notice.Args["was_ms"])
	assert.Len(t, notices(r.pass(time.Hour)), 1)
}

func TestASnapshotOfAnEarlierTurnIsStale(t *testing.T) {
	r := running(t).do(chunk(1, "m", "x"), after(5*time.Minute))
	old, _ := r.snapshot()
	r.do(answer(1, agent.EndTurn), submit("p2"), after(6*time.Minute), old)
	assert.Empty(t, notices(r))
	assert.Len(t, settled(r), 1, "turn 2 is not ended by a snapshot of turn 1")
}

func TestANoticeCountsOnlyWhenTheHistoryTookIt(t *testing.T) {
	r := running(t).do(chunk(1, "m", "x"))
	r.refuse = true
	r.pass(7 * time.Minute)
	assert.Empty(t, notices(r))
	assert.Equal(t, []string{"stall"}, r.logs, "logged once")
	r.refuse = false
	r.pass(time.Minute)
	assert.Len(t, notices(r), 1)
	r.pass(10 * time.Minute)
	assert.Len(t, notices(r), 1)
	assert.Len(t, r.logs, 1)
}

func TestWhenEventsResumeTheNoticeSaysHowLongItWasQuiet(t *testing.T) {
	r := running(t).do(tool(1, "t", agent.ToolInProgress)).pass(6 * time.Minute).do(chunk(1, "m", "back"))
	want := agent.NoticeChanged{Notice: agent.Notice{Kind: agent.NoticeQuiet, Args: map[string]string{"tool": "bash", "was_ms": "360000"}}}
	assert.Equal(t, []agent.NoticeChanged{want}, of[agent.NoticeChanged](r))
	r.do(chunk(1, "m", "and on")).pass(10 * time.Minute)
	assert.Len(t, notices(r), 1, "one notice for a turn")
	assert.Len(t, of[agent.NoticeChanged](r), 1)
}

func TestALaptopAsleepForTwoHoursWasNotSilent(t *testing.T) {
	r := running(t).do(chunk(1, "m", "x")).pass(4 * time.Minute)
	r.now.Wall = r.now.Wall.Add(2 * time.Hour)
	r.pass(30 * time.Second)
	assert.Empty(t, notices(r))
	assert.Len(t, notices(r.pass(time.Minute)), 1)

	r = running(t)
	r.now.Wall = r.now.Wall.Add(2 * time.Hour)
	r.do(chunk(1, "m", "x")).pass(4 * time.Minute)
	assert.Empty(t, notices(r))
	assert.Len(t, notices(r.pass(time.Minute)), 1, "nor does it put off what comes after it")
}

func TestAWallClockThatJumpsByHoursChangesNothing(t *testing.T) {
	r := running(t).do(chunk(1, "m", "x"))
	for i := range 4 {
		r.now.Wall = r.now.Wall.Add(time.Duration(1-2*(i%2)) * 5 * time.Hour)
		r.pass(time.Minute)
		assert.Empty(t, notices(r))
	}
	assert.Len(t, notices(r.pass(time.Minute)), 1)
}

func TestWhileSomethingIsAskedTheClockStands(t *testing.T) {
	r := running(t).do(ask(1, "a1")).pass(time.Hour)
	assert.Empty(t, notices(r))
	assert.Empty(t, settled(r))
	v := r.state.View()
	assert.False(t, v.Watched, "the watchdog does not look at it")
	r.do(agent.Checked{Generation: v.Generation, Epoch: v.Epoch})
	assert.Empty(t, notices(r), "nor would a look say anything")
	r.do(agent.Decide{Ask: "a1", Decision: agent.Decision{Option: "once"}}).pass(4 * time.Minute)
	assert.Empty(t, notices(r), "it starts anew with the answer")
	assert.Len(t, notices(r.pass(time.Minute)), 1)
}

func TestAnAnnouncedRetryIsNoSilenceAndNoStart(t *testing.T) {
	retry := func(r *rig, in time.Duration) *rig {
		return r.do(agent.Retrying{Stamp: agent.Stamp{Generation: 1}, Attempt: 1, Next: r.now.Wall.Add(in)})
	}
	t.Run("with output before, the notice comes five minutes after the announced time", func(t *testing.T) {
		r := retry(running(t).do(chunk(1, "m", "x")), 20*time.Minute).pass(24 * time.Minute)
		assert.Empty(t, notices(r))
		assert.True(t, r.state.View().Retrying)
		assert.Len(t, notices(r.pass(time.Minute)), 1)
	})
	t.Run("with nothing before, it never started", func(t *testing.T) {
		r := retry(running(t), 20*time.Minute).pass(24 * time.Minute)
		assert.Empty(t, settled(r))
		r.pass(time.Minute)
		assert.Equal(t, agent.NeverStarted, settled(r)[0].Outcome)
	})
	t.Run("the agent goes on before that", func(t *testing.T) {
		r := retry(running(t), 20*time.Minute).pass(10 * time.Minute).do(chunk(1, "m", "back"))
		assert.False(t, r.state.View().Retrying)
		assert.Len(t, notices(r.pass(5*time.Minute)), 1, "its clock counts from there")
	})
	t.Run("an announcement that lies in the past waits for nothing", func(t *testing.T) {
		r := retry(running(t).do(chunk(1, "m", "x")), -time.Hour).pass(4 * time.Minute)
		assert.Empty(t, notices(r), "nor does it make the turn silent")
		assert.Len(t, notices(r.pass(time.Minute)), 1)
	})
}

func TestAnAmbiguousTurnIsNotSaidToHaveNeverStarted(t *testing.T) {
	r := running(t).do(agent.CancelTurn{}, bound(agent.CancelBound, 1), submit("p2"))
	r.do(chunk(2, "m", "whose?")).pass(6 * time.Minute)
	assert.Len(t, settled(r), 1)
	assert.Len(t, notices(r), 1, "the notice instead")
	r.do(answer(1, agent.StopCancelled)).pass(time.Minute)
	assert.Equal(t, agent.NeverStarted, settled(r)[1].Outcome, "the old call has returned: now it is certain")
}

func TestADispatchOnlyPromptIsWatchedAndCanBeEnded(t *testing.T) {
	r := running(t).do(chunk(1, "m", "x")).pass(6 * time.Minute)
	assert.Len(t, notices(r), 1)
	r.do(agent.CancelTurn{}, bound(agent.CancelBound, 1), submit("p2"))
	assert.Equal(t, agent.Generation(2), r.last().(agent.Dispatch).Generation)
}

func TestWhileCancellingNothingIsSaidAboutSilence(t *testing.T) {
	r := running(t).do(chunk(1, "m", "x"), after(4*time.Minute), agent.CancelTurn{}).pass(10 * time.Minute)
	assert.Empty(t, notices(r))
	v := r.state.View()
	assert.False(t, v.Watched, "the watchdog does not look at it")
	r.do(agent.Checked{Generation: v.Generation, Epoch: v.Epoch})
	assert.Empty(t, notices(r), "nor would a look say anything")
}

func TestARefusedCancelIsToldAndTheBoundHolds(t *testing.T) {
	r := running(t).do(agent.CancelTurn{}, agent.CancelRefused{Generation: 1}, bound(agent.CancelBound, 1))
	assert.Equal(t, []agent.CancelStep{agent.CancelSent, agent.CancelDenied, agent.CancelEscalated}, steps(r))
	assert.Equal(t, agent.Cancelled, settled(r)[0].Outcome)
}
