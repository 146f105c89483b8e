package tray

import "time"

// rest is how long a line of the menu is left alone after its task went away: a
// click that was meant for that task must not reach another one.
const rest = 10 * time.Second

// slots gives the tasks of one list their lines of the menu. A task keeps its line
// as long as it is listed. The zero value has no lines.
type slots struct{ lines []slot }

type slot struct {
	entry Entry // its Task is "" while the line is hidden
	freed time.Time
}

// place puts the entries on lines and gives back how many found none.
func (s *slots) place(entries []Entry, now time.Time) (left int) {
	by := map[string]Entry{}
	for _, e := range entries {
		by[name(e)] = e
	}
	for i := range s.lines {
		l := &s.lines[i]
		if l.entry.Task == "" {
			continue
		}
		e, still := by[name(l.entry)]
		if !still {
			l.entry, l.freed = Entry{}, now
			continue
		}
		l.entry = e
		delete(by, name(e))
	}
	for _, e := range entries {
		if _, waits := by[name(e)]; !waits {
			continue
		}
		if !s.take(e, now) {
			left++
		}
	}
	return left
}

// take gives an entry the first line that has rested.
func (s *slots) take(e Entry, now time.Time) bool {
	for i := range s.lines {
		l := &s.lines[i]
		if l.entry.Task == "" && (l.freed.IsZero() || now.Sub(l.freed) >= rest) {
			l.entry, l.freed = e, time.Time{}
			return true
		}
	}
	return false
}

// next is when the next of the lines that rest now has rested; zero where none
// rests. One that has rested and is wanted by nobody is nothing to wait for.
func (s *slots) next(now time.Time) time.Time {
	var next time.Time
	for _, l := range s.lines {
		at := l.freed.Add(rest)
		if !l.freed.IsZero() && at.After(now) && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next
}

func name(e Entry) string { return string(e.Task) + "/" + string(e.Session) }
