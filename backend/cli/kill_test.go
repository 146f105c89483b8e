//go:build unix

package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
)

// kills is how often TestAKillAtAnyMoment kills; TURNWATCH_TEST_KILLS asks for more.
func kills(t *testing.T) int {
	if s := os.Getenv("TURNWATCH_TEST_KILLS"); s != "" {
		n, err := strconv.Atoi(s)
		require.NoError(t, err)
		return n
	}
	return 20
}

// TestAKillAtAnyMoment kills tw with signal 9 at random moments of turns that
// stream, all on one data folder. Afterwards the database opens, what tw had
// said to be started or settled is there, every other turn is interrupted, and
// once the next program has opened the folder no process is left.
func TestAKillAtAnyMoment(t *testing.T) {
	data := t.TempDir()
	scenarios := []string{"loop", "tools", "flood", "ignores-cancel"}
	started, settled, before, orphans := 0, 0, 0, 0
	for i := range kills(t) {
		scenario := scenarios[i%len(scenarios)]
		cmd := tw(t, "run", "--data", data, "--agent", "demo", "--json", "--prompt", "play "+scenario, "--title", strconv.Itoa(i),
			"--", program, "demo-agent", "--pace", "0.05", "--scenario", scenario)
		var out bytes.Buffer
		cmd.Stdout = &out
		require.NoError(t, cmd.Start())
		<-time.After(time.Duration(rand.Int64N(int64(500 * time.Millisecond))))
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait()
		orphans += len(left(t))
		began, ended := saidSo(t, out.Bytes())
		switch {
		case ended != "":
			settled++
		case began:
			started++
		default:
			before++
		}
		checkTurn(t, data, strconv.Itoa(i), began, ended)
		require.Empty(t, left(t), "a process is left after the next start")
	}
	t.Logf("killed before the start was told: %d, while the turn ran: %d, after its outcome: %d; agents that outlived tw until the next start: %d", before, started, settled, orphans)
	assert.Positive(t, started, "no kill hit a running turn: the test proves nothing")
}

// saidSo reads what tw had printed before it was killed.
func saidSo(t *testing.T, out []byte) (began bool, ended agent.Outcome) {
	for _, raw := range bytes.Split(out, []byte("\n")) {
		var l line
		if json.Unmarshal(raw, &l) != nil {
			continue // cut off by the kill
		}
		began = began || l.Act == "turn"
		if l.Act == "settled" {
			ended = l.Outcome
		}
	}
	return began, ended
}

// checkTurn opens the folder as the next program would, and looks for the turn.
func checkTurn(t *testing.T, data, title string, began bool, ended agent.Outcome) {
	t.Helper()
	_, err := tw(t, "run", "--data", data, "--agent", "demo", "--prompt", "next", "--title", "next",
		"--", program, "demo-agent", "--pace", "0").Output()
	require.NoError(t, err, "the next program works")
	store, err := history.OpenReader(t.Context(), history.Options{Dir: data})
	require.NoError(t, err)
	defer store.Close(context.Background())
	tasks, err := store.Tasks(t.Context(), history.TaskFilter{Limit: 500})
	require.NoError(t, err)
	for _, task := range tasks {
		if task.Title != title {
			continue
		}
		sessions, err := store.Sessions(t.Context(), task.ID)
		require.NoError(t, err)
		if len(sessions) == 0 {
			continue
		}
		turns, err := store.Turns(t.Context(), sessions[0].ID, 0, 0)
		require.NoError(t, err)
		for _, turn := range turns {
			require.NotNil(t, turn.End, "a turn of a dead program is still open")
			if ended == "" && turn.End.Outcome != agent.Interrupted {
				t.Logf("run %s: %s was on disk and not told yet", title, turn.End.Outcome)
			}
			if ended != "" {
				assert.Equal(t, ended, turn.End.Outcome, "run %s", title)
			}
			return
		}
	}
	assert.False(t, began, "run %s: tw said that the turn had started, and it is not there", title)
	assert.Empty(t, ended, "run %s", title)
}
