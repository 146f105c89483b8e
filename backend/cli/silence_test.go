//go:build unix

package cli_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
)

func acts(lines []line, only ...string) []string {
	var out []string
	for _, l := range lines {
		if slices.Contains(only, l.Act) {
			out = append(out, l.Act)
		}
	}
	return slices.Compact(out)
}

// TestARetryIsSaidWhileItLasts plays, at reading pace, an agent that says that it
// tries again.
func TestARetryIsSaidWhileItLasts(t *testing.T) {
	run := func(flags ...string) []string {
		return append([]string{"run", "--data", t.TempDir(), "--agent", "demo", "--model", "retry-heals", "--prompt", "go"}, flags...)
	}
	lines, status := follow(t, tw(t, run("--json")...), nil)
	assert.Zero(t, status)
	assert.Equal(t, []string{"retry", "text", "settled"}, acts(lines, "retry", "text", "settled"))

	out, err := tw(t, run()...).Output()
	require.NoError(t, err)
	assert.Regexp(t, `The agent is retrying, attempt 1, next try \d\d:\d\d:\d\d: Overloaded`, string(out))
}

// TestALoopIsSaidAndGoesWithItsTurn plays an agent that repeats a step for ever.
func TestALoopIsSaidAndGoesWithItsTurn(t *testing.T) {
	lines, status := follow(t, tw(t, demoRun(t.TempDir(), "loop", "--json")...), act("notice"))
	assert.Equal(t, 10, status)
	assert.Equal(t, []string{"notice", "cancel", "settled", "notice.hide"}, acts(lines, "notice", "cancel", "settled", "notice.hide"))
	assert.Equal(t, agent.Cancelled, lines[len(lines)-1].Outcome)
}

// TestWhatIsAskedIsToldWithItsAnswer runs a request that nobody is there for.
func TestWhatIsAskedIsToldWithItsAnswer(t *testing.T) {
	lines, status := follow(t, tw(t, demoRun(t.TempDir(), "permission", "--json")...), nil)
	assert.Equal(t, 15, status)
	assert.Equal(t, []string{"ask.open", "ask.close", "settled"}, acts(lines, "ask.open", "ask.close", "settled"))
}
