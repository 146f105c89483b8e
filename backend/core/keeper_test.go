package core_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/core"
	"turnwatch/backend/settings"
)

// turns is a clock of which only long timers are the test's, to fire at will: the
// short ones are the history's own.
type turns struct {
	*hand
	due chan func()
}

func (c *turns) AfterFunc(d time.Duration, f func()) func() bool {
	if d < 2*time.Minute {
		return c.hand.AfterFunc(d, f)
	}
	c.due <- f
	return func() bool { return true }
}

// What the user allows to be dropped is dropped a while after opening, and again
// later, with what is allowed then.
func TestTheHistoryIsKeptWithinWhatTheUserAllows(t *testing.T) {
	for name, row := range map[string]struct {
		keep settings.Keep
		gone bool
	}{
		"a deleted task after its day":       {settings.Keep{Purge: 1}, true},
		"a deleted task that may stay":       {settings.Keep{}, false},
		"a deleted task that has days to go": {settings.Keep{Purge: 4}, false},
	} {
		t.Run(name, func(t *testing.T) {
			clock := &turns{hand: &hand{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}, due: make(chan func(), 8)}
			c, err := core.Open(t.Context(), core.Options{
				Dir: t.TempDir(), Clock: clock, Awake: clock.Awake,
				Keep:    func() settings.Keep { return row.keep },
				Connect: func(agent.Kind, []string) agent.Connector { return &echo{} },
			})
			require.NoError(t, err)
			ref, err := c.NewTask(t.Context(), core.NewTask{Dir: t.TempDir(), Kind: agent.Demo})
			require.NoError(t, err)
			_, err = c.Submit(t.Context(), ref.Session, []agent.Block{agent.TextBlock("go")})
			require.NoError(t, err)
			require.NoError(t, c.Stop(t.Context(), ref.Session))
			require.NoError(t, c.History().DeleteTask(t.Context(), ref.Task))
			clock.pass(48 * time.Hour)

			(<-clock.due)()
			err = c.History().UndeleteTask(t.Context(), ref.Task)
			if row.gone {
				assert.Error(t, err, "nothing is left to bring back")
			} else {
				assert.NoError(t, err)
			}
			assert.Len(t, clock.due, 1, "it comes again")
			require.NoError(t, c.Close(context.Background()))
			(<-clock.due)()
			assert.Empty(t, clock.due, "not after the close")
		})
	}
}
