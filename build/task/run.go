package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"turnwatch/build/task/internal/host"
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
	tw := t.program("tw")
	if err := t.command(ctx, "build tw", nil, "go", "build", "-trimpath", "-tags", tags, "-ldflags", "-s -w", "-o", tw, "./backend/cmd/tw"); err != nil {
		return err
	}
	return attached(ctx, append([]string{tw, "run", "--agent", "demo", "--prompt", "Show me what you can do."}, t.args...))
}

// exitStatus is the status of a program that was run for the user, who has read
// from it what went wrong.
type exitStatus int

// Error tells the number.
func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }
