//go:build unix

package step

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup puts a command into a process group of its own, so that all that it
// starts can be ended with it.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// interrupt asks the group to end.
func interrupt(leader *os.Process) error {
	return syscall.Kill(-leader.Pid, syscall.SIGINT)
}

// killGroup ends what is left of the group. An empty group is no error.
func killGroup(leader *os.Process) {
	_ = syscall.Kill(-leader.Pid, syscall.SIGKILL)
}

// terminate asks one program to end.
func terminate(p *os.Process) error { return p.Signal(syscall.SIGTERM) }
