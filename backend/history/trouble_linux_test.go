package history_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
)

// mount mounts a file system of some size over a new folder. Only root may.
func mount(t *testing.T, options string) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "history") // where others may look into, too
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, os.RemoveAll(dir)) })
	require.NoError(t, os.Chmod(dir, 0o755))
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		t.Skipf("a full disk can be made by root alone, who may mount: %v", err)
	}
	t.Cleanup(func() { assert.NoError(t, syscall.Unmount(dir, syscall.MNT_DETACH)) })
	return dir
}

// fill takes all the room that is left, but for some bytes, and gives it back.
func fill(t *testing.T, dir string, but int64) (free func()) {
	t.Helper()
	name := filepath.Join(dir, "ballast")
	f, err := os.Create(name)
	require.NoError(t, err)
	chunk := make([]byte, 4096)
	for err == nil {
		_, err = f.Write(chunk)
	}
	require.ErrorIs(t, err, syscall.ENOSPC)
	size, err := f.Seek(0, 2)
	require.NoError(t, err)
	require.NoError(t, f.Truncate(max(0, size-but)))
	require.NoError(t, f.Close())
	return func() { require.NoError(t, os.Remove(name)) }
}

func TestAFullDiskLosesNothingThatMustBeStored(t *testing.T) {
	dir := mount(t, "size=3m")
	told := make(chan history.Health, 10)
	c := newClock()
	s, _ := mustOpen(t, history.Options{Dir: dir, Clock: c, OnHealth: func(h history.Health) { told <- h }})
	p := &place{s, "t1", "s1", c.Now()}
	require.NoError(t, s.CreateTask(t.Context(), history.Task{ID: p.task}))
	require.NoError(t, s.CreateSession(t.Context(), history.NewSession{ID: p.session, Task: p.task}))
	p.store(t, 1, agent.TurnStarted{Generation: 1, Prompt: prompt("p1", "go")}, text(1, "before"))

	free := fill(t, dir, 0)
	big := strings.Repeat("a lot of text ", 20000)
	answers := make(chan error, 10)
	p.Record(p.entries(1, text(2, big), agent.StateSet{Session: agent.SessionRunning}), true, func(err error) { answers <- err })
	h := <-told
	require.ErrorIs(t, h.Err, history.ErrDiskFull)
	var e *history.Error
	require.ErrorAs(t, h.Err, &e)
	assert.Equal(t, history.HintDiskFull, e.Hint)
	assert.Equal(t, map[string]string{"dir": dir}, e.Args)

	refused := make(chan error, 1)
	p.Record(p.entries(0, agent.PromptQueued{Prompt: prompt("p2", "more")}), false, func(err error) { refused <- err })
	p.Record(p.entries(1, agent.TurnSettled{Outcome: agent.Completed}), true, func(err error) { answers <- err })
	c.advance(time.Second) // the second try, in vain
	assert.ErrorIs(t, <-refused, history.ErrDiskFull)
	assert.Equal(t, []string{"1:before"}, texts(t, p.Store, p.session), "what is stored can be read meanwhile")
	assert.Empty(t, answers)

	free()
	for deadline := time.After(30 * time.Second); len(answers) < 2; {
		select {
		case <-deadline:
			t.Fatal("not stored though there is room again")
		default:
			c.advance(time.Second)
			runtime.Gosched()
		}
	}
	assert.NoError(t, <-answers)
	assert.NoError(t, <-answers)
	assert.Equal(t, []string{"1:before", "2:" + big}, texts(t, p.Store, p.session))
	assert.Equal(t, agent.Completed, readTurn(t, p.Store, 1).End.Outcome)
	assert.Empty(t, readQueue(t, p.Store))
	assert.NoError(t, p.Health().Err)
}

func TestOpeningOnAFullDisk(t *testing.T) {
	for name, room := range map[string]int64{"no room": 0, "room for a part of it": 64 << 10} {
		t.Run(name, func(t *testing.T) {
			dir := mount(t, "size=1m")
			fill(t, dir, room)
			_, _, err := history.Open(t.Context(), history.Options{Dir: dir})
			require.ErrorIs(t, err, history.ErrDiskFull)
			var e *history.Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, history.HintDiskFull, e.Hint)
		})
	}
}

