package window

import (
	"errors"
	"strconv"

	"turnwatch/backend/settings"
)

// Trouble is why the settings file is not in force.
type Trouble struct {
	What   Phrase `json:"what"`
	Detail string `json:"detail"` // the reader's own words, for whoever mends the file
	Last   bool   `json:"last"`   // the last good settings hold in its place, else the usual ones
}

// troubleOf says what is wrong with the file; nil where nothing is.
func troubleOf(err error) *Trouble {
	var f *settings.Fault
	if !errors.As(err, &f) {
		return nil
	}
	args := map[string]string{}
	if f.Name != "" {
		args["name"] = f.Name
	}
	if f.Line > 0 {
		args["line"] = strconv.Itoa(f.Line)
	}
	return &Trouble{What: Phrase{Key: faultKey(f.Slip), Args: args}, Detail: cutText(f.Error(), longestTitle), Last: f.Last}
}

func faultKey(s settings.Slip) string {
	switch s {
	case settings.BadName:
		return "settings.fault_name"
	case settings.BadValue:
		return "settings.fault_value"
	case settings.TooLarge:
		return "settings.fault_large"
	case settings.Unreadable:
		return "settings.fault_unread"
	}
	return "settings.fault_syntax"
}

// Read takes the settings file as it stands now, after somebody mended it by hand.
// What is still wrong is in the answer.
func (s *Settings) Read() (Prefs, error) {
	if s.r.o.Settings == nil {
		return Prefs{}, &Error{Key: "error.unreachable"}
	}
	if err := s.r.o.Settings.Read(); err != nil {
		s.r.o.Log.Warn("settings file is not in order", "err", err)
	}
	s.stir()
	return prefsOf(s.r.o.Settings), nil
}

// OpenFolder shows the data folder in the desktop's own program for files. It
// needs no data.
func (s *Settings) OpenFolder() error { return s.r.show(s.r.o.Dir) }

// OpenFolder shows the folder of a session's task.
func (t *Tasks) OpenFolder(session string) error {
	return do(t.r, usually, func(c call) error {
		id, err := sessionID(session)
		if err != nil {
			return err
		}
		row, err := c.core.History().Session(c.ctx, id)
		if err != nil {
			return err
		}
		return c.show(row.Dir)
	})
}

func (r *room) show(dir string) error {
	if r.o.OpenFolder == nil {
		return &Error{Key: "error.folder_unopened", Args: map[string]string{"dir": dir}}
	}
	if err := r.o.OpenFolder(dir); err != nil {
		r.o.Log.Warn("folder could not be shown", "err", err)
		return &Error{Key: "error.folder_unopened", Args: map[string]string{"dir": dir}}
	}
	return nil
}

// Quit ends the program; the user is asked before running turns end.
func (s *Settings) Quit() error {
	if s.r.o.Quit == nil {
		return &Error{Key: "error.unreachable"}
	}
	s.r.o.Quit()
	return nil
}
