package history_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
)

// board has tasks t0 to t9, t9 the latest; even ones are opencode's and done.
func board(t *testing.T) *history.Store {
	s, _ := mustOpen(t, history.Options{Dir: t.TempDir()})
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for n := range 10 {
		kind, state := agent.OpenCode, agent.TaskDone
		if n%2 == 1 {
			kind, state = agent.Claude, agent.TaskNeedsYou
		}
		task, session := agent.TaskID(fmt.Sprint("t", n)), agent.SessionID(fmt.Sprint("s", n))
		require.NoError(t, s.CreateTask(t.Context(), history.Task{
			ID: task, Title: fmt.Sprintf("Task 100%%_%d", n), Dir: fmt.Sprintf("/w/%d", n), State: state,
			CreatedAt: at.Add(time.Duration(n/2) * time.Minute), // pairs at one time
		}))
		require.NoError(t, s.CreateSession(t.Context(), history.NewSession{
			ID: session, Task: task, Kind: kind, Command: []string{"agent", "--acp"}, Dir: "/w",
			Options: map[string]string{"model": "m"}, CreatedAt: at,
		}))
	}
	s.Record([]agent.Entry{{Session: "s3", Fact: agent.PartSet{Part: agent.Part{Seq: 1, Kind: agent.PartPrompt, Text: "about zebras"}}}}, true, nil)
	require.NoError(t, s.Flush(t.Context()))
	return s
}

func ids(tasks []history.Task) []string {
	var out []string
	for _, t := range tasks {
		out = append(out, string(t.ID))
	}
	return out
}

func TestTasksAreFiltered(t *testing.T) {
	s := board(t)
	require.NoError(t, s.ArchiveTask(t.Context(), "t4", true))
	require.NoError(t, s.DeleteTask(t.Context(), "t6"))
	require.NoError(t, s.ArchiveTask(t.Context(), "t7", true))
	require.NoError(t, s.DeleteTask(t.Context(), "t7"))
	rows := []struct {
		name   string
		filter history.TaskFilter
		want   []string
	}{
		{"all, the latest first", history.TaskFilter{}, []string{"t9", "t8", "t5", "t3", "t2", "t1", "t0"}},
		{"by state", history.TaskFilter{States: []agent.TaskState{agent.TaskNeedsYou}}, []string{"t9", "t5", "t3", "t1"}},
		{"by states", history.TaskFilter{States: []agent.TaskState{agent.TaskNeedsYou, agent.TaskDone}, Limit: 2}, []string{"t9", "t8"}},
		{"by agent", history.TaskFilter{Agent: agent.OpenCode}, []string{"t8", "t2", "t0"}},
		{"by a word of the title", history.TaskFilter{Text: "task 100%_3"}, []string{"t3"}},
		{"signs of LIKE mean themselves", history.TaskFilter{Text: "100x"}, nil},
		{"by folder", history.TaskFilter{Text: "/w/8"}, []string{"t8"}},
		{"by the transcript", history.TaskFilter{Text: "zebra"}, []string{"t3"}},
		{"archived", history.TaskFilter{Archived: true}, []string{"t4"}},
		{"deleted", history.TaskFilter{Deleted: true}, []string{"t7", "t6"}},
		{"all at once", history.TaskFilter{States: []agent.TaskState{agent.TaskNeedsYou}, Agent: agent.Claude, Text: "Task", Limit: 2,
			Before: history.TaskCursor{UpdatedAt: when, ID: "x"}}, []string{"t9", "t5"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			tasks, err := s.Tasks(t.Context(), row.filter)
			require.NoError(t, err)
			assert.Equal(t, row.want, ids(tasks))
		})
	}
}

func TestPagesOfTasksMeet(t *testing.T) {
	s := board(t)
	var all []string
	var at history.TaskCursor
	for {
		page, err := s.Tasks(t.Context(), history.TaskFilter{Before: at, Limit: 3})
		require.NoError(t, err)
		if len(page) == 0 {
			break
		}
		all = append(all, ids(page)...)
		last := page[len(page)-1]
		at = history.TaskCursor{UpdatedAt: last.UpdatedAt, ID: last.ID}
	}
	assert.Equal(t, []string{"t9", "t8", "t7", "t6", "t5", "t4", "t3", "t2", "t1", "t0"}, all)
}

func TestAChangeOfStateMovesATaskToTheFront(t *testing.T) {
	s := board(t)
	s.Record([]agent.Entry{{Session: "s0", At: when, Fact: agent.StateSet{Session: agent.SessionRunning, Task: agent.TaskRunning}}}, true, nil)
	require.NoError(t, s.Flush(t.Context()))
	tasks, err := s.Tasks(t.Context(), history.TaskFilter{Limit: 1})
	require.NoError(t, err)
	require.Len(t, tasks, 1)
	assert.Equal(t, agent.TaskID("t0"), tasks[0].ID)
	assert.Equal(t, agent.TaskRunning, tasks[0].State)
	assert.Equal(t, when, tasks[0].UpdatedAt)
}

