//go:build !linux

package proc

import "os/exec"

// awaitEnd blocks until the program has ended. It is collected at once, so its
// group is not touched as a whole after that.
func awaitEnd(cmd *exec.Cmd) { _ = cmd.Wait() }
