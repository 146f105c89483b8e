package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"turnwatch/build/task/internal/stamp"
	"turnwatch/build/task/internal/step"
)

// lint is the verb of the same name. It is done for a state of the tree once.
func lint(ctx context.Context, t *task) error {
	sources, err := t.sources()
	if err != nil {
		return err
	}
	key := stamp.Of(string(sources), runtime.Version(), os.Getenv("GOFLAGS"))
	if t.stamps().Done("lint", key) {
		t.console.Println("lint: nothing changed since it last passed")
		return nil
	}
	linter, err := t.linter(ctx)
	if err != nil {
		return err
	}
	checks := []struct {
		name string
		env  []string
		args []string
	}{
		{"golangci-lint", nil, []string{linter, "run", "--timeout", "20m", "./..."}},
		{"go vet linux", nil, []string{"go", "vet", "-tags", tags + ",agents", "./..."}},
		{"go vet windows", []string{"GOOS=windows", "CGO_ENABLED=0"}, []string{"go", "vet", "-tags", tags, "./backend/...", "./build/..."}},
		{"go vet darwin", []string{"GOOS=darwin", "CGO_ENABLED=0"}, []string{"go", "vet", "-tags", tags, "./backend/...", "./build/..."}},
	}
	var failed []string
	for _, c := range checks {
		if err := t.command(ctx, c.name, c.env, c.args...); err != nil {
			if ctx.Err() != nil {
				return err
			}
			failed = append(failed, c.name)
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("found something: %s", strings.Join(failed, ", "))
	}
	return t.stamps().Mark("lint", key)
}

// linter builds golangci-lint from the module of tools, once for each version,
// and returns the program.
func (t *task) linter(ctx context.Context) (string, error) {
	dir := filepath.Join(t.root, "build", "tools")
	program := t.bin("tools", "golangci-lint")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	pins, err := stamp.Files(dir, func(string) bool { return true })
	if err != nil {
		return "", err
	}
	key := stamp.Of(string(pins), runtime.Version())
	if _, err := os.Stat(program); err == nil && t.stamps().Done("golangci-lint", key) {
		return program, nil
	}
	err = t.console.Do(ctx, "build golangci-lint", func(ctx context.Context, log io.Writer) (string, error) {
		c := step.Command{Dir: dir, Args: []string{
			"go", "build", "-buildvcs=false", "-o", program, "github.com/golangci/golangci-lint/v2/cmd/golangci-lint",
		}}
		return "", step.Run(ctx, c, log)
	})
	if err != nil {
		return "", err
	}
	return program, t.stamps().Mark("golangci-lint", key)
}
