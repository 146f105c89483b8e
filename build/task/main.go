// Command task is the project's task runner: go run ./build/task VERB.
//
// It needs Go and nothing else; what a verb needs beyond that it installs, or
// says how to. It may touch build/bin, the table of figures in README.md and
// child processes, which end with it. A verb blocks until it is done or
// interrupted.
//
// Exit status: 0 done, 1 a step failed, 2 wrong usage or something is missing
// that we may not install, 130 interrupted, 143 terminated; run ends with the
// status of tw.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"turnwatch/build/task/internal/step"
)

// usageError is a mistake in the command line, or something missing that only
// the user can bring; its text says what to do.
type usageError struct{ text string }

// Error is what the user reads.
func (e usageError) Error() string { return e.text }

func main() {
	ctx, stop := interruptible()
	err := run(ctx, os.Args[1:])
	stop()
	os.Exit(status(err))
}

// interruptible makes a context that the first interrupt ends. A second one ends
// the runner as usual; then nobody waits for the children.
func interruptible() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case got := <-signals:
			signal.Stop(signals)
			if got == os.Interrupt {
				cancel(step.ErrInterrupted)
			} else {
				cancel(step.ErrTerminated)
			}
		case <-ctx.Done():
		}
	}()
	return ctx, func() { signal.Stop(signals); cancel(nil) }
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		fmt.Fprint(os.Stderr, help())
		return usageError{"say a verb"}
	}
	name, rest := args[0], args[1:]
	if name == "help" || name == "-h" || name == "--help" {
		fmt.Print(help())
		return nil
	}
	verb, ok := find(name)
	if !ok {
		return usageError{fmt.Sprintf("there is no verb %q; go run ./build/task help lists them", name)}
	}
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	t := &task{root: root, args: rest}
	if verb.flags {
		if t.options, t.args, err = parseOptions(name, rest); err != nil {
			return err
		}
	}
	t.console = step.New(os.Stdout, step.Options{Verbose: t.options.verbose, Live: isTerminal(os.Stdout)})
	if err := verb.do(ctx, t); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// status says what went wrong, unless a step did already, and returns the exit
// status.
func status(err error) int {
	var usage usageError
	var exit exitStatus
	switch {
	case err == nil:
		return 0
	case errors.Is(err, step.ErrInterrupted):
		fmt.Fprintln(os.Stderr, "task:", err)
		return 130
	case errors.Is(err, step.ErrTerminated):
		fmt.Fprintln(os.Stderr, "task:", err)
		return 143
	case errors.As(err, &exit):
		return int(exit)
	case errors.As(err, &usage):
		fmt.Fprintln(os.Stderr, "task:", err)
		return 2
	default:
		fmt.Fprintln(os.Stderr, "task:", err)
		return 1
	}
}

// moduleRoot finds the project above the working directory.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find working directory: %w", err)
	}
	for {
		data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && strings.HasPrefix(string(data), "module turnwatch\n") {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", usageError{"run this inside the project: no go.mod of module turnwatch above"}
		}
		dir = up
	}
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb" && os.Getenv("CI") == ""
}
