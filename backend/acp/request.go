package acp

import (
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
}

// Decode reads the parameters into v, with the tolerance of this room: duplicate
// names and invalid UTF-8 pass. When it fails it has answered the request with
// -32602, and the caller has nothing more to do with it.
func (r *Request) Decode(v any) error { return nil }

// Respond answers with a result; nil is JSON null.
func (r *Request) Respond(result any) error { return nil }

// Fail answers with an error. data nil is left out.
func (r *Request) Fail(code int, message string, data any) error { return nil }

// Refuse answers -32601, method not found: nobody here serves it.
func (r *Request) Refuse() error { return nil }
