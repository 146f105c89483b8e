//go:build unix

package managed

import (
	"errors"
	"syscall"
)

// dontWait keeps the opening of a named pipe from waiting for its other end.
const dontWait = syscall.O_NONBLOCK

// isNotFile reports errors of opening what is no regular file.
func isNotFile(err error) bool {
	return errors.Is(err, syscall.ENXIO) || errors.Is(err, syscall.EEXIST) || errors.Is(err, syscall.ENOTDIR)
}
