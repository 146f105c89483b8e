package core_test

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/core"
	"turnwatch/backend/history"
	"turnwatch/backend/settings"
)

// atOnce are options that wait for nothing.
func atOnce() settings.Auto {
	a := settings.Auto{Folders: map[string]settings.Choice{}, Options: map[string]json.RawMessage{}}
	for _, name := range []string{"countdownMs", "warmupMs", "actionIntentDelayMs", "minActivityGapMs", "activeUserWindowMs"} {
		a.Options[name] = json.RawMessage("0")
	}
	return a
}

// automatic is a core with one task whose agent says every prompt back, and with
// the auto-resume that the user has chosen.
func automatic(t *testing.T, chosen *atomic.Pointer[settings.Auto]) (*core.Core, core.Ref, *core.Watch) {
	t.Helper()
	c, err := core.Open(t.Context(), core.Options{
		Dir: t.TempDir(), Auto: func() settings.Auto { return *chosen.Load() },
		Connect: func(agent.Kind, []string) agent.Connector { return &echo{} },
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close(context.Background())) })
	ref, err := c.NewTask(t.Context(), core.NewTask{Dir: t.TempDir(), Kind: agent.Demo})
	require.NoError(t, err)
	w := c.Watch(ref.Session)
	t.Cleanup(w.Close)
	return c, ref, w
}

// see takes facts from a watch until one is what is waited for.
func see(t *testing.T, w *core.Watch, is func(agent.Entry) bool) {
	t.Helper()
	for {
		select {
		case <-w.Ready():
		case <-t.Context().Done():
			t.Fatal("the fact did not come")
		}
		entries, ok := w.Take()
		for _, e := range entries {
			if is(e) {
				return
			}
		}
		require.True(t, ok, "the watch has ended")
	}
}

const unfinished = "I have read the parser. Next I will write the tests:"

// A turn that stops before what it announces is continued where the user has
// switched that on: marked, counted and in the ledger.
func TestATurnIsContinuedWhereTheUserWantsIt(t *testing.T) {
	var chosen atomic.Pointer[settings.Auto]
	a := atOnce()
	chosen.Store(&a)
	c, ref, w := automatic(t, &chosen)
	require.NoError(t, c.ChooseAuto(t.Context(), ref.Session, settings.AutoSafe))
	say(t, c, ref.Session, unfinished)
	var mark *agent.Auto
	see(t, w, func(e agent.Entry) bool {
		if f, ok := e.Fact.(agent.TurnStarted); ok && f.Auto != nil {
			mark = f.Auto
		}
		_, over := e.Fact.(agent.TurnSettled)
		return over && mark != nil
	})
	assert.Equal(t, &agent.Auto{Kind: "action_intent", Count: 1}, mark)
	require.NoError(t, c.History().Flush(t.Context()))
	steps, err := c.AutoSteps(t.Context(), ref.Session, 0, 0)
	require.NoError(t, err)
	acts := map[string]history.AutoStep{}
	for _, s := range steps {
		acts[s.Act] = s
	}
	assert.Equal(t, "action_intent", acts["prompt"].Kind)
	assert.Equal(t, "accepted", acts["outcome"].Result)
	assert.Equal(t, acts["prompt"].Row, acts["outcome"].Of)
	got, err := c.AutoOf(t.Context(), ref.Session)
	require.NoError(t, err)
	assert.Equal(t, core.Auto{Choice: settings.AutoSafe, Now: settings.AutoSafe}, got)
}

// Where nothing was switched on, or everything is stopped, nothing is sent. What
// comes second shows that the first would have come before it.
func TestNothingIsSentWhereNobodySwitchedItOn(t *testing.T) {
	for name, row := range map[string]struct {
		choice settings.Choice
		stop   bool
	}{
		"nothing is chosen":            {"", false},
		"off":                          {settings.AutoOff, false},
		"switched on, and all stopped": {settings.AutoFull, true},
	} {
		t.Run(name, func(t *testing.T) {
			var chosen atomic.Pointer[settings.Auto]
			a := atOnce()
			a.Stopped = row.stop
			chosen.Store(&a)
			c, ref, w := automatic(t, &chosen)
			require.NoError(t, c.ChooseAuto(t.Context(), ref.Session, row.choice))
			for range 2 {
				say(t, c, ref.Session, unfinished)
				see(t, w, func(e agent.Entry) bool {
					if f, ok := e.Fact.(agent.TurnStarted); ok {
						assert.Nil(t, f.Auto)
					}
					_, over := e.Fact.(agent.TurnSettled)
					return over
				})
			}
			require.NoError(t, c.History().Flush(t.Context()))
			steps, err := c.AutoSteps(t.Context(), ref.Session, 0, 0)
			require.NoError(t, err)
			assert.Empty(t, steps)
		})
	}
}

// A folder's choice holds for its tasks, and a change of it at once.
func TestAFolderMayBeSwitchedOnWhileATaskIsOpen(t *testing.T) {
	var chosen atomic.Pointer[settings.Auto]
	a := atOnce()
	chosen.Store(&a)
	c, ref, w := automatic(t, &chosen)
	say(t, c, ref.Session, "hello")
	see(t, w, func(e agent.Entry) bool { _, over := e.Fact.(agent.TurnSettled); return over })
	row, err := c.History().Session(t.Context(), ref.Session)
	require.NoError(t, err)

	b := atOnce()
	b.Folders[row.Dir] = settings.AutoSafe
	chosen.Store(&b)
	require.NoError(t, c.AutoChanged(t.Context()))
	got, err := c.AutoOf(t.Context(), ref.Session)
	require.NoError(t, err)
	assert.Equal(t, core.Auto{Folder: settings.AutoSafe, Now: settings.AutoSafe}, got)
	say(t, c, ref.Session, unfinished)
	see(t, w, func(e agent.Entry) bool {
		f, ok := e.Fact.(agent.TurnStarted)
		return ok && f.Auto != nil
	})
}
