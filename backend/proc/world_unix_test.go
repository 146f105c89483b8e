//go:build unix

package proc_test

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"turnwatch/backend/proc"
)

// patience is how long something that must happen may take on a busy machine.
const patience = 30 * time.Second

// options start the test binary in a role.
func options(role string, args ...string) proc.Options {
	return proc.Options{
		Path: self(), Args: args, Dir: os.TempDir(),
		Env: proc.Environ(os.Environ(), map[string]string{roleVar: role, "GORACE": "atexit_sleep_ms=0"}),
	}
}

// shell starts a script.
func shell(script string) proc.Options {
	return proc.Options{Path: "sh", Args: []string{"-c", script}, Dir: os.TempDir(), Env: os.Environ()}
}

// start starts a program that is gone at the end of the test whatever happened.
func start(t *testing.T, o proc.Options) *proc.Process {
	t.Helper()
	p, err := proc.Start(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.NoError(t, p.Stop(bounded(t), proc.Stopping{Grace: -1, Term: -1}))
		_ = p.Stdout().Close()
		for range p.Lines() { // its end is the drain's end
		}
	})
	return p
}

func bounded(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

// reader reads "word number" lines and fails the test when none comes in time.
type reader struct {
	t     *testing.T
	lines chan string
}

func read(t *testing.T, r io.Reader) *reader {
	rd := &reader{t: t, lines: make(chan string, 100)}
	go func() {
		defer close(rd.lines)
		for s := bufio.NewScanner(r); s.Scan(); {
			rd.lines <- s.Text()
		}
	}()
	return rd
}

// next is the next line, or "" at the end.
func (r *reader) next() string {
	r.t.Helper()
	select {
	case l := <-r.lines:
		return l
	case <-time.After(patience):
		require.FailNow(r.t, "nothing more was said")
		return ""
	}
}

// numbers collects the numbers of n lines by their words.
func (r *reader) numbers(n int) map[string][]int {
	r.t.Helper()
	got := map[string][]int{}
	for range n {
		word, num, _ := strings.Cut(r.next(), " ")
		v, err := strconv.Atoi(num)
		require.NoError(r.t, err)
		got[word] = append(got[word], v)
	}
	return got
}

func all(m map[string][]int) []int {
	var out []int
	for _, pids := range m {
		out = append(out, pids...)
	}
	return out
}

// alive asks the system, on another way than the room does.
func alive(pid int) bool {
	if unix.Kill(pid, 0) != nil {
		return false
	}
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	return err != nil || !strings.Contains(string(raw), "State:\tZ")
}

func gone(t *testing.T, pids []int) {
	t.Helper()
	for _, pid := range pids {
		assert.False(t, alive(pid), "process %d lives", pid)
	}
}

func done(t *testing.T, p *proc.Process) proc.Exit {
	t.Helper()
	select {
	case <-p.Done():
	case <-time.After(patience):
		require.FailNow(t, "the program does not end")
	}
	return p.Exit()
}

// bystander is a process of the same name that nobody may touch.
func bystander(t *testing.T, env []string) int {
	t.Helper()
	cmd := exec.Command(self())
	cmd.Env = append(env, roleVar+"=frail")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	read(t, out).next()
	return cmd.Process.Pid
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}
