//go:build linux

package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"turnwatch/backend/agent"
)

// seat is a person at a terminal in front of a run. A goroutine reads what the
// program draws, until the terminal is gone.
type seat struct {
	t    *testing.T
	user *os.File
	tty  *os.File // the program's end, kept to look at its mode
	cmd  *exec.Cmd
	over chan struct{} // nothing more is read

	mu   sync.Mutex
	seen strings.Builder
}

// sit starts a command on a terminal of so many columns.
func sit(t *testing.T, columns uint16, args ...string) *seat {
	t.Helper()
	user, tty, err := pty.Open()
	require.NoError(t, err)
	require.NoError(t, pty.Setsize(tty, &pty.Winsize{Rows: 24, Cols: columns}))
	cmd := tw(t, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &unix.SysProcAttr{Setsid: true, Setctty: true}
	s := &seat{t: t, user: user, tty: tty, cmd: cmd, over: make(chan struct{})}
	t.Cleanup(func() { _, _ = tty.Close(), user.Close() })
	require.NoError(t, cmd.Start())
	go s.read()
	return s
}

func (s *seat) read() {
	defer close(s.over)
	buf := make([]byte, 4096)
	for {
		n, err := s.user.Read(buf)
		s.mu.Lock()
		s.seen.Write(buf[:n])
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// screen is everything that was drawn so far.
func (s *seat) screen() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen.String()
}

// until waits for a text on the screen.
func (s *seat) until(text string) {
	s.t.Helper()
	require.Eventually(s.t, func() bool { return strings.Contains(s.screen(), text) }, bound, step, "waiting for %q", text)
}

func (s *seat) press(keys string) {
	s.t.Helper()
	_, err := s.user.WriteString(keys)
	require.NoError(s.t, err)
}

// echoes reports whether the terminal is in its usual mode.
func (s *seat) echoes() bool {
	s.t.Helper()
	m, err := unix.IoctlGetTermios(int(s.tty.Fd()), unix.TCGETS)
	require.NoError(s.t, err)
	return m.Lflag&unix.ECHO != 0 && m.Lflag&unix.ICANON != 0
}

// leave waits for the end and gives the exit status.
func (s *seat) leave() int {
	s.t.Helper()
	_ = s.cmd.Wait() // the status tells
	assert.True(s.t, s.echoes(), "the terminal is given back")
	require.NoError(s.t, s.tty.Close())
	<-s.over
	return s.cmd.ProcessState.ExitCode()
}

func TestAPermissionIsAnsweredByKey(t *testing.T) {
	tests := []struct {
		name, keys, says string
		by               agent.DecisionBy
	}{
		{"allowed", "1", "The tests pass", agent.ByUser},
		{"a key that means nothing, then allowed", "x\r1", "The tests pass", agent.ByUser},
		{"rejected", "3", "I have not run it", agent.ByUser},
		{"escape", "\x1b", "Nobody answered", agent.ByUser},
		{"c", "c", "Nobody answered", agent.ByUser},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data := filepath.Join(t.TempDir(), "data")
			s := sit(t, 80, demoRun(data, "permission")...)
			s.until("Cancel this request")
			require.Eventually(t, func() bool { return !s.echoes() }, bound, step, "keys are read")
			s.press(tt.keys)
			assert.Equal(t, 0, s.leave(), "a person was there: no permission was missing")
			_, turn, parts := recorded(t, data)
			assert.Equal(t, agent.Completed, turn.End.Outcome)
			assert.Contains(t, text(parts), tt.says)
			assert.Empty(t, left(t))
		})
	}
}

func TestAKeyThatMeansNothingIsAnsweredOnce(t *testing.T) {
	data := t.TempDir()
	s := sit(t, 80, demoRun(data, "permission")...)
	s.until("Cancel this request")
	require.Eventually(t, func() bool { return !s.echoes() }, bound, step, "keys are read")
	s.press("x")
	s.until("or c to cancel the request")
	s.press("9\r\x1b[A1")
	assert.Equal(t, 0, s.leave())
	assert.Equal(t, 1, strings.Count(s.screen(), "or c to cancel the request"))
	_, _, parts := recorded(t, data)
	assert.Contains(t, text(parts), "The tests pass")
}

// What is typed before the request can be seen answers nothing.
func TestKeysTypedAheadAnswerNothing(t *testing.T) {
	data := t.TempDir()
	s := sit(t, 80, demoRun(data, "permission")...)
	s.press("111111\n")
	s.until("Cancel this request")
	require.Eventually(t, func() bool { return !s.echoes() }, bound, step)
	s.press("c")
	assert.Equal(t, 0, s.leave())
	_, _, parts := recorded(t, data)
	assert.NotContains(t, text(parts), "The tests pass")
}

func TestCtrlCAtAQuestionCancelsTheTurn(t *testing.T) {
	data := t.TempDir()
	s := sit(t, 80, demoRun(data, "permission")...)
	s.until("Cancel this request")
	require.Eventually(t, func() bool { return !s.echoes() }, bound, step)
	s.press("\x03")
	assert.Equal(t, 10, s.leave())
	assert.Contains(t, s.screen(), "Press Ctrl-C again")
	assert.Empty(t, left(t))
	_, turn, _ := recorded(t, data)
	assert.Equal(t, agent.Cancelled, turn.End.Outcome)
}

func TestALongEndIsNotSilent(t *testing.T) {
	data := t.TempDir()
	s := sit(t, 80, demoRun(data, "ignores-cancel")...)
	s.until("Demo agent")
	s.press("\x03")
	assert.Equal(t, 10, s.leave())
	assert.Contains(t, s.screen(), "Ending the agent's processes")
	assert.Empty(t, left(t))
}

func TestATerminalThatIsClosedEndsTheRun(t *testing.T) {
	data := t.TempDir()
	s := sit(t, 80, demoRun(data, "loop")...)
	s.until("Demo agent")
	require.NoError(t, s.tty.Close())
	require.NoError(t, s.user.Close())
	_ = s.cmd.Wait()
	assert.True(t, s.cmd.ProcessState.Exited(), "ended in order, not by the signal")
	assert.Empty(t, left(t))
	_, turn, _ := recorded(t, data)
	require.NotNil(t, turn.End)
}

func TestNothingHostileReachesTheTerminal(t *testing.T) {
	data := t.TempDir()
	s := sit(t, 40, demoRun(data, "hostile-markdown")...)
	assert.Equal(t, 0, s.leave())
	plain := s.screen()
	for _, ours := range []string{"\r\x1b[2K", "\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[36m"} {
		plain = strings.ReplaceAll(plain, ours, "")
	}
	assert.NotContains(t, plain, "\x1b")
	assert.NotContains(t, plain, "\x07")
	assert.NotContains(t, plain, "\u202e")
}
