package notify

import (
	"time"

	"turnwatch/backend/view"
)

// Kind is a reason to tell the user something.
type Kind string

// Kinds. All but CapacityBack are needs of a task.
const (
	Asks         = Kind(view.NeedAnswer)
	Limited      = Kind(view.NeedCapacity)
	Failed       = Kind(view.NeedLook)
	NeverStarted = Kind(view.NeedStart)
	Finished     = Kind(view.NeedRead)
	CapacityBack = Kind("capacity_back")
)

// Wishes are what the user wants to be told, and when not.
type Wishes struct {
	Kinds map[Kind]bool // what is missing is off
	Quiet Hours
}

// Hours are a stretch of each day in minutes since midnight of the user's clock;
// it may go past midnight. Where both are equal there is none.
type Hours struct{ From, To int }

// Holds tells whether a moment is inside, and when the stretch ends.
func (h Hours) Holds(now time.Time) (bool, time.Time) {
	at := now.Hour()*60 + now.Minute()
	switch {
	case h.From == h.To:
		return false, now
	case h.From < h.To && (at < h.From || at >= h.To):
		return false, now
	case h.From > h.To && at < h.From && at >= h.To:
		return false, now
	}
	year, month, day := now.Date()
	end := time.Date(year, month, day, 0, h.To, 0, 0, now.Location())
	if !end.After(now) {
		end = time.Date(year, month, day+1, 0, h.To, 0, 0, now.Location())
	}
	return true, end
}

// Attention is what the user looks at.
type Attention struct {
	Focused bool   // the window is in front and has the keyboard
	Task    string // the task that the page shows; "" for none
}
