package managed

import (
	"errors"
	"syscall"
)

// dontWait does nothing: Windows has no pipes in its file system.
const dontWait = 0

// isNotFile reports errors of opening what is no regular file.
func isNotFile(err error) bool { return errors.Is(err, syscall.ENOTDIR) }
