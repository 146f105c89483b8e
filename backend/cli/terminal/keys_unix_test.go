//go:build linux

package terminal_test

import (
	"os"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"turnwatch/backend/cli/terminal"
)

func openPty(t *testing.T) (user, program *os.File) {
	t.Helper()
	user, program, err := pty.Open()
	require.NoError(t, err)
	t.Cleanup(func() { _, _ = user.Close(), program.Close() })
	return user, program
}

func mode(t *testing.T, f *os.File) unix.Termios {
	t.Helper()
	m, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	require.NoError(t, err)
	return *m
}

func TestKeysComeSinglyAndTheTerminalIsGivenBack(t *testing.T) {
	defer goleak.VerifyNone(t)
	user, program := openPty(t)
	before := mode(t, program)
	keys, err := terminal.OpenKeys(program)
	require.NoError(t, err)
	during := mode(t, program)
	assert.Zero(t, during.Lflag&(unix.ICANON|unix.ECHO))
	assert.NotZero(t, during.Lflag&unix.ISIG, "Ctrl-C stays a signal")
	assert.Equal(t, before.Oflag, during.Oflag)
	_, err = user.WriteString("1é")
	require.NoError(t, err)
	assert.Equal(t, terminal.Key('1'), <-keys.C)
	assert.Equal(t, terminal.Key('é'), <-keys.C)
	require.NoError(t, keys.Close())
	assert.Equal(t, before, mode(t, program))
}

func TestSequencesAreNoKeys(t *testing.T) {
	defer goleak.VerifyNone(t)
	user, program := openPty(t)
	keys, err := terminal.OpenKeys(program)
	require.NoError(t, err)
	_, err = user.WriteString("\x1b[A") // an arrow, in one piece
	require.NoError(t, err)
	_, err = user.WriteString("\x1b[200~1\x1b[201~") // a paste
	require.NoError(t, err)
	require.NoError(t, keys.Close())
	for k := range keys.C {
		t.Errorf("%q came through", k)
	}
}

func TestAKeyBehindASequenceIsNotSwallowed(t *testing.T) {
	defer goleak.VerifyNone(t)
	tests := []struct{ name, sent string }{
		{"arrow", "\x1b[A2"},
		{"arrow in application mode", "\x1bOA2"},
		{"arrow with Ctrl", "\x1b[1;5A2"},
		{"a letter with Alt", "\x1b12"},
		{"a paste", "\x1b[200~1\x1b[201~2"},
		{"a paste longer than a read", "\x1b[200~" + strings.Repeat("1", 200) + "\x1b[201~2"},
		{"a paste whose end comes in two reads", "\x1b[200~" + strings.Repeat("1", 55) + "\x1b[201~2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			user, program := openPty(t)
			keys, err := terminal.OpenKeys(program)
			require.NoError(t, err)
			_, err = user.WriteString(tt.sent)
			require.NoError(t, err)
			assert.Equal(t, terminal.Key('2'), <-keys.C)
			require.NoError(t, keys.Close())
		})
	}
}

func TestEscapeAloneIsAKey(t *testing.T) {
	user, program := openPty(t)
	keys, err := terminal.OpenKeys(program)
	require.NoError(t, err)
	_, err = user.WriteString("\x1b")
	require.NoError(t, err)
	assert.Equal(t, terminal.KeyEscape, <-keys.C)
	require.NoError(t, keys.Close())
}

func TestWhatWasTypedAheadIsThrownAway(t *testing.T) {
	user, program := openPty(t)
	_, err := user.WriteString("1\n")
	require.NoError(t, err)
	waiting := func() bool { n, err := unix.IoctlGetInt(int(program.Fd()), unix.TIOCINQ); return err == nil && n > 0 }
	require.Eventually(t, waiting, waitBound, waitStep)
	keys, err := terminal.OpenKeys(program)
	require.NoError(t, err)
	_, err = user.WriteString("2")
	require.NoError(t, err)
	assert.Equal(t, terminal.Key('2'), <-keys.C)
	require.NoError(t, keys.Close())
}

func TestATerminalThatIsGoneEndsTheKeys(t *testing.T) {
	defer goleak.VerifyNone(t)
	user, program := openPty(t)
	keys, err := terminal.OpenKeys(program)
	require.NoError(t, err)
	require.NoError(t, user.Close())
	_, open := <-keys.C
	assert.False(t, open)
	_ = keys.Close() // its mode cannot be set any more
}

func TestKeysNeedATerminal(t *testing.T) {
	f, err := os.Open(os.DevNull)
	require.NoError(t, err)
	defer f.Close()
	_, err = terminal.OpenKeys(f)
	require.Error(t, err)
}

func TestATerminalTellsItsLook(t *testing.T) {
	_, program := openPty(t)
	require.NoError(t, pty.Setsize(program, &pty.Winsize{Rows: 24, Cols: 40}))
	tests := []struct {
		name string
		env  map[string]string
		want terminal.Look
	}{
		{"a usual one", map[string]string{"TERM": "xterm", "LANG": "C.UTF-8"}, terminal.Look{Width: 40, Color: true, Live: true, Unicode: true}},
		{"NO_COLOR", map[string]string{"TERM": "xterm", "LANG": "C.UTF-8", "NO_COLOR": "1"}, terminal.Look{Width: 40, Live: true, Unicode: true}},
		{"a dumb one", map[string]string{"TERM": "dumb", "LANG": "C.UTF-8"}, terminal.Look{Width: 40, Unicode: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, terminal.LookOf(program, func(k string) string { return tt.env[k] }))
		})
	}
}
