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
