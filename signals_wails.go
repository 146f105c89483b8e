//go:build (desktop && production) || bindings

package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// obey ends the window when the system or a terminal says so, without a question:
// nobody may be there to answer. It takes the place of what Wails does, which
// prints a line on standard error. The second signal ends the program at once.
func (s *screen) obey(ctx context.Context) {
	told := make(chan os.Signal, 1)
	signal.Reset(os.Interrupt, syscall.SIGTERM)
	signal.Notify(told, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-told
		signal.Reset(os.Interrupt, syscall.SIGTERM)
		s.told.Store(true)
		runtime.Quit(ctx)
	}()
}
