//go:build unix

package step_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/build/task/internal/step"
)

func shell(script string, env ...string) step.Command {
	return step.Command{Env: env, Args: []string{"sh", "-c", script}}
}

func TestRun(t *testing.T) {
	tests := []struct {
		name    string
		command step.Command
		output  string
		status  int    // 0: no error
		err     string // part of it
	}{
		{"both streams and the environment", shell(`echo "$WORD"; echo oops >&2`, "WORD=hello"), "hello\noops\n", 0, ""},
		{"no standard input", shell(`cat; echo end`), "end\n", 0, ""},
		{"the status of a failure", shell(`echo half; exit 7`), "half\n", 7, "run sh: exit status 7"},
		{"a program that is not there", step.Command{Args: []string{"no-such-program-at-all"}}, "", -1, "no-such-program-at-all"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			err := step.Run(t.Context(), tt.command, &out)
			assert.Equal(t, tt.output, out.String())
			if tt.status == 0 {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, tt.err)
			var exit *exec.ExitError
			if tt.status > 0 && assert.ErrorAs(t, err, &exit) {
				assert.Equal(t, tt.status, exit.ExitCode())
			}
		})
	}
}

func TestRunPartsTheStreams(t *testing.T) {
	var out, complaints bytes.Buffer
	c := shell(`echo result; echo remark >&2`)
	c.Complaints = &complaints
	require.NoError(t, step.Run(t.Context(), c, &out))
	assert.Equal(t, "result\n", out.String())
	assert.Equal(t, "remark\n", complaints.String())
}

func TestOutput(t *testing.T) {
	got, err := step.Output(t.Context(), shell(`echo v20; echo remark >&2`))
	require.NoError(t, err)
	assert.Equal(t, "v20\n", got)

	_, err = step.Output(t.Context(), shell(`echo why it failed >&2; exit 1`))
	require.ErrorContains(t, err, "exit status 1: why it failed")
}

// An interrupted command takes with it what it started, also what does not
// listen to the interrupt and holds on to the pipe.
func TestInterruptEndsTheWholeGroup(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "alive")
	require.NoError(t, syscall.Mkfifo(fifo, 0o600))
	ended := make(chan error, 1)
	started := make(chan struct{})
	go func() {
		f, err := os.Open(fifo) // until the grandchild has opened it, too
		if err == nil {
			defer f.Close()
			_, err = io.ReadFull(f, make([]byte, 1))
			close(started)
		}
		if err == nil {
			_, err = io.Copy(io.Discard, f) // until the grandchild is gone
		}
		ended <- err
	}()

	cause := errors.New("the user pressed Ctrl-C")
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() { <-started; cancel(cause) }()
	grandchild := `trap "" INT TERM; printf x; exec sleep 1000`
	var out bytes.Buffer
	begin := time.Now()
	err := step.Run(ctx, shell(`sh -c '`+grandchild+`' > "$FIFO" & wait`, "FIFO="+fifo), &out)
	require.ErrorIs(t, err, cause)
	assert.Less(t, time.Since(begin), 60*time.Second)
	require.NoError(t, <-ended, "the grandchild has to let go of the pipe")
}

func TestADeadlineTellsItsCause(t *testing.T) {
	late := errors.New("the 15 minutes are over")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, late)
	defer cancel()
	var out strings.Builder
	require.ErrorIs(t, step.Run(ctx, shell("exec sleep 1000"), &out), late)
}

func TestAttached(t *testing.T) {
	var exit *exec.ExitError
	require.ErrorAs(t, step.Attached(t.Context(), shell("exit 12")), &exit)
	assert.Equal(t, 12, exit.ExitCode())
}

// The terminal tells the program of Ctrl-C, and it ends in its own time; only
// other ends are passed on.
func TestAttachedLeavesCtrlCToTheProgram(t *testing.T) {
	interrupted, cancel := context.WithCancelCause(t.Context())
	cancel(step.ErrInterrupted)
	require.NoError(t, step.Attached(interrupted, shell("exit 0")), "it ran to its end")

	terminated, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(50*time.Millisecond, func() { cancel(step.ErrTerminated) })
	begin := time.Now()
	require.ErrorIs(t, step.Attached(terminated, shell("exec sleep 1000")), step.ErrTerminated)
	assert.Less(t, time.Since(begin), 60*time.Second)
}