func TestTasksAndSessionsAreWhatTheyWereMade(t *testing.T) {
	s := board(t)
	at := time.Date(2026, 1, 2, 3, 5, 5, 0, time.UTC)
	require.NoError(t, s.RenameTask(t.Context(), "t3", "Anew"))
	task, err := s.Task(t.Context(), "t3")
	require.NoError(t, err)
	assert.Equal(t, history.Task{ID: "t3", Title: "Anew", Dir: "/w/3", State: agent.TaskNeedsYou, Kind: agent.Claude,
		CreatedAt: at, UpdatedAt: at}, task)
	sessions, err := s.Sessions(t.Context(), "t3")
	require.NoError(t, err)
	require.Len(t, sessions, 1)
	got := sessions[0]
	assert.Equal(t, history.NewSession{ID: "s3", Task: "t3", Kind: agent.Claude, Command: []string{"agent", "--acp"}, Dir: "/w",
		Options: map[string]string{"model": "m"}, CreatedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}, got.NewSession)
	assert.Equal(t, agent.SessionWaiting, got.State)
	assert.NotZero(t, got.Owner.PID)
}

func TestWhatIsWrongIsSaid(t *testing.T) {
	s := board(t)
	ctx := t.Context()
	rows := []struct {
		name string
		do   func() error
		want error
	}{
		{"a task twice", func() error { return s.CreateTask(ctx, history.Task{ID: "t1"}) }, history.ErrRefused},
		{"a task without an id", func() error { return s.CreateTask(ctx, history.Task{}) }, history.ErrRefused},
		{"a session twice", func() error { return s.CreateSession(ctx, history.NewSession{ID: "s1", Task: "t1"}) }, history.ErrRefused},
		{"a session of no task", func() error { return s.CreateSession(ctx, history.NewSession{ID: "x", Task: "x"}) }, history.ErrNotFound},
		{"renaming nothing", func() error { return s.RenameTask(ctx, "x", "y") }, history.ErrNotFound},
		{"deleting nothing", func() error { return s.DeleteTask(ctx, "x") }, history.ErrNotFound},
		{"reading no task", func() error { _, err := s.Task(ctx, "x"); return err }, history.ErrNotFound},
		{"reading no session", func() error { _, err := s.Session(ctx, "x"); return err }, history.ErrNotFound},
		{"reading no turn", func() error { _, err := s.Turn(ctx, "s1", 9); return err }, history.ErrNotFound},
		{"reading parts of no session", func() error { _, err := s.Parts(ctx, history.PartQuery{Session: "x"}); return err }, history.ErrNotFound},
		{"restoring nothing", func() error { _, err := s.Restore(ctx, "x"); return err }, history.ErrNotFound},
		{"no folder at all", func() error { _, _, err := history.Open(ctx, history.Options{}); return err }, nil},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			err := row.do()
			require.Error(t, err)
			if row.want != nil {
				assert.ErrorIs(t, err, row.want)
			}
		})
	}
}

func TestPagesOfATranscript(t *testing.T) {
	p := mustPlace(t, t.TempDir())
	var facts []agent.Fact
	for seq := range uint64(10) {
		facts = append(facts, text(seq+1, fmt.Sprint(seq+1)))
	}
	p.store(t, 1, facts...)
	rows := []struct {
		name  string
		query history.PartQuery
		want  []uint64
	}{
		{"from the start", history.PartQuery{Limit: 3}, []uint64{1, 2, 3}},
		{"from the end", history.PartQuery{Limit: 3, Backwards: true}, []uint64{10, 9, 8}},
		{"on from a place", history.PartQuery{From: 9, Limit: 3}, []uint64{9, 10}},
		{"back from a place", history.PartQuery{From: 2, Limit: 3, Backwards: true}, []uint64{2, 1}},
		{"beyond the end", history.PartQuery{From: 11}, nil},
		{"far beyond the end", history.PartQuery{From: 1 << 60}, nil},
		{"back from far beyond the end", history.PartQuery{From: 1 << 60, Limit: 1, Backwards: true}, []uint64{10}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			row.query.Session = p.session
			parts, err := p.Parts(t.Context(), row.query)
			require.NoError(t, err)
			var got []uint64
			for _, part := range parts {
				got = append(got, part.Seq)
			}
			assert.Equal(t, row.want, got)
		})
	}
}
