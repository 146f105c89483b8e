package terminal

import "golang.org/x/sys/unix"

// How a terminal's mode is read, and set with its waiting input thrown away.
const (
	getMode      = unix.TCGETS
	setModeFlush = unix.TCSETSF
)
