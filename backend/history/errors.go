package history

import (
	"errors"
	"fmt"

	"turnwatch/backend/agent"
)

// What may be wrong with a history. Every error of this package that a person
// can act on is an *Error and matches one of them by errors.Is.
var (
	ErrReadOnly = errors.New("history is read-only")
	ErrDiskFull = errors.New("disk is full")
	ErrTooNew   = errors.New("history was written by a newer version")
	ErrDamaged  = errors.New("history is damaged")
	ErrLocked   = errors.New("history is held by another program")
	ErrIO       = errors.New("history cannot be read or written")
	ErrNothing  = errors.New("there is no history yet")
	ErrNotFound = errors.New("not in the history")
	ErrBusy     = errors.New("session is run by another program")
	ErrRefused  = errors.New("facts cannot be stored")
	ErrClosed   = errors.New("history is closed")
)

// Error is trouble that a person can act on. Hint is the key of a sentence that
// says what to do, Args its arguments. Err is the cause, for logs; it holds no
// text of an agent.
type Error struct {
	Kind error // one of the sentinels above
	Hint string
	Args map[string]string
	Err  error
}

// Error names the kind and the cause.
func (e *Error) Error() string {
	if e.Err == nil {
		return e.Kind.Error()
	}
	return fmt.Sprintf("%v: %v", e.Kind, e.Err)
}

// Unwrap lets errors.Is find the kind as well as the cause.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

// BusyError says who runs a session that was asked for. It matches ErrBusy.
type BusyError struct {
	Session agent.SessionID
	PID     int // 0 where it is not known
}

// Error names the session and the process that runs it.
func (e *BusyError) Error() string {
	return fmt.Sprintf("%v: %s by process %d", ErrBusy, e.Session, e.PID)
}

// Unwrap lets errors.Is find ErrBusy.
func (e *BusyError) Unwrap() error { return ErrBusy }

// The keys of the sentences that say what to do.
const (
	HintReadOnly = "hint.history_read_only" // args: dir
	HintDiskFull = "hint.history_disk_full" // args: dir
	HintTooNew   = "hint.history_too_new"   // args: dir, have, know
	HintDamaged  = "hint.history_damaged"   // args: dir
	HintLocked   = "hint.history_locked"    // args: dir
	HintIO       = "hint.history_io"        // args: dir
	HintNothing  = "hint.history_nothing"   // args: dir
	HintOld      = "hint.history_old"       // args: dir; a reader: open it once for writing
)

func hintOf(kind error) string {
	for _, row := range []struct {
		kind error
		hint string
	}{
		{ErrReadOnly, HintReadOnly},
		{ErrDiskFull, HintDiskFull},
		{ErrTooNew, HintTooNew},
		{ErrDamaged, HintDamaged},
		{ErrLocked, HintLocked},
		{ErrNothing, HintNothing},
	} {
		if errors.Is(kind, row.kind) {
			return row.hint
		}
	}
	return HintIO
}
