package main

import (
	"bytes"
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

// windowTags are the build tags of the window.
func windowTags(goos string) string {
	if goos == "linux" {
		return "desktop,production,webkit2_41," + tags
	}
	return "desktop,production," + tags
}

// build is the verb of the same name.
func build(ctx context.Context, t *task) error {
	_, err := t.buildWindow(ctx)
	return err
}

// buildWindow builds everything that a user is given, the window and tw, and
// returns the window's program. Flags are the same for all builds of a kind, so
// that Go compiles what does not change once.
func (t *task) buildWindow(ctx context.Context) (string, error) {
	if err := t.ensure(ctx, host.CCompiler, host.Window); err != nil {
		return "", err
	}
	if err := t.buildPage(ctx); err != nil {
		return "", err
	}
	if err := t.bindings(ctx); err != nil {
		return "", err
	}
	program := t.program("turnwatch")
	flags := "-s -w"
	var env []string
	switch runtime.GOOS {
	case "windows":
		flags += " -H windowsgui" // no console beside the window
	case "darwin":
		env = []string{"CGO_LDFLAGS=-framework UniformTypeIdentifiers"}
	}
	err := t.command(ctx, "build the window", env,
		"go", "build", "-trimpath", "-tags", windowTags(runtime.GOOS), "-ldflags", flags, "-o", program, ".")
	if err == nil {
		err = t.command(ctx, "build tw", nil,
			"go", "build", "-trimpath", "-tags", tags, "-ldflags", "-s -w", "-o", t.program("tw"), "./backend/cmd/tw")
	}
	if err == nil {
		err = t.holdsPage(program)
	}
	return program, err
}

// program is where a program is built.
func (t *task) program(name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return t.bin(name)
}

// holdsPage makes sure that the page that was built is the one inside a program.
func (t *task) holdsPage(program string) error {
	data, err := os.ReadFile(program)
	if err != nil {
		return fmt.Errorf("read what was built: %w", err)
	}
	name := t.script()
	if name == "" || !bytes.Contains(data, []byte(name)) {
		return fmt.Errorf("the built page is not inside %s: run the build again", filepath.Base(program))
	}
	return nil
}

// bindings writes the typed calls of the window for the page, which needs neither
// GTK nor a compiler of C.
func (t *task) bindings(ctx context.Context) error {
	key, err := t.sources()
	if err != nil {
		return err
	}
	there := filepath.Join(t.root, "frontend", "src", "wailsjs")
	if _, err := os.Stat(there); err == nil && t.stamps().Done("bindings", key) {
		return nil
	}
	program := t.program("bindings")
	err = t.command(ctx, "build the bindings", []string{"CGO_ENABLED=0"}, "go", "build", "-tags", "bindings", "-o", program, ".")
	if err == nil {
		err = t.command(ctx, "write the bindings", nil, program)
	}
	if err != nil {
		return err
	}
	return t.stamps().Mark("bindings", key)
}

// openWindow is the verb run: it builds the window and opens it. What the user
// adds goes to it; with a command of tw it answers that.
func openWindow(ctx context.Context, t *task) error {
	if len(t.args) == 0 && runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return usageError{"there is no display to open the window on: \"go run ./build/task demo\" plays a turn in the terminal, \"build\" builds the window, and xvfb-run opens it on a virtual display"}
	}
	program, err := t.buildWindow(ctx)
	if err != nil {
		return err
	}
	return attached(ctx, append([]string{program}, t.args...))
}

// attached runs a program for the user, who reads from it what goes wrong.
func attached(ctx context.Context, args []string) error {
	dir, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("find working directory: %w", err)
	}
	err = step.Attached(ctx, step.Command{Dir: dir, Args: args})
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exitStatus(exit.ExitCode())
	}
	return err
}
