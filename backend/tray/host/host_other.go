//go:build !linux

package host

import (
	"context"
	"runtime"

	"github.com/godbus/dbus/v5"
)

// Answers tells whether a tray icon would be seen now; the bus is of Linux only.
func Answers(context.Context, *dbus.Conn) bool { return runtime.GOOS == "windows" }

// Watch calls hear once: nothing changes here. It returns when ctx ends.
func Watch(ctx context.Context, _ *dbus.Conn, hear func(bool)) {
	hear(runtime.GOOS == "windows")
	<-ctx.Done()
}
