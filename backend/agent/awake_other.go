//go:build !windows

package agent

import "time"

// start is the zero of Awake; only differences mean anything.
var start = time.Now() //nolint:gochecknoglobals // a constant of the process

// Awake is how long this computer has been awake since the program began. Go's
// monotonic clock stands during sleep on Linux and macOS.
func Awake() time.Duration { return time.Since(start) }
