// Package bus opens the message bus of the user's session, over which a program of
// the desktop speaks to the panel, to the notification server and to what keeps
// the computer awake. It never starts a bus. Connect waits within a bound.
package bus

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/godbus/dbus/v5"
)

// ErrNone says that there is no session bus.
var ErrNone = errors.New("no session bus")

// patience is how long the bus may take to answer.
const patience = 2 * time.Second

// Connect opens a connection of the caller's own. ErrNone where there is no bus,
// or none that answers.
func Connect(ctx context.Context) (*dbus.Conn, error) {
	address := Address(os.Getenv)
	if address == "" {
		return nil, ErrNone
	}
	type opened struct {
		c   *dbus.Conn
		err error
	}
	done := make(chan opened, 1)
	go func() {
		c, err := dbus.Connect(address)
		done <- opened{c, err}
	}()
	wait, stop := context.WithTimeout(ctx, patience)
	defer stop()
	select {
	case o := <-done:
		if o.err != nil {
			return nil, fmt.Errorf("%w: %w", ErrNone, o.err)
		}
		return o.c, nil
	case <-wait.Done():
		go func() { // a bus that answers late is let go
			if o := <-done; o.err == nil {
				_ = o.c.Close()
			}
		}()
		return nil, fmt.Errorf("%w: %w", ErrNone, wait.Err())
	}
}

// Address is where the session bus is; "" where there is none.
func Address(getenv func(string) string) string {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return ""
	}
	if a := getenv("DBUS_SESSION_BUS_ADDRESS"); a != "" {
		return a
	}
	if dir := getenv("XDG_RUNTIME_DIR"); dir != "" {
		name := filepath.Join(dir, "bus")
		if info, err := os.Stat(name); err == nil && info.Mode()&os.ModeSocket != 0 {
			return "unix:path=" + name
		}
	}
	return ""
}
