package awake

import (
	"context"
	"runtime"

	"github.com/godbus/dbus/v5"
	"golang.org/x/sys/windows"
)

// Flags of SetThreadExecutionState.
const (
	continuous     = 0x80000000
	systemRequired = 0x00000001
)

// New makes a keeper; the buses are of Linux.
func New(_, _ *dbus.Conn) *Keeper {
	set := windows.NewLazySystemDLL("kernel32.dll").NewProc("SetThreadExecutionState")
	return &Keeper{ask: func(context.Context, string) (func(), error) {
		done, asked := make(chan struct{}), make(chan bool)
		go func() { // the request is of one thread
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			old, _, _ := set.Call(continuous | systemRequired)
			asked <- old != 0
			<-done
			_, _, _ = set.Call(continuous)
		}()
		if !<-asked {
			close(done)
			return nil, ErrNobody
		}
		return func() { close(done) }, nil
	}}
}
