package autostart

import (
	"errors"
	"fmt"
	"strings"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

const (
	run  = `Software\Microsoft\Windows\CurrentVersion\Run`
	name = "Turnwatch"
)

// RunKey is the place for the entry on Windows.
type RunKey struct{}

// Here is the user's own place for the entry.
func Here() RunKey { return RunKey{} }

// On tells whether the program is started when the user logs in.
func (RunKey) On() (bool, error) {
	k, err := registry.OpenKey(registry.CURRENT_USER, run, registry.QUERY_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read start entry: %w", err)
	}
	defer k.Close()
	_, _, err = k.GetStringValue(name)
	if errors.Is(err, registry.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read start entry: %w", err)
	}
	return true, nil
}

// Set writes the entry.
func (RunKey) Set(e Entry) error {
	if err := fit(e); err != nil {
		return fmt.Errorf("write start entry: %w", err)
	}
	words := []string{windows.EscapeArg(e.Program)}
	for _, a := range e.Args {
		words = append(words, windows.EscapeArg(a))
	}
	k, _, err := registry.CreateKey(registry.CURRENT_USER, run, registry.SET_VALUE)
	if err != nil {
		return fmt.Errorf("write start entry: %w", err)
	}
	defer k.Close()
	if err := k.SetStringValue(name, strings.Join(words, " ")); err != nil {
		return fmt.Errorf("write start entry: %w", err)
	}
	return nil
}

// Unset takes the entry away; that there is none is no error.
func (RunKey) Unset() error {
	k, err := registry.OpenKey(registry.CURRENT_USER, run, registry.SET_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("remove start entry: %w", err)
	}
	defer k.Close()
	if err := k.DeleteValue(name); err != nil && !errors.Is(err, registry.ErrNotExist) {
		return fmt.Errorf("remove start entry: %w", err)
	}
	return nil
}
