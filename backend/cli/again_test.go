//go:build linux

package cli_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
)

// A person at a terminal sees that a failed prompt is sent again, hurries it twice,
// and gets the answer.
func TestAFailedPromptIsHurriedByKey(t *testing.T) {
	data := t.TempDir()
	s := sit(t, 100, demoRun(data, "overload-asks")...)
	s.until("try 1 of 5. Press r to send it now")
	require.Eventually(t, func() bool { return !s.echoes() }, bound, step, "keys are read")
	s.press("r")
	s.until("try 2 of 5. Press r to send it now")
	require.Eventually(t, func() bool { return !s.echoes() }, bound, step, "keys are read")
	s.press("xr")
	s.until("The provider has room again")
	assert.Equal(t, 0, s.leave())
	turn := lastTurn(t, data)
	assert.Equal(t, agent.Completed, turn.End.Outcome)
	assert.EqualValues(t, 3, turn.Generation)
	assert.Equal(t, 2, turn.Try)
	assert.Empty(t, left(t))
}

func TestAFailedPromptIsNotSentAgainWhenAKeyOrSignalStopsIt(t *testing.T) {
	for name, stop := range map[string]string{"c": "c", "escape": "\x1b", "Ctrl-C": "\x03"} {
		t.Run(name, func(t *testing.T) {
			data := t.TempDir()
			s := sit(t, 100, demoRun(data, "overload-asks")...)
			s.until("Press r to send it now")
			require.Eventually(t, func() bool { return !s.echoes() }, bound, step, "keys are read")
			s.press(stop)
			assert.Equal(t, 11, s.leave())
			assert.Equal(t, 1, strings.Count(s.screen(), "The prompt is not sent again."))
			turn := lastTurn(t, data)
			assert.EqualValues(t, 1, turn.Generation)
			require.NotNil(t, turn.Again)
			assert.Equal(t, agent.DropCancelled, turn.Again.Why)
		})
	}
}

// lastTurn reads the newest turn of the one session that a data folder holds.
func lastTurn(t *testing.T, data string) history.Turn {
	t.Helper()
	store, err := history.OpenReader(t.Context(), history.Options{Dir: data})
	require.NoError(t, err)
	defer store.Close(context.Background())
	tasks, err := store.Glances(t.Context(), false)
	require.NoError(t, err)
	require.Len(t, tasks, 1)
	turns, err := store.Turns(t.Context(), tasks[0].Session, 0, 1)
	require.NoError(t, err)
	require.Len(t, turns, 1)
	return turns[0]
}
