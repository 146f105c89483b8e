package step

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// grace is how long a command may take to end after it was told to.
const grace = 3 * time.Second

// Why a context of the runner ends. A terminal hands Ctrl-C to every program on
// it; a request to terminate reaches the runner alone.
var (
	ErrInterrupted = errors.New("interrupted")
	ErrTerminated  = errors.New("terminated")
)

// Command is one program to run.
type Command struct {
	Dir  string   // where it runs
	Env  []string // KEY=value lines on top of the runner's own environment
	Args []string // the program and its arguments

	Complaints io.Writer // where standard error goes; nil: to where the output goes
}

// String shows the command as a person would type it.
func (c Command) String() string {
	return strings.Join(append(append([]string{}, c.Env...), c.Args...), " ")
}

// Run runs a command with its output going to out and without standard input.
// It blocks until the command has ended. When ctx ends, the command and all
// that it started are interrupted, and killed when they do not end in 3 s; the
// error is then the cause of ctx. Otherwise it names the program and wraps
// *exec.ExitError or what kept it from starting.
func Run(ctx context.Context, c Command, out io.Writer) error {
	complaints := c.Complaints
	if complaints == nil {
		complaints = out
	}
	cmd := c.prepare(ctx, out, complaints)
	ownGroup(cmd)
	cmd.Cancel = func() error { return interrupt(cmd.Process) }
	err := cmd.Run()
	if cmd.Process != nil && (ctx.Err() != nil || errors.Is(err, exec.ErrWaitDelay)) {
		killGroup(cmd.Process)
	}
	return c.verdict(ctx, err)
}

// Output runs a command like Run and returns what it printed on standard
// output. What it said on standard error is part of the error.
func Output(ctx context.Context, c Command) (string, error) {
	var out, complaints strings.Builder
	cmd := c.prepare(ctx, &out, &complaints)
	if err := c.verdict(ctx, cmd.Run()); err != nil {
		return "", fmt.Errorf("%w: %s", err, strings.TrimSpace(complaints.String()))
	}
	return out.String(), nil
}

// Attached runs a command on the terminal of the runner: it has the keys, it
// gets Ctrl-C from the terminal itself and decides what to do with it. When ctx
// ends for another reason than ErrInterrupted the command is told to terminate,
// and killed when it does not in 3 s. It blocks until the command has ended.
func Attached(ctx context.Context, c Command) error {
	ctx, release := withoutInterrupt(ctx)
	defer release()
	cmd := c.prepare(ctx, os.Stdout, os.Stderr)
	cmd.Stdin = os.Stdin
	cmd.Cancel = func() error { return terminate(cmd.Process) }
	return c.verdict(ctx, cmd.Run())
}

// withoutInterrupt makes a context that ends with ctx unless that was
// interrupted. Call release when it is needed no more.
func withoutInterrupt(ctx context.Context) (kept context.Context, release func()) {
	kept, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		if cause := context.Cause(ctx); !errors.Is(cause, ErrInterrupted) {
			cancel(cause)
		}
	})
	return kept, func() { stop(); cancel(nil) }
}

func (c Command) prepare(ctx context.Context, out, complaints io.Writer) *exec.Cmd {
	cmd := exec.CommandContext(ctx, c.Args[0], c.Args[1:]...)
	cmd.Dir = c.Dir
	cmd.Env = append(os.Environ(), c.Env...)
	cmd.Stdout, cmd.Stderr = out, complaints
	cmd.WaitDelay = grace
	return cmd
}

func (c Command) verdict(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return fmt.Errorf("run %s: %w", c.Args[0], err)
	default:
		return nil
	}
}
