package core_test

import (
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/core"
	"turnwatch/backend/settings"
)

// In a folder whose OpenCode sends prompts by itself nothing is sent; where it does
// not, the same turn is continued.
func TestTwoDoNotSendPromptsInOneSession(t *testing.T) {
	var chosen atomic.Pointer[settings.Auto]
	a := atOnce()
	chosen.Store(&a)
	c, _, _ := automatic(t, &chosen)
	for _, rival := range []bool{true, false} {
		dir := t.TempDir()
		require.NoError(t, os.Mkdir(filepath.Join(dir, ".git"), 0o700))
		if rival {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "opencode.json"), []byte(`{"plugin":["opencode-auto-resume"]}`), 0o600))
		}
		ref, err := c.NewTask(t.Context(), core.NewTask{Dir: dir, Kind: agent.OpenCode})
		require.NoError(t, err)
		w := c.Watch(ref.Session)
		require.NoError(t, c.ChooseAuto(t.Context(), ref.Session, settings.AutoSafe))
		say(t, c, ref.Session, unfinished)
		settled := func(e agent.Entry) bool { _, over := e.Fact.(agent.TurnSettled); return over }
		see(t, w, settled)
		if !rival {
			see(t, w, func(e agent.Entry) bool {
				f, ok := e.Fact.(agent.TurnStarted)
				return ok && f.Auto != nil
			})
		} else { // what comes next shows that the first would have come before it
			say(t, c, ref.Session, "hello")
			see(t, w, settled)
			steps, err := c.AutoSteps(t.Context(), ref.Session, 0, 0)
			require.NoError(t, err)
			assert.Empty(t, steps)
		}
		w.Close()
	}
}
