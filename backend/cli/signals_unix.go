//go:build unix

package cli

import (
	"errors"
	"os"
	"syscall"
)

func endings() []os.Signal {
	return []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}
}

func brokenPipe() []os.Signal { return []os.Signal{syscall.SIGPIPE} }

// hungUp reports whether a write failed because nobody reads any more.
func hungUp(err error) bool { return errors.Is(err, syscall.EPIPE) }
