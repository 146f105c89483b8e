package history

import (
	"context"
	"errors"
	"io/fs"
	"syscall"
)

// SQLite's primary result codes that this room tells apart.
const (
	codePerm       = 3
	codeBusy       = 5
	codeLocked     = 6
	codeNoMem      = 7
	codeReadOnly   = 8
	codeIOErr      = 10
	codeCorrupt    = 11
	codeFull       = 13
	codeCantOpen   = 14
	codeProtocol   = 15
	codeTooBig     = 18
	codeConstraint = 19
	codeMismatch   = 20
	codeNotADB     = 26
)

// trouble turns an error of the file system or of SQLite into an *Error that a
// person can act on. Errors that are none of the surroundings' doing (an end of
// a context, a broken rule of the schema) come back as they are.
func trouble(dir string, err error) error {
	var known *Error
	if err == nil || errors.As(err, &known) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	kind := kindOf(err)
	if kind == nil {
		return err
	}
	return newError(kind, dir, err)
}

func newError(kind error, dir string, cause error) *Error {
	return &Error{Kind: kind, Hint: hintOf(kind), Args: map[string]string{"dir": dir}, Err: cause}
}

// kindOf tells which trouble an error is, or nil.
func kindOf(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return ErrDiskFull
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		return ErrReadOnly
	}
	code, errno, ok := sqliteCode(err)
	if !ok {
		var path *fs.PathError
		if errors.As(err, &path) {
			return ErrIO
		}
		return nil
	}
	switch code {
	case codeFull:
		return ErrDiskFull
	case codeReadOnly, codePerm:
		return ErrReadOnly
	case codeCorrupt, codeNotADB:
		return ErrDamaged
	case codeBusy, codeLocked:
		return ErrLocked
	case codeIOErr, codeCantOpen, codeProtocol, codeNoMem:
		return kindOfErrno(errno)
	}
	return nil
}

func kindOfErrno(errno syscall.Errno) error {
	switch errno {
	case syscall.ENOSPC, syscall.EDQUOT:
		return ErrDiskFull
	case syscall.EROFS, syscall.EACCES, syscall.EPERM:
		return ErrReadOnly
	}
	return ErrIO
}

// unstorable reports whether an error is the fault of what was to be stored, so
// that trying again is no use. Anything else is kept and tried again.
func unstorable(err error) bool {
	if errors.Is(err, ErrRefused) || errors.Is(err, ErrNotFound) || errors.Is(err, ErrBusy) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return true
	}
	code, _, ok := sqliteCode(err)
	return ok && (code == codeTooBig || code == codeConstraint || code == codeMismatch)
}
