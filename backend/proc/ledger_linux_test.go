package proc_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"turnwatch/backend/proc"
)

func open(t *testing.T, dir string) *proc.Ledger {
	t.Helper()
	l, err := proc.OpenLedger(dir, "")
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, l.Close()) })
	return l
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	out := []string{}
	for _, f := range files {
		out = append(out, f.Name())
	}
	return out
}

// anOwner starts another Turnwatch with one program in the role, and returns how
// to kill it and what the program and its family said.
func anOwner(t *testing.T, dir, role string, lines int) (kill func(), pids []int) {
	t.Helper()
	cmd := exec.Command(self(), dir, role)
	cmd.Env = append(os.Environ(), roleVar+"=owner", "GORACE=atexit_sleep_ms=0")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	cmd.Stderr = os.Stderr
	require.NoError(t, cmd.Start())
	pids = all(read(t, out).numbers(lines))
	dead := false
	kill = func() {
		if !dead {
			dead = true
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	}
	t.Cleanup(func() {
		kill()
		for _, pid := range pids {
			_ = unix.Kill(pid, syscall.SIGKILL)
		}
	})
	return kill, pids
}

func TestALaunchStandsInTheLedgerForAsLongAsItRuns(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "launches")
	l, err := proc.OpenLedger(dir, "me")
	require.NoError(t, err)
	o := options("polite")
	o.Ledger = l
	p := start(t, o)
	assert.ElementsMatch(t, []string{"me.lock", "me." + p.LaunchID() + ".json"}, names(t, dir))
	raw, err := os.ReadFile(filepath.Join(dir, "me."+p.LaunchID()+".json"))
	require.NoError(t, err)
	var r map[string]any
	require.NoError(t, json.Unmarshal(raw, &r))
	assert.EqualValues(t, p.PID(), r["pid"])
	assert.EqualValues(t, startTime(t, p.PID()), r["start"])
	assert.NotContains(t, string(raw), self(), "the ledger knows the program")
	for _, name := range names(t, dir) {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode())
	}
	require.NoError(t, p.Stop(bounded(t), proc.Stopping{}))
	assert.Equal(t, []string{"me.lock"}, names(t, dir))
	require.NoError(t, l.Close())
	assert.Empty(t, names(t, dir))
}

func TestAKilledOwnerLeavesNothingBehindAfterTheNextStart(t *testing.T) {
	dir := t.TempDir()
	kill, pids := anOwner(t, dir, "tree", 4)
	same := bystander(t, os.Environ())
	l := open(t, dir)

	got, err := l.Reap(bounded(t))
	require.NoError(t, err)
	assert.Empty(t, got, "a living owner was reaped")
	for _, pid := range pids {
		require.True(t, alive(pid))
	}

	kill()
	for _, pid := range pids {
		require.True(t, alive(pid), "the test needs programs that survive their owner")
	}
	got, err = l.Reap(bounded(t))
	require.NoError(t, err)
	require.Len(t, got, 1)
	assert.Len(t, got[0].Ended, 4)
	assert.Empty(t, got[0].Left)
	gone(t, pids)
	assert.True(t, alive(same))
	assert.Equal(t, []string{l.Owner() + ".lock"}, names(t, dir))

	got, err = l.Reap(bounded(t))
	require.NoError(t, err)
	assert.Empty(t, got)
}

func TestADeadOwnersLaunchIsReapedBesideALivingOwners(t *testing.T) {
	dir := t.TempDir()
	kill, dead := anOwner(t, dir, "still", 1)
	_, living := anOwner(t, dir, "still", 1)
	kill()
	l := open(t, dir)
	got, err := l.Reap(bounded(t))
	require.NoError(t, err)
	assert.Len(t, got, 1)
	gone(t, dead)
	assert.True(t, alive(living[0]))
}

func TestManyMayReapAtOnce(t *testing.T) {
	dir := t.TempDir()
	kill, pids := anOwner(t, dir, "tree", 4)
	kill()
	done := make(chan error)
	for range 4 {
		l := open(t, dir)
		go func() {
			_, err := l.Reap(bounded(t))
			done <- err
		}()
	}
	for range 4 {
		assert.NoError(t, <-done)
	}
	gone(t, pids)
}

