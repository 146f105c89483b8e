package terminal

import (
	"fmt"
	"os"

	"golang.org/x/sys/windows"
)

// singleKeys puts the console into a mode that hands over keys at once, unseen.
// Ctrl-C stays a signal. Waiting input is dropped. It gives back what restores
// the mode from before. Not tried on a real console yet.
func singleKeys(f *os.File) (func() error, error) {
	h := windows.Handle(f.Fd())
	var before uint32
	if err := windows.GetConsoleMode(h, &before); err != nil {
		return nil, fmt.Errorf("get console mode: %w", err)
	}
	mode := before &^ (windows.ENABLE_LINE_INPUT | windows.ENABLE_ECHO_INPUT)
	if err := windows.SetConsoleMode(h, mode|windows.ENABLE_PROCESSED_INPUT); err != nil {
		return nil, fmt.Errorf("set console mode: %w", err)
	}
	if err := windows.FlushConsoleInputBuffer(h); err != nil {
		return nil, fmt.Errorf("drop console input: %w", err)
	}
	return func() error { return windows.SetConsoleMode(h, before) }, nil
}
