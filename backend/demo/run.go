package demo

import (
	"context"
	"errors"
	"io"
)

// ErrCrashed is what Run returns when a scenario made the program crash. The
// caller exits with a status that is not 0.
var ErrCrashed = errors.New("the demo agent crashed, as its scenario asks")

// Run is the agent program: it speaks ACP on in and out, writes what agents
// write to stderr, and returns nil when in ends. It blocks until then, or until
// ctx ends, or a scenario crashes (ErrCrashed). It closes out, and leaves no
// goroutine and no child process behind; a read of in that cannot be interrupted
// is the one thing it may leave to the end of the process.
func Run(ctx context.Context, in io.Reader, out io.WriteCloser, stderr io.Writer, o Options) error {
	if _, err := o.withDefaults(); err != nil {
		return err
	}
	return errors.New("run demo agent: not there yet")
}
