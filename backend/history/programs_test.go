package history_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
)

func asError(err error, target **history.Error) bool { return errors.As(err, target) }

func TestTwoProgramsOnOneFolder(t *testing.T) {
	dir := t.TempDir()
	o := startOther(t, "hold", dir)
	o.until(t, "started")

	p := mustPlace(t, dir) // opens beside it
	turn, err := p.Turn(t.Context(), "s2", 1)
	require.NoError(t, err)
	assert.Nil(t, turn.End, "the turn of a living program was recovered")

	err = p.Claim(t.Context(), "s2")
	var busy *history.BusyError
	require.ErrorAs(t, err, &busy)
	require.ErrorIs(t, err, history.ErrBusy)
	assert.Equal(t, o.cmd.Process.Pid, busy.PID)
	assert.Equal(t, agent.SessionID("s2"), busy.Session)
	stolen := p.entries(1, text(2, "mine"))
	stolen[0].Session = "s2"
	assert.ErrorIs(t, record(t, p.Store, true, stolen), history.ErrBusy)

	p.store(t, 1, text(1, "mine"))
	assert.Equal(t, []string{"1:mine"}, texts(t, p.Store, p.session))
	assert.Equal(t, []string{"1:other's words"}, texts(t, p.Store, "s2"))

	require.NoError(t, o.cmd.Process.Kill())
	_ = o.cmd.Wait()
	require.NoError(t, p.Claim(t.Context(), "s2"), "its owner is dead")
	turn, err = p.Turn(t.Context(), "s2", 1)
	require.NoError(t, err)
	require.NotNil(t, turn.End)
	assert.Equal(t, agent.Interrupted, turn.End.Outcome)
	assert.NoError(t, record(t, p.Store, true, stolen))
}

func TestAReaderSeesThatATurnWasAbandonedAndChangesNothing(t *testing.T) {
	dir := t.TempDir()
	o := startOther(t, "hold", dir)
	o.until(t, "started")
	reader, err := history.OpenReader(t.Context(), history.Options{Dir: dir})
	require.NoError(t, err)
	t.Cleanup(func() { reader.Close(context.Background()) })
	none, err := reader.Abandoned(t.Context())
	require.NoError(t, err)
	assert.Empty(t, none, "its program lives")

	require.NoError(t, o.cmd.Process.Kill())
	_ = o.cmd.Wait()
	for range 2 {
		found, err := reader.Abandoned(t.Context())
		require.NoError(t, err)
		assert.Equal(t, []history.Recovered{{Task: "t2", Session: "s2", Generation: 1}}, found)
	}
	turn, err := reader.Turn(t.Context(), "s2", 1)
	require.NoError(t, err)
	assert.Nil(t, turn.End, "nothing is recovered by looking")

	mustOpen(t, history.Options{Dir: dir})
	none, err = reader.Abandoned(t.Context())
	require.NoError(t, err)
	assert.Empty(t, none, "it is interrupted now")
}

func TestRecoveryLeavesASessionAsAPersonCanGoOn(t *testing.T) {
	dir := t.TempDir()
	p := mustPlace(t, dir)
	tool := agent.ToolCall{ID: "c1", Title: "sleep", Status: agent.ToolInProgress}
	p.store(t, 0, agent.SessionReady{Info: agent.SessionInfo{ID: "prov"}})
	p.store(t, 1,
		agent.TurnStarted{Generation: 1, Prompt: prompt("p1", "go")},
		agent.PromptQueued{Prompt: prompt("p2", "next")},
		agent.StateSet{Session: agent.SessionRunning, Task: agent.TaskRunning},
		agent.PartSet{Part: agent.Part{Seq: 1, Generation: 1, Kind: agent.PartTool, Tool: tool}},
		agent.AskOpened{Ask: agent.Ask{ID: "a1", Kind: agent.AskPermission, Tool: tool}},
		text(2, "half a "))
	p.store(t, 1, agent.PartAppended{Seq: 2, Text: "sentence"})
	require.NoError(t, p.Close(t.Context())) // with its turn open, as if it had died

	s, opened := mustOpen(t, history.Options{Dir: dir})
	assert.Equal(t, []history.Recovered{{Task: "t1", Session: "s1", Generation: 1}}, opened.Recovered)
	snap, err := s.Restore(t.Context(), "s1")
	require.NoError(t, err)
	assert.Equal(t, agent.SessionWaiting, snap.Session.State)
	assert.Equal(t, agent.TaskNeedsYou, snap.Task)
	assert.True(t, snap.Session.Held)
	assert.EqualValues(t, 1, snap.Session.Generation)
	assert.EqualValues(t, 2, snap.Session.LastSeq)
	assert.EqualValues(t, "prov", snap.Session.Info.ID)
	assert.Equal(t, []agent.Prompt{prompt("p2", "next")}, snap.Queue)
	assert.Nil(t, snap.Open)
	assert.Empty(t, snap.Asks)
	ask := readAsk(t, s)
	assert.Equal(t, &agent.Decision{By: agent.ByEnd}, ask.Decision)
	turn := readTurn(t, s, 1)
	require.NotNil(t, turn.End)
	assert.Equal(t, agent.Interrupted, turn.End.Outcome)
	parts, err := s.Parts(t.Context(), history.PartQuery{Session: "s1"})
	require.NoError(t, err)
	assert.Equal(t, agent.ToolCancelled, parts[0].Tool.Status)
	assert.Equal(t, "half a sentence", parts[1].Text)
	require.NoError(t, s.Flush(t.Context()))
	assert.Equal(t, []string{"s1/2"}, found(t, s, "sentence"))

	require.NoError(t, s.Close(t.Context()))
	_, opened = mustOpen(t, history.Options{Dir: dir})
	assert.Empty(t, opened.Recovered, "what is recovered is not recovered again")
}