// dead files a launch under an owner that does not live.
func dead(t *testing.T, dir, launch string, change map[string]any) {
	t.Helper()
	r := map[string]any{
		"version": 1, "owner": "dead", "launch": launch,
		"owner_pid": os.Getpid(), "owner_start": 1, "boot": bootID(t),
	}
	for k, v := range change {
		r[k] = v
	}
	raw, err := json.Marshal(r)
	require.NoError(t, err)
	write(t, dir, "dead."+launch+".json", string(raw))
}

func bootID(t *testing.T) string {
	t.Helper()
	raw, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	require.NoError(t, err)
	return strings.TrimSpace(string(raw))
}

// startTime is field 22 of a process's row.
func startTime(t *testing.T, pid int) uint64 {
	t.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	require.NoError(t, err)
	var start uint64
	f := strings.Fields(string(raw[strings.LastIndexByte(string(raw), ')')+2:]))
	_, err = fmt.Sscan(f[19], &start)
	require.NoError(t, err)
	return start
}

func TestOnlyWhatIsProvablyOursIsReaped(t *testing.T) {
	launch := strings.Repeat("ab", 16)
	marked := append(os.Environ(), proc.LaunchVar+"="+launch)
	for _, row := range []struct {
		name   string
		env    []string
		change func(pid int, start uint64) map[string]any
		ended  bool
	}{
		{"launch id, started but not completed", marked, func(int, uint64) map[string]any { return nil }, true},
		{"pid and start, a cleared environment", nil, func(pid int, start uint64) map[string]any {
			return map[string]any{"pid": pid, "start": start}
		}, true},
		{"a recycled pid", os.Environ(), func(pid int, start uint64) map[string]any {
			return map[string]any{"pid": pid, "start": start - 1}
		}, false},
		{"a pid without start", os.Environ(), func(pid int, _ uint64) map[string]any {
			return map[string]any{"pid": pid}
		}, false},
		{"pid and start of another boot", os.Environ(), func(pid int, start uint64) map[string]any {
			return map[string]any{"pid": pid, "start": start, "boot": "another"}
		}, false},
		{"another launch's id", append(os.Environ(), proc.LaunchVar+"="+strings.Repeat("cd", 16)), func(int, uint64) map[string]any { return nil }, false},
		{"an owner without lock that lives", marked, func(int, uint64) map[string]any {
			return map[string]any{"owner_start": startTime(t, os.Getpid())}
		}, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			dir := t.TempDir()
			pid := bystander(t, row.env)
			dead(t, dir, launch, row.change(pid, startTime(t, pid)))
			_, err := open(t, dir).Reap(bounded(t))
			require.NoError(t, err)
			assert.Equal(t, row.ended, !alive(pid))
		})
	}
}

func TestWhoReapsSparesItselfAndItsAncestors(t *testing.T) {
	dir := t.TempDir()
	launch := strings.Repeat("ef", 16)
	dead(t, dir, launch, nil)
	cmd := exec.Command(self(), dir)
	cmd.Env = append(os.Environ(), roleVar+"=reaper", proc.LaunchVar+"="+launch, "GORACE=atexit_sleep_ms=0")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	assert.Equal(t, fmt.Sprintf("ended 0\nleft %d\n", cmd.Process.Pid), string(out))
	assert.Contains(t, names(t, dir), "dead."+launch+".json", "what is left was forgotten")
}

func TestFilesThatAreNotWhatTheyShouldBeAreNoObstacle(t *testing.T) {
	launch := strings.Repeat("12", 16)
	name := "dead." + launch + ".json"
	for _, row := range []struct {
		name  string
		make  func(t *testing.T, dir string)
		wrong string // what the error says; "" for none
		kept  []string
	}{
		{"garbage", func(t *testing.T, dir string) { write(t, dir, name, "\x00{{{") }, "not in the form of a record", nil},
		{"nothing", func(t *testing.T, dir string) { write(t, dir, name, "") }, "not in the form of a record", nil},
		{"wrong types", func(t *testing.T, dir string) {
			write(t, dir, name, `{"version":1,"owner":7,"launch":[],"pid":"1"}`)
		}, "not in the form of a record", nil},
		{"another version", func(t *testing.T, dir string) { write(t, dir, name, `{"version":2}`) }, "version 2", nil},
		{"huge", func(t *testing.T, dir string) {
			require.NoError(t, os.Truncate(write(t, dir, name, "{}"), 1<<40))
		}, "too long", nil},
		{"numbers out of range", func(t *testing.T, dir string) {
			write(t, dir, name, `{"version":1,"owner":"dead","launch":"`+launch+`","pid":-1,"start":99999999999999999999}`)
		}, "not in the form of a record", nil},
		{"the first process of the system", func(t *testing.T, dir string) {
			dead(t, dir, launch, map[string]any{"pid": 1, "start": startTime(t, 1)})
		}, "", nil},
		{"another launch inside", func(t *testing.T, dir string) {
			write(t, dir, name, `{"version":1,"owner":"dead","launch":"`+strings.Repeat("34", 16)+`"}`)
		}, "another launch", nil},
		{"a link", func(t *testing.T, dir string) {
			require.NoError(t, os.Symlink(write(t, dir, "precious", "{}"), filepath.Join(dir, name)))
		}, "not a regular file", []string{"precious"}},
		{"a pipe", func(t *testing.T, dir string) { require.NoError(t, unix.Mkfifo(filepath.Join(dir, name), 0o600)) }, "not a regular file", nil},
		{"a folder", func(t *testing.T, dir string) { require.NoError(t, os.Mkdir(filepath.Join(dir, name), 0o700)) }, "is a folder", []string{name}},
		{"the lock is a link", func(t *testing.T, dir string) {
			dead(t, dir, launch, nil)
			require.NoError(t, os.Symlink(write(t, dir, "precious", ""), filepath.Join(dir, "dead.lock")))
		}, "not a regular file", []string{"dead.lock", name, "precious"}},
		{"a draft", func(t *testing.T, dir string) { write(t, dir, "dead."+launch+".tmp", "{") }, "", nil},
		{"a lock alone", func(t *testing.T, dir string) { write(t, dir, "dead.lock", "") }, "", nil},
		{"files of others", func(t *testing.T, dir string) {
			for _, n := range []string{"notes.txt", "dead.short.json", "..lock", "DEAD.lock", launch + ".json"} {
				write(t, dir, n, "x")
			}
		}, "", []string{"notes.txt", "dead.short.json", "..lock", "DEAD.lock", launch + ".json"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			dir := t.TempDir()
			row.make(t, dir)
			l := open(t, dir)
			got, err := l.Reap(bounded(t))
			if row.wrong == "" {
				assert.NoError(t, err)
			} else {
				assert.ErrorContains(t, err, row.wrong)
			}
			for _, r := range got {
				assert.Empty(t, r.Ended)
			}
			assert.ElementsMatch(t, append(row.kept, l.Owner()+".lock"), names(t, dir))
		})
	}
}

func TestAnOwnersNameIsTakenOnceAndCheckedFirst(t *testing.T) {
	dir := t.TempDir()
	first, err := proc.OpenLedger(dir, "me")
	require.NoError(t, err)
	_, err = proc.OpenLedger(dir, "me")
	assert.ErrorContains(t, err, "held by somebody else")
	require.NoError(t, first.Close())
	again, err := proc.OpenLedger(dir, "me")
	require.NoError(t, err)
	require.NoError(t, again.Close())
	for _, bad := range []string{"../me", "me.you", "-me", "Me", "me you", strings.Repeat("x", 65)} {
		_, err := proc.OpenLedger(dir, bad)
		assert.ErrorContains(t, err, "owner", bad)
	}
}

func TestALedgerThatCannotBeKeptSaysSo(t *testing.T) {
	_, err := proc.OpenLedger(filepath.Join(write(t, t.TempDir(), "file", ""), "launches"), "")
	assert.ErrorContains(t, err, "open ledger: ")
}
