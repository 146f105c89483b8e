//go:build !linux && !windows

package awake

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"

	"github.com/godbus/dbus/v5"
)

// New makes a keeper that runs macOS' caffeinate, which ends with this program;
// the buses are of Linux.
func New(_, _ *dbus.Conn) *Keeper {
	return &Keeper{ask: func(context.Context, string) (func(), error) {
		cmd := exec.Command("caffeinate", "-i", "-w", strconv.Itoa(os.Getpid()))
		if err := cmd.Start(); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrNobody, err)
		}
		return func() {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}, nil
	}}
}
