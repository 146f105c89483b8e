package acp

import (
	"errors"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Errors of a connection. Test for them with errors.Is.
var (
	// ErrClosed says that the connection has ended: the peer is gone, or Close
	// was called.
	ErrClosed = errors.New("connection closed")
	// ErrStalled says that the peer did not read for Options.WriteTimeout.
	ErrStalled = errors.New("peer does not read")
	// ErrAnswered says that a request was answered before.
	ErrAnswered = errors.New("request already answered")
	// ErrNoSession says that an answer with a new session does not name it.
	ErrNoSession = errors.New("the answer names no session")
	// errShape stands for every error of decoding what the peer wrote: the JSON
	// library's own may quote it.
	errShape = errors.New("not of the expected shape")
)

// Codes of JSON-RPC and ACP.
const (
	CodeParse          = -32700
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternal       = -32603
	CodeCancelled      = -32800
	CodeAuthRequired   = -32000
	CodeNotFound       = -32002
)

// Error is the peer's error answer to a call. Message and Data are the peer's
// own words: untrusted, unsanitised, not for logs. The text of Error holds
// neither.
type Error struct {
	Method  string // of the call
	Code    string // as it came, a number or a text: "-32603", "429", "429.0"; "" where absent
	Message string
	Data    jsontext.Value // nil where absent
}

// Error says which call failed with which code, if the code is a number.
func (e *Error) Error() string {
	if n, ok := e.Int(); ok {
		return "call " + e.Method + ": peer answered with error " + strconv.FormatInt(n, 10)
	}
	return "call " + e.Method + ": peer answered with an error"
}

// Int returns the code as a whole number, false where it is none. "429" and
// 429.0 are 429.
func (e *Error) Int() (int64, bool) {
	if n, err := strconv.ParseInt(e.Code, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(e.Code, 64)
	if err != nil || f != f || f < -1<<53 || f > 1<<53 || f != float64(int64(f)) {
		return 0, false
	}
	return int64(f), true
}

// parseError reads an error object as it comes: the code may be a number or a
// text, the whole may be a bare text.
func parseError(method string, raw jsontext.Value) *Error {
	e := &Error{Method: method}
	var o struct {
		Code    jsontext.Value `json:"code"`
		Message jsontext.Value `json:"message"`
		Data    jsontext.Value `json:"data"`
	}
	if raw.Kind() == '"' || decode(raw, &o) != nil {
		e.Message = str(raw)
		return e
	}
	e.Message, e.Data = str(o.Message), own(o.Data)
	switch o.Code.Kind() {
	case '0':
		e.Code = string(o.Code)
	case '"':
		e.Code = str(o.Code)
	}
	return e
}

// quoteMethod makes a method of the peer fit for an error text: a method is
// plain ASCII and short, anything else is withheld.
func quoteMethod(m string) string {
	for i := range len(m) {
		if c := m[i]; c <= ' ' || c > '~' {
			return "a request"
		}
	}
	if len(m) > 64 {
		return "a request"
	}
	return m
}
