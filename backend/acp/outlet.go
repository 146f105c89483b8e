package acp

import (
	"context"
	"fmt"
	"io"
	"time"
)

const (
	writeChunk = 64 << 10               // a write without this much progress for WriteTimeout has stalled
	closeGrace = 500 * time.Millisecond // what Close allows for queued lines
)

// role says whose line it is, and so what its end means.
type role int

const (
	roleCall   role = iota + 1 // call is completed with the error if it cannot be written
	roleNotice                 // done is closed when it was written or cannot be
	roleAnswer                 // gives back its bytes of what is owed
)

// line is a whole message on its way to the writer. err is valid once done is
// closed.
type line struct {
	role role
	data []byte
	call *Pending
	done chan struct{}
	err  error
}

// write is the writer goroutine, the only one that writes to w.
func (c *Conn) write() {
	defer close(c.written)
	stall := time.AfterFunc(c.o.WriteTimeout, c.stall)
	stall.Stop()
	for {
		l, more := c.take()
		if !more {
			c.stop(ErrClosed)
			return
		}
		if l == nil {
			<-c.wake
			continue
		}
		err := c.put(l.data, stall)
		c.t.update(func(f *flight) {
			if err != nil && f.noWrite != nil {
				err = f.noWrite // the reason why the write was broken off
			}
			f.settle(l, err)
		})
		if err != nil {
			c.stop(err)
			return
		}
	}
}

// take returns the next line, nil where there is none yet, and false where there
// will be none.
func (c *Conn) take() (l *line, more bool) {
	c.t.update(func(f *flight) {
		switch {
		case f.noWrite != nil:
		case len(f.queue) > 0:
			l, more = f.queue[0], true
			f.queue[0] = nil
			f.queue = f.queue[1:]
		default:
			more = !f.closing
		}
	})
	return l, more
}

// put writes one line, piece by piece, each within the write timeout.
func (c *Conn) put(data []byte, stall *time.Timer) error {
	for len(data) > 0 {
		piece := data[:min(len(data), writeChunk)]
		stall.Reset(c.o.WriteTimeout)
		n, err := c.w.Write(piece)
		stall.Stop()
		if err == nil && n < len(piece) {
			err = io.ErrShortWrite
		}
		if err != nil {
			return fmt.Errorf("write message: %w: %w", ErrClosed, err)
		}
		data = data[n:]
	}
	return nil
}

// nudge wakes the writer.
func (c *Conn) nudge() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// stop ends the writing side for the given reason, unless it has ended before.
// Calls that were written go on waiting for their answers.
func (c *Conn) stop(err error) {
	c.t.update(func(f *flight) { f.endWriting(err) })
	c.nudge()
	_ = c.shut() // Close reports it
}

// stall ends the writing side because the peer does not read. Its answers can no
// longer be waited for: what it was asked may never have reached it.
func (c *Conn) stall() {
	c.t.update(func(f *flight) {
		f.endWriting(ErrStalled)
		f.completeAll(ErrStalled)
	})
	c.log.Warn("acp: peer does not read, connection given up", "timeout", c.o.WriteTimeout)
	c.stop(ErrStalled)
}

// reserve waits for room in the queue. The token goes back when the line is
// settled; on a failed push the caller takes it back. A peer that says nothing
// more may still listen, so the end of the reading side does not matter here.
func (c *Conn) reserve(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case c.t.f.room <- struct{}{}:
		return nil
	case <-c.t.f.gone:
		return c.writeErr()
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *Conn) writeErr() (err error) {
	c.t.update(func(f *flight) { err = f.noWrite })
	return err
}
