//go:build unix

package demo_test

import (
	"errors"
	"regexp"
	"strconv"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/demo"
)

// The real tool is a process of its own group, and is gone with its turn.
func TestRealToolEndsWithItsTurn(t *testing.T) {
	for _, by := range []string{"cancel", "EOF", "kill"} {
		t.Run(by, func(t *testing.T) {
			r := open(t, demo.Options{Scenario: "tools", RealTools: true})
			p := r.prompt("go")
			pid := childOf(r)
			group, err := syscall.Getpgid(pid)
			require.NoError(t, err)
			assert.Equal(t, pid, group)
			switch by {
			case "cancel":
				r.cancel()
				stop, err := r.stop(p)
				require.NoError(t, err)
				assert.Equal(t, agent.StopCancelled, stop)
			case "kill":
				require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
				stop, err := r.stop(p)
				require.NoError(t, err)
				assert.Equal(t, agent.EndTurn, stop)
				assert.Contains(t, r.frames(), "ended from outside")
			}
			r.close()
			assert.True(t, errors.Is(syscall.Kill(pid, 0), syscall.ESRCH), "nothing is left of it")
		})
	}
}

// childOf waits for the tool's process and returns its id.
func childOf(r *rig) int {
	started := regexp.MustCompile(`Started process (\d+)`)
	pid := 0
	r.until(func() bool {
		for _, f := range r.raw {
			if m := started.FindStringSubmatch(f); m != nil {
				pid, _ = strconv.Atoi(m[1])
			}
		}
		return pid > 0
	})
	return pid
}
