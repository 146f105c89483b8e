package window

import (
	"errors"

	"turnwatch/backend/settings"
)

// Page gives what the page keeps with the data, a JSON object that it alone
// understands; "" where there is nothing.
func (s *Settings) Page() (string, error) {
	if s.r.o.Settings == nil {
		return "", nil
	}
	return s.r.o.Settings.Page(), nil
}

// KeepPage replaces what the page keeps: a JSON object of at most 4 MiB.
func (s *Settings) KeepPage(text string) error {
	if s.r.o.Settings == nil {
		return nil
	}
	err := s.r.o.Settings.KeepPage(text)
	switch {
	case errors.Is(err, settings.ErrPage):
		return wrong("page")
	case err != nil:
		s.r.o.Log.Warn("what the page keeps could not be written", "err", err)
		return &Error{Key: "error.settings_unwritten", Args: map[string]string{"dir": s.r.o.Dir}}
	}
	return nil
}
