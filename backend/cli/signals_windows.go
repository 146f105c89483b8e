package cli

import (
	"errors"
	"os"
	"syscall"
)

func endings() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }

func brokenPipe() []os.Signal { return nil }

// hungUp reports whether a write failed because nobody reads any more.
func hungUp(err error) bool {
	const noData, brokenPipe = syscall.Errno(232), syscall.Errno(109)
	return errors.Is(err, noData) || errors.Is(err, brokenPipe)
}
