package acp

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// Call sends a request and waits for its answer, which is decoded into result
// unless that is nil. A *jsontext.Value takes the answer raw. An error answer is
// an *Error; a connection that ended gives ErrClosed or ErrStalled. When ctx
// ends Call returns its error at once, nothing is sent to the peer, and a late
// answer is dropped and counted. Use Go to learn of late answers.
func (c *Conn) Call(ctx context.Context, method string, params, result any) error {
	p := c.Go(ctx, method, params)
	raw, err := p.Wait(ctx)
	if err != nil {
		p.Forget()
		return err
	}
	switch result := result.(type) {
	case nil:
	case *jsontext.Value:
		*result = raw
	default:
		if decode(raw, result) != nil {
			return fmt.Errorf("decode answer to %s: %w", method, errShape)
		}
	}
	return nil
}

// Go sends a request without waiting for its answer. ctx bounds only the wait
// for room in the queue; a Pending that was never sent is already done and holds
// the error.
func (c *Conn) Go(ctx context.Context, method string, params any) *Pending {
	p := &Pending{c: c, method: method, done: make(chan struct{})}
	c.t.update(func(f *flight) { f.last++; p.id = f.last })
	data, err := encodeCall(method, p.id, params)
	if err == nil {
		err = c.reserve(ctx)
	}
	if err == nil {
		p.line = &line{role: roleCall, data: data, call: p}
		c.t.update(func(f *flight) {
			if err = f.add(p, p.line); err != nil {
				<-f.room
			}
		})
	}
	if err != nil {
		p.err = fmt.Errorf("call %s: %w", method, err)
		close(p.done)
		return p
	}
	c.nudge()
	return p
}

// Notify sends a notification. It returns when the line was written, ctx ended
// or the writing side is gone. A line that ctx caught in the queue is not sent.
func (c *Conn) Notify(ctx context.Context, method string, params any) error {
	data, err := encodeCall(method, 0, params)
	if err == nil {
		err = c.reserve(ctx)
	}
	l := &line{role: roleNotice, data: data, done: make(chan struct{})}
	if err == nil {
		c.t.update(func(f *flight) {
			if err = f.push(l); err != nil {
				<-f.room
			}
		})
	}
	if err != nil {
		return fmt.Errorf("notify %s: %w", method, err)
	}
	c.nudge()
	select {
	case <-l.done:
		err = l.err
	case <-ctx.Done():
		c.t.update(func(f *flight) { f.pull(l) })
		err = ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("notify %s: %w", method, err)
	}
	return nil
}

// Pending is a call whose answer is still to come.
type Pending struct {
	c      *Conn
	id     uint64
	method string
	line   *line
	done   chan struct{}
	raw    jsontext.Value // valid once done is closed, as is err
	err    error
}

// Done is closed when the answer has come, or the connection has ended without
// one. Everything the peer sent before has been handled by then.
func (p *Pending) Done() <-chan struct{} { return p.done }

// Wait returns the answer, an *Error, or the error of the connection. When ctx
// ends first it returns ctx's error and the call stays pending: Done and another
// Wait still tell its end.
func (p *Pending) Wait(ctx context.Context) (jsontext.Value, error) {
	select {
	case <-p.done:
		return p.raw, p.err
	default:
	}
	select {
	case <-p.done:
		return p.raw, p.err
	case <-ctx.Done():
		return nil, fmt.Errorf("call %s: %w", p.method, ctx.Err())
	}
}

// Forget lets go of the call: its answer will be dropped and counted. A call that
// still waits in the queue is not sent any more. Done is closed; Wait returns
// context.Canceled unless the answer had come before.
func (p *Pending) Forget() {
	p.c.t.update(func(f *flight) {
		if f.complete(p.id, nil, fmt.Errorf("call %s: %w", p.method, context.Canceled)) {
			f.pull(p.line)
		}
	})
}
