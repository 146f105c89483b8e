package settings

import (
	"fmt"
	"time"
)

// Desktop says how the program behaves beside its window.
type Desktop struct {
	Tray   bool   `json:"tray"`  // closing the window leaves the program in the tray, where there is one
	Awake  bool   `json:"awake"` // the computer does not go to sleep by itself while turns run
	Notify Notify `json:"notify"`
}

// Notify says what the user is told while the window is out of sight.
type Notify struct {
	Asks         bool   `json:"asks"`
	Limited      bool   `json:"limited"`
	Failed       bool   `json:"failed"`
	NeverStarted bool   `json:"never_started"`
	CapacityBack bool   `json:"capacity_back"`
	Finished     bool   `json:"finished"`
	QuietFrom    string `json:"quiet_from"` // a time of the day, 22:00; both "" where there are no quiet hours
	QuietTo      string `json:"quiet_to"`
}

func desktopDefaults() Desktop {
	return Desktop{Tray: true, Notify: Notify{
		Asks: true, Limited: true, Failed: true, NeverStarted: true, CapacityBack: true, Finished: true,
	}}
}

// Check says what is wrong; nil where nothing is.
func (d Desktop) Check() error {
	n := d.Notify
	if (n.QuietFrom == "") != (n.QuietTo == "") {
		return fmt.Errorf("desktop.notify has quiet_from and quiet_to together, or neither")
	}
	for name, at := range map[string]string{"quiet_from": n.QuietFrom, "quiet_to": n.QuietTo} {
		if _, ok := minutes(at); at != "" && !ok {
			return fmt.Errorf("desktop.notify.%s is a time of the day like 22:00, not %q", name, at)
		}
	}
	return nil
}

// Quiet is the stretch of quiet hours in minutes since midnight; both are 0 where
// there is none.
func (n Notify) Quiet() (from, to int) {
	from, _ = minutes(n.QuietFrom)
	to, _ = minutes(n.QuietTo)
	return from, to
}

func minutes(s string) (int, bool) {
	if len(s) != len("22:00") {
		return 0, false
	}
	t, err := time.Parse("15:04", s)
	return t.Hour()*60 + t.Minute(), err == nil
}
