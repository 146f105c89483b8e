//go:build unix

package cli_test

import (
	"bufio"
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
)

// kills is how often the program is killed; more with TURNWATCH_TEST_KILLS.
func kills(t *testing.T) int {
	t.Helper()
	more := os.Getenv("TURNWATCH_TEST_KILLS")
	if more == "" {
		return 20
	}
	n, err := strconv.Atoi(more)
	require.NoError(t, err)
	return n
}

// killed runs a turn and kills the program after so many lines. It tells what a
// reader of its output knew by then.
func killed(t *testing.T, data, scenario string, lines int) (dispatched bool, outcome agent.Outcome) {
	t.Helper()
	cmd := tw(t, "run", "--data", data, "--agent", "demo", "--prompt", "play", "--json",
		"--", program, "demo-agent", "--pace", "0.1", "--scenario", scenario)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	in := bufio.NewReader(out)
	for range lines {
		raw, err := in.ReadBytes('\n')
		if err != nil {
			break
		}
		var l line
		require.NoError(t, json.Unmarshal(raw, &l))
		dispatched = dispatched || l.Act == "turn"
		if l.Act == "settled" {
			outcome = l.Outcome
		}
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // killed
	return dispatched, outcome
}

// Whatever moment it is killed at: the database opens, no prompt and no outcome
// that it told of is lost, a turn that was open is interrupted, and after the
// next run no process is left.
func TestKilledAtAnyMoment(t *testing.T) {
	data := t.TempDir()
	prompts, outcomes := 0, map[agent.Outcome]int{}
	for i := range kills(t) {
		scenario := []string{"ok", "tools", "flood"}[i%3]
		dispatched, outcome := killed(t, data, scenario, rand.IntN(60))
		if dispatched {
			prompts++
		}
		if outcome != "" {
			outcomes[outcome]++
		}
	}
	_, stderr, status := call(t, "", demoRun(data, "ok")...)
	require.Equal(t, 0, status, stderr)
	assert.Empty(t, left(t), "something is left running")

	store, err := history.OpenReader(t.Context(), history.Options{Dir: data})
	require.NoError(t, err)
	defer store.Close(context.Background())
	tasks, err := store.Tasks(t.Context(), history.TaskFilter{Limit: 500})
	require.NoError(t, err)
	found := map[agent.Outcome]int{}
	for _, task := range tasks {
		sessions, err := store.Sessions(t.Context(), task.ID)
		require.NoError(t, err)
		for _, s := range sessions {
			turns, err := store.Turns(t.Context(), s.ID, 0, 0)
			require.NoError(t, err)
			for _, turn := range turns {
				require.NotNil(t, turn.End, "a turn is still open")
				found[turn.End.Outcome]++
				assert.NotEmpty(t, turn.Prompt.Blocks)
			}
		}
	}
	assert.Subset(t, []agent.Outcome{agent.Completed, agent.Interrupted}, keys(found))
	assert.GreaterOrEqual(t, found[agent.Completed], outcomes[agent.Completed]+1)
	assert.GreaterOrEqual(t, found[agent.Completed]+found[agent.Interrupted], prompts+1)
	t.Logf("told: %d prompts, %v; found: %v", prompts, outcomes, found)
}

func TestTheRecordOfAKilledRunIsNotCalledRunning(t *testing.T) {
	data := t.TempDir()
	cmd := tw(t, demoRun(data, "loop", "--json")...)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	in := bufio.NewReader(out)
	for l := (line{}); l.Act != "text"; {
		raw, err := in.ReadBytes('\n')
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(raw, &l))
	}
	stdout, _, _ := call(t, "", "history", "--data", data)
	assert.Contains(t, stdout, "running")
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait() // killed

	stdout, _, status := call(t, "", "history", "--data", data, "--json")
	require.Equal(t, 0, status)
	var task struct{ ID, State string }
	require.NoError(t, json.Unmarshal([]byte(stdout), &task))
	assert.Equal(t, "needs_you", task.State)
	stdout, _, _ = call(t, "", "history", "--data", data)
	assert.Contains(t, stdout, "needs you")
	stdout, _, _ = call(t, "", "history", "--data", data, task.ID)
	assert.Contains(t, stdout, "needs you")
	assert.Contains(t, stdout, "Interrupted: Turnwatch or this computer stopped")
	stdout, _, _ = call(t, "", "history", "--data", data, task.ID, "--json")
	assert.Contains(t, stdout, `"state":"waiting_for_input"`)
	assert.Contains(t, stdout, `"outcome":"interrupted"`)
	assert.NotContains(t, stdout, "ended_at")

	_, stderr, status := call(t, "", demoRun(data, "ok")...) // sees to what was left
	assert.Equal(t, 0, status, stderr)
	assert.Empty(t, left(t))
}

func keys[K comparable, V any](m map[K]V) []K {
	var out []K
	for k := range m {
		out = append(out, k)
	}
	return out
}
