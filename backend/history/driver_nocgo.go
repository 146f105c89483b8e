//go:build !cgo

package history

import (
	"syscall"

	_ "github.com/mattn/go-sqlite3" // a stub: it refuses to open and says why
)

// sqliteCode finds nothing: without cgo there is no SQLite.
func sqliteCode(error) (code int, errno syscall.Errno, ok bool) { return 0, 0, false }
