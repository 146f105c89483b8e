package step

import (
	"os"
	"os/exec"
	"strconv"
)

// ownGroup has nothing to prepare: taskkill walks the tree by parent ids.
func ownGroup(*exec.Cmd) {}

// interrupt ends the tree at once: a console program without a window cannot be
// asked.
func interrupt(leader *os.Process) error {
	return exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(leader.Pid)).Run()
}

// killGroup has nothing left to do after interrupt.
func killGroup(*os.Process) {}

// terminate ends one program.
func terminate(p *os.Process) error { return p.Kill() }