func TestAReaderRecoversNothing(t *testing.T) {
	dir := t.TempDir()
	p := mustPlace(t, dir)
	p.store(t, 1, agent.TurnStarted{Generation: 1, Prompt: prompt("p1", "go")}, text(1, "half"))
	require.NoError(t, p.Close(t.Context()))
	r, err := history.OpenReader(t.Context(), history.Options{Dir: dir})
	require.NoError(t, err)
	defer r.Close(t.Context())
	assert.Nil(t, readTurn(t, r, 1).End)
	assert.Equal(t, []string{"1:half"}, texts(t, r, "s1"))
	assert.ErrorIs(t, r.RenameTask(t.Context(), "t1", "x"), history.ErrReadOnly)
	assert.ErrorIs(t, r.Flush(t.Context()), history.ErrReadOnly)
}

func TestReleaseLetsAnotherProgramGoOn(t *testing.T) {
	dir := t.TempDir()
	p := mustPlace(t, dir)
	p.store(t, 1, agent.TurnStarted{Generation: 1, Prompt: prompt("p1", "go")}, text(1, "one"), agent.TurnSettled{Outcome: agent.Completed})
	second, _ := mustOpen(t, history.Options{Dir: dir})
	q := &place{second, p.task, p.session, p.at}
	require.ErrorIs(t, q.Claim(t.Context(), p.session), history.ErrBusy)
	require.NoError(t, p.Release(t.Context(), p.session))
	require.NoError(t, q.Claim(t.Context(), p.session))
	q.store(t, 2, agent.TurnStarted{Generation: 2, Prompt: prompt("p2", "go")}, text(2, "two"))
	assert.ErrorIs(t, record(t, p.Store, true, p.entries(3, text(3, "three"))), history.ErrBusy,
		"the first one may not write to it any more")
	assert.Equal(t, []string{"1:one", "2:two"}, texts(t, p.Store, p.session))
	require.NoError(t, p.Release(t.Context(), p.session), "what is not owned is left as it is")
	require.ErrorIs(t, p.Claim(t.Context(), "nobody"), history.ErrNotFound)
}

func TestTheFirstEndOfATurnStands(t *testing.T) {
	p := mustPlace(t, t.TempDir())
	p.store(t, 1, agent.TurnStarted{Generation: 1, Prompt: prompt("p1", "go")}, agent.TurnSettled{Outcome: agent.Completed, Stop: agent.EndTurn})
	p.store(t, 1, agent.TurnSettled{Outcome: agent.Failed, Failure: &broke}, agent.StateSet{Session: agent.SessionWaiting, Task: agent.TaskDone})
	end := readTurn(t, p.Store, 1).End
	assert.Equal(t, agent.Completed, end.Outcome)
	assert.Nil(t, end.Failure)
	all, err := p.Failures(t.Context(), p.session)
	require.NoError(t, err)
	assert.Empty(t, all)
	snap, err := p.Restore(t.Context(), p.session)
	require.NoError(t, err)
	assert.Equal(t, agent.TaskDone, snap.Task, "what came with it is stored all the same")
}
