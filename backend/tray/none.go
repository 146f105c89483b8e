//go:build !linux && !windows

package tray

import "errors"

// Tray is not there on this system.
type Tray struct{}

// Start says that there is no tray on this system: on macOS its icon must be made
// on the window's own thread, which could not be tried yet.
func Start(Options) (*Tray, error) { return nil, errors.New("start tray: not on this system yet") }

// Show does nothing.
func (*Tray) Show(Model) {}

// Close does nothing.
func (*Tray) Close() error { return nil }
