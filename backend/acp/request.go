package acp

import (
	"fmt"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"

	"turnwatch/backend/agent"
)

// Request is a request of the peer. It must be answered exactly once, by Respond,
// Fail or Refuse, from any goroutine. None of them blocks: the answer is queued.
// A second answer gives ErrAnswered, one after the end of the writing side gives
// an error that wraps ErrClosed or ErrStalled.
type Request struct {
	Method string
	ID     jsontext.Value // as it came: number, string or null; echoed byte for byte
	Params jsontext.Value // nil where absent
	Stamp  agent.Stamp

	c        *Conn
	answered atomic.Bool
}

// Decode reads the parameters into v, with the tolerance of this room: duplicate
// names and invalid UTF-8 pass. When it fails it has answered the request with
// -32602, and the caller has nothing more to do with it.
func (r *Request) Decode(v any) error {
	params := r.Params
	if params == nil {
		params = jsontext.Value("{}")
	}
	if err := decode(params, v); err != nil {
		_ = r.Fail(CodeInvalidParams, "invalid parameters of "+quoteMethod(r.Method), nil)
		return fmt.Errorf("decode parameters of %s: %w", quoteMethod(r.Method), errShape)
	}
	return nil
}

// Respond answers with a result; nil is JSON null. A result that cannot be encoded
// is answered with -32603, and its error is returned.
func (r *Request) Respond(result any) error {
	if !r.claim() {
		return ErrAnswered
	}
	data, err := encodeResult(r.ID, result)
	if err != nil {
		_ = r.send(encodeError(r.ID, CodeInternal, "the result could not be encoded", nil))
		return fmt.Errorf("answer %s: %w", quoteMethod(r.Method), err)
	}
	return r.send(data)
}

// Fail answers with an error. data nil is left out.
func (r *Request) Fail(code int, message string, data any) error {
	if !r.claim() {
		return ErrAnswered
	}
	return r.send(encodeError(r.ID, code, message, data))
}

// Refuse answers -32601, method not found: nobody here serves it.
func (r *Request) Refuse() error {
	return r.Fail(CodeMethodNotFound, "method not found: "+quoteMethod(r.Method), nil)
}

func (r *Request) claim() bool { return r.answered.CompareAndSwap(false, true) }

func (r *Request) send(data []byte) (err error) {
	r.c.t.update(func(f *flight) {
		err = f.owe(data)
		f.open--
		f.free()
	})
	r.c.nudge()
	if err != nil {
		return fmt.Errorf("answer %s: %w", quoteMethod(r.Method), err)
	}
	return nil
}

// admit counts a request in. Over the bound the reader waits for answers. nil where nobody can be answered any more and there is no room: then
// the request is dropped and counted.
func (c *Conn) admit(f frame, st agent.Stamp) *Request {
	room := c.await(func(t *flight) bool {
		if t.open == maxOpen || t.owed >= maxOwed {
			return false
		}
		t.open++
		return true
	})
	if !room {
		c.odd(&c.n.dropped, "request that nobody can answer", len(f.params))
		return nil
	}
	return &Request{Method: f.method, ID: own(f.id), Params: own(f.params), Stamp: st, c: c}
}

// refuse answers on behalf of nobody. The reader waits while too much of what was
// answered before is not written.
func (c *Conn) refuse(id jsontext.Value, code int, message string) {
	data := encodeError(id, code, message, nil)
	c.await(func(f *flight) bool {
		if f.owed >= maxOwed {
			return false
		}
		_ = f.owe(data) // what cannot be pushed can reach nobody
		return true
	})
	c.nudge()
}

// await holds the reader until take finds room, which is the back-pressure on a
// peer that asks faster than it is answered: it is read no further, so that no
// request is ever without its answer. False where there is no room and nothing
// can be written any more. Room comes back as requests are answered and answers
// are written, neither of which waits for the reader; Close and a stalled writer
// end the waiting too. A peer that reads nothing while it writes is still read as
// far as its requests are answered, up to the bytes that may be owed to it.
func (c *Conn) await(take func(*flight) bool) bool {
	for held := false; ; held = true {
		room, over := false, false
		c.t.update(func(f *flight) { room, over = take(f), f.noWrite != nil })
		if room || over {
			return room
		}
		if !held {
			c.n.held.Add(1)
		}
		select {
		case <-c.t.f.freed:
		case <-c.t.f.gone:
		}
	}
}
