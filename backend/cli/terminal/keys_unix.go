//go:build unix

package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// singleKeys puts the terminal into a mode that hands over keys at once, unseen.
// Signals and the way output is written stay as they are. Waiting input is
// dropped. It gives back what restores the mode from before.
func singleKeys(f *os.File) (func() error, error) {
	fd := int(f.Fd())
	before, err := unix.IoctlGetTermios(fd, getMode)
	if err != nil {
		return nil, os.NewSyscallError("tcgetattr", err)
	}
	mode := *before
	mode.Lflag &^= unix.ICANON | unix.ECHO
	mode.Cc[unix.VMIN], mode.Cc[unix.VTIME] = 1, 0
	if err := unix.IoctlSetTermios(fd, setModeFlush, &mode); err != nil {
		return nil, os.NewSyscallError("tcsetattr", err)
	}
	return func() error {
		return os.NewSyscallError("tcsetattr", unix.IoctlSetTermios(fd, setModeFlush, before))
	}, nil
}
