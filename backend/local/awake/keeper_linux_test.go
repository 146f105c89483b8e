package awake_test

import (
	"io"
	"os"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/local/awake"
	"turnwatch/backend/local/bus/bustest"
)

// power is a desktop that keeps the computer awake; login is the system's service.
type power struct{ calls chan string }

func (p power) Inhibit(who, why string) (uint32, *dbus.Error) {
	p.calls <- who + ": " + why
	return 7, nil
}

func (p power) UnInhibit(cookie uint32) *dbus.Error {
	p.calls <- "back"
	return nil
}

type login struct {
	calls chan string
	end   dbus.UnixFD
}

func (l login) Inhibit(what, _, _, mode string) (dbus.UnixFD, *dbus.Error) {
	l.calls <- what + " " + mode
	return l.end, nil
}

func serve(t *testing.T, address, name, path, face string, what any) {
	t.Helper()
	c := bustest.Dial(t, address)
	require.NoError(t, c.Export(what, dbus.ObjectPath(path), face))
	_, err := c.RequestName(name, dbus.NameFlagDoNotQueue)
	require.NoError(t, err)
}

func TestTheDesktopIsAskedOnceAndLetGo(t *testing.T) {
	for name, path := range map[string]string{
		"org.freedesktop.PowerManagement.Inhibit": "/org/freedesktop/PowerManagement/Inhibit",
		"org.freedesktop.ScreenSaver":             "/org/freedesktop/ScreenSaver",
	} {
		t.Run(name, func(t *testing.T) {
			address := bustest.Bus(t)
			p := power{make(chan string, 8)}
			serve(t, address, name, path, name, p)
			k := awake.New(bustest.Dial(t, address), nil)
			require.NoError(t, k.Want(t.Context(), false, ""))
			require.NoError(t, k.Want(t.Context(), true, "an agent works"))
			require.NoError(t, k.Want(t.Context(), true, "an agent works"))
			require.NoError(t, k.Want(t.Context(), false, ""))
			require.NoError(t, k.Want(t.Context(), false, ""))
			assert.Equal(t, "turnwatch: an agent works", <-p.calls)
			assert.Equal(t, "back", <-p.calls)
			assert.Empty(t, p.calls, "twice is once")
		})
	}
}

func TestTheLoginServiceHoldsAsLongAsTheFile(t *testing.T) {
	address := bustest.Bus(t)
	read, write, err := os.Pipe()
	require.NoError(t, err)
	l := login{make(chan string, 8), dbus.UnixFD(write.Fd())}
	serve(t, address, "org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager", l)
	k := awake.New(nil, bustest.Dial(t, address))
	require.NoError(t, k.Want(t.Context(), true, "an agent works"))
	assert.Equal(t, "idle block", <-l.calls, "sleep that the user asks for is not blocked")
	require.NoError(t, write.Close()) // ours; the keeper has its own
	require.NoError(t, k.Want(t.Context(), false, ""))
	rest, err := io.ReadAll(read)
	require.NoError(t, err, "nobody holds the other end any more")
	assert.Empty(t, rest)
}

func TestNobodyKeepsItAwake(t *testing.T) {
	k := awake.New(bustest.Dial(t, bustest.Bus(t)), nil)
	require.ErrorIs(t, k.Want(t.Context(), true, "x"), awake.ErrNobody)
	require.ErrorIs(t, awake.New(nil, nil).Want(t.Context(), true, "x"), awake.ErrNobody)
	require.NoError(t, k.Want(t.Context(), false, ""))
}
