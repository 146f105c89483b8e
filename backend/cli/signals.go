package cli

import (
	"os"
	"os/signal"
)

// catch takes the signals that ask a run to end, so that it can end in order.
// Those of a broken pipe are taken too and dropped: the write itself fails then,
// and programs that we start are not made deaf to them as by ignoring them.
func catch() (signals <-chan os.Signal, ignore func()) {
	asked := make(chan os.Signal, 4)
	signal.Notify(asked, endings()...)
	pipe := make(chan os.Signal, 1)
	if len(brokenPipe()) > 0 {
		signal.Notify(pipe, brokenPipe()...)
	}
	return asked, func() {
		signal.Stop(asked)
		signal.Stop(pipe)
	}
}
