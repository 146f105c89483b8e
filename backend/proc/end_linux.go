package proc

import (
	"errors"
	"os/exec"

	"golang.org/x/sys/unix"
)

// awaitEnd blocks until the program has ended and leaves it uncollected: its
// pid, group and session stay its own until cmd.Wait is called.
func awaitEnd(cmd *exec.Cmd) {
	for {
		err := unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return
		}
	}
}
