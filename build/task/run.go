package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"turnwatch/build/task/internal/host"
	"turnwatch/build/task/internal/step"
)

// runDemo builds tw and runs a turn of the demo agent. What the user adds comes
// last, so it outranks what stands here.
func runDemo(ctx context.Context, t *task) error {
	if _, err := os.Stat(filepath.Join(t.root, "backend", "cmd", "tw")); err != nil {
		return fmt.Errorf("build tw: backend/cmd/tw is not there yet: %w", err)
	}
	if err := t.ensure(ctx, host.CCompiler); err != nil {
		return err
	}
	tw := t.bin("tw")
	if runtime.GOOS == "windows" {
		tw += ".exe"
	}
	if err := t.command(ctx, "build tw", nil, "go", "build", "-tags", tags, "-o", tw, "./backend/cmd/tw"); err != nil {
		return err
	}
	dir, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("find working directory: %w", err)
	}
	args := append([]string{tw, "run", "--agent", "demo", "--prompt", "Show me what you can do."}, t.args...)
	err = step.Attached(ctx, step.Command{Dir: dir, Args: args})
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exitStatus(exit.ExitCode())
	}
	return err
}

// exitStatus is the status of a program that was run for the user, who has read
// from it what went wrong.
type exitStatus int

// Error tells the number.
func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }
