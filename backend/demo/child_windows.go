package demo

import (
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// sleeper uses ping, which waits a second between two echoes: timeout.exe wants
// a console.
func sleeper(d time.Duration) (string, []string) {
	return "ping", []string{"-n", strconv.Itoa(int(d.Seconds()) + 1), "127.0.0.1"}
}

func apart(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
