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
		if err = f.push(&line{role: roleAnswer, data: data}); err != nil {
			f.open--
		}
	})
	r.c.nudge()
	if err != nil {
		return fmt.Errorf("answer %s: %w", quoteMethod(r.Method), err)
	}
	return nil
}

// admit counts a request in. Over the bound it refuses it and returns nil.
func (c *Conn) admit(f frame, st agent.Stamp) *Request {
	id := own(f.id)
	room := false
	c.t.update(func(t *flight) {
		if room = t.open < maxOpen; room {
			t.open++
		}
	})
	if !room {
		c.odd(&c.n.refused, "request over the bound", len(f.params))
		c.refuse(id, CodeRefused, "too many open requests")
		return nil
	}
	return &Request{Method: f.method, ID: id, Params: own(f.params), Stamp: st, c: c}
}

// refuse answers on behalf of nobody. A peer that does not read its refusals gets
// no more of them.
func (c *Conn) refuse(id jsontext.Value, code int, message string) {
	l := &line{role: roleRefusal, data: encodeError(id, code, message, nil)}
	c.t.update(func(f *flight) {
		if f.refused < maxRefusals && f.push(l) == nil {
			f.refused++
		}
	})
	c.nudge()
}
