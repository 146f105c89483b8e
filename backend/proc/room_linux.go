package proc

import (
	"os"

	"golang.org/x/sys/unix"
)

// stderrRoom is how much a program may write to its stderr while the drain is
// elsewhere. The kernel's own measure of 64 KiB makes a flood wait for every
// change from one program to the other.
const stderrRoom = 256 << 10

// widen gives a pipe more room. Where the kernel has none to give it stays as it
// is, which costs time and nothing else.
func widen(f *os.File) {
	raw, err := f.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) {
		_, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, stderrRoom)
	})
}
