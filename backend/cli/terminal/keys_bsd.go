//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package terminal

import "golang.org/x/sys/unix"

// How a terminal's mode is read, and set with its waiting input thrown away.
const (
	getMode      = unix.TIOCGETA
	setModeFlush = unix.TIOCSETAF
)
