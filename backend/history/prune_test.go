package history_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
)

// archive has sessions s0 to s4 of 40 parts, each a day after the one before.
// All are given back but s1, which this program holds, and s2, which runs.
func archive(t *testing.T) (*history.Store, *clock, string) {
	c := newClock()
	dir := t.TempDir()
	s, _ := mustOpen(t, history.Options{Dir: dir, Clock: c})
	for n := range 5 {
		task, session := agent.TaskID(fmt.Sprint("t", n)), agent.SessionID(fmt.Sprint("s", n))
		require.NoError(t, s.CreateTask(t.Context(), history.Task{ID: task}))
		require.NoError(t, s.CreateSession(t.Context(), history.NewSession{ID: session, Task: task}))
		entry := func(f agent.Fact) agent.Entry {
			return agent.Entry{Session: session, Generation: 1, At: c.Now(), Fact: f}
		}
		batch := []agent.Entry{entry(agent.TurnStarted{Generation: 1, Prompt: prompt("p", "go")})}
		for seq := range uint64(40) {
			batch = append(batch, entry(text(seq+1, words(n*40+int(seq), 300))))
		}
		batch = append(batch, entry(agent.TurnSettled{Outcome: agent.Completed}))
		if n == 2 {
			batch = append(batch, entry(agent.StateSet{Session: agent.SessionRunning, Task: agent.TaskRunning}))
		}
		s.Record(batch, true, nil)
		if n != 1 {
			require.NoError(t, s.Release(t.Context(), session))
		}
		require.NoError(t, s.Flush(t.Context()))
		c.advance(24 * time.Hour)
	}
	return s, c, dir
}

// lengths tells how many parts each session still has.
func lengths(t *testing.T, s *history.Store) []int {
	t.Helper()
	var out []int
	for n := range 5 {
		out = append(out, len(texts(t, s, agent.SessionID(fmt.Sprint("s", n)))))
	}
	return out
}

func TestPrune(t *testing.T) {
	rows := []struct {
		name   string
		limits history.Limits
		want   []int
		gone   int
	}{
		{"no limit", history.Limits{}, []int{40, 40, 40, 40, 40}, 0},
		{"by age", history.Limits{Age: 36 * time.Hour}, []int{0, 40, 40, 0, 40}, 2},
		{"by size, as much as can go", history.Limits{Bytes: 1}, []int{0, 40, 40, 0, 0}, 3},
		{"by size, enough room", history.Limits{Bytes: 1 << 30}, []int{40, 40, 40, 40, 40}, 0},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			s, _, _ := archive(t)
			pruned, err := s.Prune(t.Context(), row.limits)
			require.NoError(t, err)
			assert.Equal(t, row.want, lengths(t, s))
			assert.Equal(t, row.gone, pruned.Transcripts)
			assert.Positive(t, pruned.Bytes)
		})
	}
}

func TestPruneStopsWhenItIsSmallEnough(t *testing.T) {
	s, _, dir := archive(t)
	before, err := s.Prune(t.Context(), history.Limits{})
	require.NoError(t, err)
	pruned, err := s.Prune(t.Context(), history.Limits{Bytes: before.Bytes - 1})
	require.NoError(t, err)
	assert.Equal(t, 1, pruned.Transcripts, "the oldest alone")
	assert.Equal(t, []int{0, 40, 40, 40, 40}, lengths(t, s))
	assert.Less(t, pruned.Bytes, before.Bytes)
	sqlExec(t, dir, "INSERT INTO parts_fts (parts_fts, rank) VALUES ('integrity-check', 1)") // fails where it does not match
}

func TestWhatIsPrunedKeepsItsOutcomeAndCanGoOn(t *testing.T) {
	s, c, dir := archive(t)
	_, err := s.Prune(t.Context(), history.Limits{Age: time.Hour})
	require.NoError(t, err)
	session, err := s.Session(t.Context(), "s0")
	require.NoError(t, err)
	assert.Equal(t, c.Now(), session.PrunedAt)
	turn, err := s.Turn(t.Context(), "s0", 1)
	require.NoError(t, err)
	assert.Equal(t, agent.Completed, turn.End.Outcome)
	info, err := os.Stat(filepath.Join(dir, "history.db"))
	require.NoError(t, err)
	assert.Positive(t, info.Size())

	s.Record([]agent.Entry{{Session: "s0", Generation: 2, Fact: text(41, "goes on")}}, true, nil)
	require.NoError(t, s.Flush(t.Context()))
	assert.Equal(t, []string{"41:goes on"}, texts(t, s, "s0"))
}

func TestDeletedTasksArePurgedWhenTheyCannotBeBroughtBack(t *testing.T) {
	s, c, dir := archive(t)
	for _, id := range []agent.TaskID{"t0", "t1"} { // t1's session is held
		require.NoError(t, s.DeleteTask(t.Context(), id))
	}
	c.advance(time.Hour)
	require.NoError(t, s.DeleteTask(t.Context(), "t3"))
	pruned, err := s.Prune(t.Context(), history.Limits{Undo: time.Hour})
	require.NoError(t, err)
	assert.Equal(t, 1, pruned.Tasks)
	_, err = s.Task(t.Context(), "t0")
	assert.ErrorIs(t, err, history.ErrNotFound)
	_, err = s.Session(t.Context(), "s0")
	assert.ErrorIs(t, err, history.ErrNotFound)
	assert.NoError(t, s.UndeleteTask(t.Context(), "t3"))
	assert.NoError(t, s.UndeleteTask(t.Context(), "t1"))
	assert.Equal(t, []string{"160"}, query(t, dir, "SELECT count(*) FROM parts"), "its transcript went along")
	assert.Empty(t, query(t, dir, "SELECT session FROM turns WHERE session NOT IN (SELECT num FROM sessions)"))
}
