package cli_test

import (
	"errors"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"os/exec"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
)

// TestAFullDiskIsSaidAndLosesNothing lets a flood of text fill a small disk. The
// run ends with an error that says so and leaves nothing running; with room again
// the turn that was begun is there.
func TestAFullDiskIsSaidAndLosesNothing(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("a full disk can be made by root alone, who may mount: %v", err)
	}
	t.Cleanup(func() { assert.NoError(t, syscall.Unmount(dir, syscall.MNT_DETACH)) })
	data := filepath.Join(dir, "data")
	var stderr strings.Builder
	cmd := tw(t, demoRun(data, "flood", "--json")...)
	cmd.Stderr = &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	require.True(t, errors.As(err, &exit), "%v", err)
	assert.Equal(t, 1, exit.ExitCode(), stderr.String())
	assert.Contains(t, stderr.String(), "is full")
	assert.Empty(t, left(t))

	require.NoError(t, syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size=64m"))
	_, err = tw(t, demoRun(data, "empty-end", "--title", "next")...).Output()
	require.True(t, errors.As(err, &exit), "%v", err)
	assert.Equal(t, 14, exit.ExitCode(), "the next run works")
	out, err := tw(t, "history", "--data", data, "--json").Output()
	require.NoError(t, err)
	assert.Equal(t, 2, strings.Count(string(out), "\n"), string(out))
	assert.Contains(t, string(out), string(agent.TaskNeedsYou), "the turn that was begun is interrupted")
}
