package bus_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/local/bus"
	"turnwatch/backend/local/bus/bustest"
)

func TestConnect(t *testing.T) {
	address, stop := bustest.Start(t)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", address)
	c, err := bus.Connect(t.Context())
	require.NoError(t, err)
	assert.NotEmpty(t, c.Names())
	require.NoError(t, c.Close())
	stop()
	_, err = bus.Connect(t.Context())
	require.ErrorIs(t, err, bus.ErrNone, "the bus is gone")
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "nonsense")
	_, err = bus.Connect(t.Context())
	require.ErrorIs(t, err, bus.ErrNone)
}

func TestABusThatDoesNotAnswerIsNone(t *testing.T) {
	dir, err := os.MkdirTemp("", "bus")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	l, err := net.Listen("unix", filepath.Join(dir, "bus"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	t.Setenv("XDG_RUNTIME_DIR", dir)
	assert.Equal(t, "unix:path="+filepath.Join(dir, "bus"), bus.Address(os.Getenv))
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err = bus.Connect(ctx)
	require.ErrorIs(t, err, bus.ErrNone)
	t.Setenv("XDG_RUNTIME_DIR", filepath.Join(dir, "no"))
	assert.Empty(t, bus.Address(os.Getenv), "and none is started")
}
