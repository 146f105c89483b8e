package acp

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"
)

// Call sends a request and waits for its answer, which is decoded into result
// unless that is nil. A *jsontext.Value takes the answer raw. An error answer is
// an *Error; a connection that ended gives ErrClosed or ErrStalled. When ctx
// ends Call returns its error at once, nothing is sent to the peer, and a late
// answer is dropped and counted. Use Go to learn of late answers.
func (c *Conn) Call(ctx context.Context, method string, params, result any) error { return nil }

// Go sends a request without waiting for its answer. ctx bounds only the wait
// for room in the queue; a Pending that was never sent is already done and holds
// the error.
func (c *Conn) Go(ctx context.Context, method string, params any) *Pending { return nil }

// Notify sends a notification. It returns when the line was written, ctx ended
// or the writing side is gone. A line that ctx caught in the queue is not sent.
func (c *Conn) Notify(ctx context.Context, method string, params any) error { return nil }

// Pending is a call whose answer is still to come.
type Pending struct{}

// Done is closed when the answer has come, or the connection has ended without
// one. Everything the peer sent before has been handled by then.
func (p *Pending) Done() <-chan struct{} { return nil }

// Wait returns the answer, an *Error, or the error of the connection. When ctx
// ends first it returns ctx's error and the call stays pending: Done and another
// Wait still tell its end.
func (p *Pending) Wait(ctx context.Context) (jsontext.Value, error) { return nil, nil }

// Forget lets go of the call: its answer will be dropped and counted. A call that
// still waits in the queue is not sent any more. Done is closed; Wait returns
// context.Canceled unless the answer had come before.
func (p *Pending) Forget() {}