func TestAMigrationThatHasNoRoomForItsCopyLeavesTheDatabaseAsItWas(t *testing.T) {
	dir := mount(t, "size=1m")
	loadFixture(t, dir, "v1.sql")
	free := fill(t, dir, 40<<10)
	_, _, err := history.Open(t.Context(), history.Options{Dir: dir})
	require.ErrorIs(t, err, history.ErrDiskFull)
	copies, err := os.ReadDir(filepath.Join(dir, "backups"))
	require.NoError(t, err)
	assert.Empty(t, copies, "half a copy is no copy")
	free()
	_, opened := mustOpen(t, history.Options{Dir: dir})
	assert.True(t, opened.Migrated)
}

func TestAReadOnlyDisk(t *testing.T) {
	dir := mount(t, "size=8m")
	full(t, dir)
	require.NoError(t, syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	_, _, err := history.Open(t.Context(), history.Options{Dir: dir})
	require.ErrorIs(t, err, history.ErrReadOnly)
	var e *history.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, history.HintReadOnly, e.Hint)
	_, _, err = history.Open(t.Context(), history.Options{Dir: filepath.Join(dir, "new")})
	require.ErrorIs(t, err, history.ErrReadOnly)

	r, err := history.OpenReader(t.Context(), history.Options{Dir: dir})
	require.NoError(t, err, "what was closed in order can be read all the same")
	assert.Len(t, texts(t, r, "s1"), 500)
	require.NoError(t, r.Close(t.Context()))
}

func TestADiskThatBecomesReadOnly(t *testing.T) {
	dir := mount(t, "size=8m")
	told := make(chan history.Health, 10)
	c := newClock()
	s, _ := mustOpen(t, history.Options{Dir: dir, Clock: c, OnHealth: func(h history.Health) { told <- h }})
	require.NoError(t, s.CreateTask(t.Context(), history.Task{ID: "t1"}))
	require.NoError(t, s.Close(t.Context()))
	require.NoError(t, syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	_, _, err := history.Open(t.Context(), history.Options{Dir: dir, Clock: c})
	assert.ErrorIs(t, err, history.ErrReadOnly)
}

// A folder of another user's: root may write anywhere, so another program, who
// is nobody, has to try.
func TestFoldersOfAnotherUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can make a folder that is another user's")
	}
	rows := []struct {
		name string
		make func(t *testing.T, dir string)
		mode fs.FileMode
		want string
	}{
		{"cannot be written to", func(*testing.T, string) {}, 0o755, history.HintReadOnly},
		{"holds a database that can be read only", func(t *testing.T, dir string) {
			full(t, dir)
			require.NoError(t, os.Chmod(filepath.Join(dir, "history.db"), 0o644))
		}, 0o755, history.HintReadOnly},
		{"cannot be looked into", func(*testing.T, string) {}, 0o700, history.HintReadOnly},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			dir := mount(t, "size=8m,mode=755")
			row.make(t, dir)
			require.NoError(t, os.Chmod(dir, row.mode))
			assert.Contains(t, asNobody(t, dir), row.want)
		})
	}
}

// asNobody opens a history as a user who owns nothing, and returns what came of
// it. The test binary is copied to where that user can run it.
func asNobody(t *testing.T, dir string) string {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	b, err := os.ReadFile(self)
	require.NoError(t, err)
	bin := filepath.Join(mount(t, "size=200m,mode=755"), "test")
	require.NoError(t, os.WriteFile(bin, b, 0o755))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, bin)
	cmd.Dir = "/"
	cmd.Env = append(os.Environ(), helperRole+"=open", helperDir+"="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}

// A disk may fill up at any place of opening: each says so and leaves nothing
// open, and once there is room the history opens.
func TestADiskThatIsTooSmallToOpenOnSaysSo(t *testing.T) {
	opened := 0
	for kib := 16; kib <= 1024; kib += 24 {
		dir := mount(t, fmt.Sprintf("size=%dk", kib))
		s, _, err := history.Open(t.Context(), history.Options{Dir: filepath.Join(dir, "data")})
		if err == nil {
			opened++
			require.NoError(t, s.Close(t.Context()), "%d KiB", kib)
			continue
		}
		assert.True(t, errors.Is(err, history.ErrDiskFull) || errors.Is(err, syscall.ENOSPC), "%d KiB: %v", kib, err)
		require.NoError(t, syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size=8m"))
		s, _, err = history.Open(t.Context(), history.Options{Dir: filepath.Join(dir, "data")})
		require.NoError(t, err, "%d KiB, then room", kib)
		require.NoError(t, s.Close(t.Context()))
	}
	assert.Positive(t, opened, "the largest of them has room")
}
