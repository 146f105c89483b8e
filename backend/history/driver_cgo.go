//go:build cgo

package history

import (
	"errors"
	"syscall"

	"github.com/mattn/go-sqlite3"
)

// sqliteCode tells SQLite's primary result code and the system's own error.
func sqliteCode(err error) (code int, errno syscall.Errno, ok bool) {
	var e sqlite3.Error
	if !errors.As(err, &e) {
		return 0, 0, false
	}
	return int(e.Code), e.SystemErrno, true
}
