package demo

import (
	"fmt"
	"os/exec"
	"time"
)

// childTime is how long the real tool works when nothing ends it.
const childTime = 5 * time.Minute

// runChild runs a real process that sleeps, in a process group of its own as
// agents' shells do, and names its id in the tool's content. It blocks until the
// process ends; the end of the turn kills it.
func (t *turn) runChild() error {
	name, args := sleeper(childTime)
	cmd := exec.CommandContext(t.ctx, name, args...)
	apart(cmd)
	id, err := t.start(toolFields{Title: "bash", Kind: "execute", RawInput: map[string]any{"command": name}})
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return t.change(id, toolFields{Status: "failed", Tool: shown("The process could not be started.")})
	}
	told := t.change(id, toolFields{Status: "in_progress", Tool: shown(fmt.Sprintf("Started process %d.\n", cmd.Process.Pid)),
		RawOutput: map[string]any{"pid": cmd.Process.Pid}})
	if told != nil {
		t.stop()
	}
	if err := cmd.Wait(); err != nil && t.ctx.Err() == nil {
		return t.change(id, toolFields{Status: "failed", Tool: shown("The process was ended from outside.")})
	}
	if t.ctx.Err() != nil {
		return t.ctx.Err()
	}
	return t.change(id, toolFields{Status: "completed", Tool: shown("ok  \tcalendar\n")})
}
