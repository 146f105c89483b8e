package window

import (
	"os"
	"slices"

	"turnwatch/backend/agent"
	"turnwatch/backend/core"
	"turnwatch/backend/local/autostart"
	"turnwatch/backend/settings"
)

// Looking is what the user looks at, on the page's word.
type Looking struct {
	Focused bool
	Task    agent.TaskID // that the page shows; "" for none
}

// Desktop are the user's settings for what goes on beside the window.
type Desktop struct {
	Tray      bool   `json:"tray"`      // closing leaves the program in the tray, where there is one
	Awake     bool   `json:"awake"`     // the computer stays awake while turns run
	Autostart bool   `json:"autostart"` // the program starts when the user logs in
	Notify    Notify `json:"notify"`
}

// Notify says what the user is told while the window is out of sight, and between
// which times of the day (22:00) nothing is; both are "" for always.
type Notify struct {
	Asks         bool   `json:"asks"`
	Limited      bool   `json:"limited"`
	Failed       bool   `json:"failed"`
	NeverStarted bool   `json:"never_started"`
	CapacityBack bool   `json:"capacity_back"`
	Finished     bool   `json:"finished"`
	QuietFrom    string `json:"quiet_from"`
	QuietTo      string `json:"quiet_to"`
}

// Attend says whether the window has the user's eye, and which task the page
// shows; "" for none.
func (t *Tasks) Attend(focused bool, task string) error {
	return do(t.r, usually, func(c call) error {
		var id agent.TaskID
		if task != "" {
			var err error
			if id, err = taskID(task); err != nil {
				return err
			}
		}
		c.desk.mu.Lock()
		c.desk.looking = Looking{Focused: focused, Task: id}
		c.desk.mu.Unlock()
		c.desk.tidings()
		return nil
	})
}

// Asked gives, once, the task that somebody outside the page wants to see: a link,
// a notification or the tray; "" for none. A page asks at its start and when it
// hears the event "show".
func (t *Tasks) Asked() (string, error) {
	return answer(t.r, usually, func(c call) (string, error) {
		c.desk.mu.Lock()
		defer c.desk.mu.Unlock()
		id := c.desk.asking
		c.desk.asking = ""
		return string(id), nil
	})
}

// Ask has the page show a task as soon as it asks for one. It does not wait for
// the data.
func (w *Window) Ask(id agent.TaskID) {
	r := w.room
	put := func() {
		if r.err != nil {
			return
		}
		r.desk.mu.Lock()
		defer r.desk.mu.Unlock()
		r.desk.asking = id
	}
	select {
	case <-r.opened:
		put()
	default:
		r.work.Go(func() {
			if _, err := r.wait(r.ctx); err == nil {
				put()
			}
		})
	}
}

// Desktop gives the settings for what goes on beside the window.
func (s *Settings) Desktop() (Desktop, error) {
	v := settings.Defaults().Desktop
	if s.r.o.Settings != nil {
		v = s.r.o.Settings.Get().Desktop
	}
	on, err := autostart.Here().On()
	if err != nil {
		s.r.o.Log.Warn("start entry could not be read", "err", err)
	}
	return Desktop{Tray: v.Tray, Awake: v.Awake, Autostart: on, Notify: Notify(v.Notify)}, nil
}

// SetDesktop changes them.
func (s *Settings) SetDesktop(d Desktop) (Desktop, error) {
	if s.r.o.Settings == nil {
		return Desktop{}, &Error{Key: "error.unreachable"}
	}
	v := settings.Desktop{Tray: d.Tray, Awake: d.Awake, Notify: settings.Notify(d.Notify)}
	if v.Check() != nil {
		return Desktop{}, wrong("time")
	}
	was, err := s.Desktop()
	if err != nil {
		return Desktop{}, err
	}
	if d.Autostart != was.Autostart {
		if err := s.startAtLogin(d.Autostart); err != nil {
			s.r.o.Log.Warn("start entry could not be changed", "err", err)
			return Desktop{}, &Error{Key: "error.autostart"}
		}
	}
	if _, err := s.r.o.Settings.Change(func(all *settings.Values) { all.Desktop = v }); err != nil {
		s.r.o.Log.Warn("settings could not be written", "err", err)
		return Desktop{}, &Error{Key: "error.settings_unwritten", Args: map[string]string{"dir": s.r.o.Dir}}
	}
	s.stir()
	return s.Desktop()
}

// stir has who stands beside the page look at the settings anew.
func (s *Settings) stir() {
	select {
	case <-s.r.opened:
		if s.r.err == nil {
			s.r.desk.tidings()
		}
	default:
	}
}

// startAtLogin writes or removes the entry. The program starts out of sight, on
// the same data.
func (s *Settings) startAtLogin(on bool) error {
	if !on {
		return autostart.Here().Unset()
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	args := []string{"--background"}
	if s.r.o.Dir != "" && s.r.o.Dir != core.DefaultDir() {
		args = slices.Concat(args, []string{"--data", s.r.o.Dir})
	}
	return autostart.Here().Set(autostart.Entry{Program: program, Args: args, Comment: "Turnwatch"})
}
