//go:build unix

package demo

import (
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

func sleeper(d time.Duration) (string, []string) {
	return "sleep", []string{strconv.Itoa(int(d.Seconds()))}
}

// apart puts the process into a session of its own: whoever kills the agent's
// group misses it, which is what makes it a test.
func apart(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
