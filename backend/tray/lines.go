//go:build linux || windows

package tray

import (
	"time"

	"fyne.io/systray"
)

// lines are the lines of the menu. None is ever taken out: what lies below would
// close its clicks while one is on its way.
type lines struct {
	state, more, stop        *systray.MenuItem
	needs, running, capacity list
}

// next is when the next of the lines that rest now has rested.
func (l *lines) next(now time.Time) time.Time {
	var next time.Time
	for _, x := range []*list{&l.needs, &l.running, &l.capacity} {
		if at := x.places.next(now); !at.IsZero() && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next
}

// list is one list of tasks under its heading.
type list struct {
	head   *systray.MenuItem
	places slots
	items  []*item
}

// item is a line for a task.
type item struct {
	line  *systray.MenuItem
	entry Entry
	label string
	seen  bool
}

// list makes a list with all its lines hidden; each fits one line out.
func (t *Tray) list(heading string, each func(*item, int)) list {
	l := list{head: systray.AddMenuItem(heading, ""), places: slots{lines: make([]slot, mostEntries)}}
	l.head.Disable()
	l.head.Hide()
	for n := range mostEntries {
		i := &item{line: systray.AddMenuItem("", "")}
		i.line.Hide()
		each(i, n)
		l.items = append(l.items, i)
	}
	return l
}

// click makes an action of the task that a line stands for when it is clicked.
func (i *item) click(v Verb) func() (Action, bool) {
	return func() (Action, bool) {
		return Action{Do: v, Task: i.entry.Task, Session: i.entry.Session}, i.entry.Task != ""
	}
}

// put shows entries, and tells how many found no line.
func (l *list) put(entries []Entry, now time.Time, label func(Entry) string) (left int) {
	left = l.places.place(entries, now)
	some := false
	for n, i := range l.items {
		i.entry = l.places.lines[n].entry
		seen := i.entry.Task != ""
		if seen {
			if text := label(i.entry); text != i.label {
				i.label = text
				i.line.SetTitle(escape(text))
			}
		}
		if seen != i.seen {
			i.seen = seen
			show(i.line, seen)
		}
		some = some || seen
	}
	show(l.head, some)
	return left
}

func show(i *systray.MenuItem, on bool) {
	if on {
		i.Show()
	} else {
		i.Hide()
	}
}
