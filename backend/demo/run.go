package demo

import (
	"context"
	"errors"
	"io"
	"log/slog"

	"turnwatch/backend/acp"
)

// ErrCrashed is what Run returns when a scenario made the program crash. The
// caller exits with a status that is not 0.
var ErrCrashed = errors.New("the demo agent crashed, as its scenario asks")

// Run is the agent program: it speaks ACP on in and out, writes what agents
// write to stderr, and returns nil when in ends. It blocks until then, or until
// ctx ends (its cause is returned), or a scenario crashes (ErrCrashed). It
// closes out, and in where it can be closed, and leaves no goroutine and no
// child process behind; a read of in that cannot be interrupted is the one thing
// it may leave to the end of the process.
func Run(ctx context.Context, in io.Reader, out io.WriteCloser, stderr io.Writer, o Options) error {
	o, err := o.withDefaults()
	if err != nil {
		return err
	}
	ctx, crash := context.WithCancelCause(ctx)
	defer crash(nil)
	p := &program{
		o: o, ctx: ctx, crash: crash,
		ready:    make(chan struct{}),
		err:      &errorStream{w: stderr},
		sessions: map[string]*session{},
		events:   serveEvents(o),
	}
	p.conn = acp.New(in, out, p, acp.Options{Log: slog.New(slog.DiscardHandler)})
	close(p.ready)
	var end error
	select {
	case <-p.conn.Done():
	case <-ctx.Done():
		end = context.Cause(ctx)
		if errors.Is(end, ErrCrashed) {
			// A crash says nothing more, not even what is queued.
			_ = out.Close()
		}
	}
	crash(end)
	p.wait()
	p.events.close()
	_ = p.conn.Close()
	if c, ok := in.(io.Closer); ok {
		_ = c.Close()
	}
	return end
}
