package local_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"turnwatch/backend/agent"
	"turnwatch/backend/local"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// short is a folder whose path is short enough for a socket on every system.
func short(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "tw")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func TestASecondStartRaisesTheFirst(t *testing.T) {
	dir := filepath.Join(short(t), "data")
	first, err := local.Take(dir)
	require.NoError(t, err)
	var raised atomic.Int32
	var tasks []agent.TaskID // one call after the other
	require.NoError(t, first.Listen(func(task agent.TaskID) {
		raised.Add(1)
		tasks = append(tasks, task)
	}))

	_, err = local.Take(dir)
	require.ErrorIs(t, err, local.ErrTaken)
	require.NoError(t, local.Raise(t.Context(), dir, ""))
	require.NoError(t, local.Raise(t.Context(), dir, "01ARZ3"))
	assert.Equal(t, int32(2), raised.Load(), "answered after it was raised")

	for _, name := range []string{"window.lock", "window.sock"} {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm(), name)
	}
	require.NoError(t, first.Close())
	assert.Equal(t, []agent.TaskID{"", "01ARZ3"}, tasks)
	require.Error(t, local.Raise(t.Context(), dir, ""), "nobody is there any more")
	again, err := local.Take(dir)
	require.NoError(t, err)
	require.NoError(t, again.Close())
}

func TestASeatThatWasLeftBehindIsFree(t *testing.T) {
	dir := short(t)
	// What a killed program leaves: a lock that nobody holds, and a dead socket.
	require.NoError(t, os.WriteFile(filepath.Join(dir, "window.lock"), nil, 0o600))
	l, err := net.Listen("unix", filepath.Join(dir, "window.sock"))
	require.NoError(t, err)
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	require.NoError(t, l.Close())
	s, err := local.Take(dir)
	require.NoError(t, err)
	require.NoError(t, s.Listen(func(agent.TaskID) {}))
	require.NoError(t, local.Raise(t.Context(), dir, ""))
	require.NoError(t, s.Close())
}

func TestWhatIsNoRequestRaisesNothing(t *testing.T) {
	dir := short(t)
	s, err := local.Take(dir)
	require.NoError(t, err)
	var raised atomic.Int32
	require.NoError(t, s.Listen(func(agent.TaskID) { raised.Add(1) }))
	for _, said := range []string{"", "\n", "RAISE\n", strings.Repeat("raise", 1000), "raise please\n", "open \n", "open turnwatch://run/x\n", "open a\n", "turnwatch://task/a\n", "open turnwatch://task/" + strings.Repeat("a", 300) + "\n"} {
		c, err := net.Dial("unix", filepath.Join(dir, "window.sock"))
		require.NoError(t, err)
		_, _ = c.Write([]byte(said))
		require.NoError(t, c.Close())
	}
	require.NoError(t, local.Raise(context.Background(), dir, ""), "and it still listens")
	assert.Equal(t, int32(1), raised.Load())
	require.NoError(t, s.Close())
}

func TestALongPathWorks(t *testing.T) {
	dir := filepath.Join(short(t), strings.Repeat("long/", 40))
	s, err := local.Take(dir)
	require.NoError(t, err)
	require.NoError(t, s.Listen(func(agent.TaskID) {}))
	require.NoError(t, local.Raise(t.Context(), dir, ""))
	require.NoError(t, s.Close())
}

func TestAFolderThatCannotBeMadeIsSaid(t *testing.T) {
	file := filepath.Join(short(t), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err := local.Take(filepath.Join(file, "data"))
	require.ErrorContains(t, err, "take window")
	require.NotErrorIs(t, err, local.ErrTaken)
}
