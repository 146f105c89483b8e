package failure

import (
	"strings"
	"time"
)

// instant reads an instant that starts at i: an epoch, a date with clock and zone
// or a clock with a zone. Without a zone it is unknown. It must lie ahead of at.
func (w words) instant(i int, epoch bool, at time.Time) (time.Time, bool) {
	if at.IsZero() {
		return time.Time{}, false
	}
	i = w.skip(i, " :=\"'")
	if epoch {
		if n, ok := w.epoch(i); ok {
			return Epoch(n, at)
		}
	}
	c := cursor{words: w, i: i}
	c.word("at ")
	c.word("on ")
	if d, ok := c.isoDate(); ok {
		return c.dated(d, at)
	}
	if d, ok := c.monthDate(); ok {
		return c.dated(d, at)
	}
	k, ok := c.clock()
	if !ok {
		return time.Time{}, false
	}
	zone, ok := c.zone()
	if !ok {
		return time.Time{}, false
	}
	return nextClock(k, zone, at)
}

// epoch reads ten or thirteen digits.
func (w words) epoch(i int) (n int64, ok bool) {
	start := i
	for ; i < len(w.low) && digit(w.low[i]) && i-start < 14; i++ {
		n = n*10 + int64(w.low[i]-'0')
	}
	if i < len(w.low) && (alnum(w.low[i]) || w.low[i] == '-') {
		return 0, false
	}
	return n, i-start == 10 || i-start == 13
}

// day is a date; year is 0 where the text has none.
type day struct {
	year  int
	month time.Month
	day   int
}

// clock is a time of day.
type clock struct{ hour, minute, second int }

// dated reads the clock and zone after a date and finds the instant.
func (c *cursor) dated(d day, at time.Time) (time.Time, bool) {
	c.i = c.skip(c.i, " ,")
	if c.i < len(c.low) && c.low[c.i] == 't' {
		c.i++ // of ISO
	}
	c.word("at ")
	k, ok := c.clock()
	if !ok {
		return time.Time{}, false
	}
	zone, ok := c.zone()
	if !ok {
		return time.Time{}, false
	}
	if d.year != 0 {
		if t, ok := onDay(d, k, zone, at); ok {
			return t, true
		}
		return time.Time{}, false
	}
	for year := at.In(zone).Year(); year <= at.In(zone).Year()+1; year++ {
		d.year = year
		if t, ok := onDay(d, k, zone, at); ok {
			return t, true
		}
	}
	return time.Time{}, false
}

// nextClock is the next instant after at when clocks in the zone show k.
func nextClock(k clock, zone *time.Location, at time.Time) (time.Time, bool) {
	here := at.In(zone)
	for ahead := range 3 {
		year, month, dayOf := here.AddDate(0, 0, ahead).Date()
		if t, ok := onDay(day{year, month, dayOf}, k, zone, at); ok {
			return t, true
		}
	}
	return time.Time{}, false
}

// onDay is the first instant after at of a clock on a day. A clock that the day
// does not have, because it is skipped in spring, is no instant; one that it has
// twice is the earlier that is still ahead.
func onDay(d day, k clock, zone *time.Location, at time.Time) (time.Time, bool) {
	t := time.Date(d.year, d.month, d.day, k.hour, k.minute, k.second, 0, zone)
	for _, shift := range []time.Duration{-time.Hour, -30 * time.Minute, 0, 30 * time.Minute, time.Hour} {
		u := t.Add(shift)
		if h, m, s := u.Clock(); h != k.hour || m != k.minute || s != k.second {
			continue
		}
		if _, month, dayOf := u.Date(); month != d.month || dayOf != d.day {
			continue
		}
		if r, ok := ahead(u, at); ok {
			return r, true
		}
	}
	return time.Time{}, false
}

// cursor reads one instant from left to right.
type cursor struct {
	words
	i int
}

// word passes over a word if it stands there.
func (c *cursor) word(s string) bool {
	ok := strings.HasPrefix(string(c.low[c.i:min(c.i+len(s), len(c.low))]), s)
	if ok {
		c.i += len(s)
	}
	return ok
}

// number reads least to most digits, no more.
func (c *cursor) number(least, most int) (n int, ok bool) {
	start := c.i
	for c.i < len(c.low) && digit(c.low[c.i]) && c.i-start <= most {
		n = n*10 + int(c.low[c.i]-'0')
		c.i++
	}
	return n, c.i-start >= least && c.i-start <= most
}

// isoDate reads 2025-12-01. It stays where it was if there is none.
func (c *cursor) isoDate() (d day, ok bool) {
	from := c.i
	year, ok1 := c.number(4, 4)
	dash1 := c.word("-")
	month, ok2 := c.number(2, 2)
	dash2 := c.word("-")
	of, ok3 := c.number(2, 2)
	if !ok1 || !dash1 || !ok2 || !dash2 || !ok3 || month < 1 || month > 12 || of < 1 || of > 31 {
		c.i = from
		return day{}, false
	}
	return day{year, time.Month(month), of}, true
}

// monthDate reads "Dec 18", "December 18th, 2026". It stays where it was if there
// is none.
func (c *cursor) monthDate() (d day, ok bool) {
	from := c.i
	start := c.i
	for c.i < len(c.low) && c.low[c.i] >= 'a' && c.low[c.i] <= 'z' {
		c.i++
	}
	month := monthOf(string(c.low[start:c.i]))
	c.word(".")
	blank := c.word(" ")
	of, ok := c.number(1, 2)
	if month == 0 || !blank || !ok || of < 1 || of > 31 {
		c.i = from
		return day{}, false
	}
	_ = c.word("st") || c.word("nd") || c.word("rd") || c.word("th")
	d = day{month: month, day: of}
	after := c.i
	c.i = c.skip(c.i, " ,")
	if year, ok := c.number(4, 4); ok && year >= 2000 {
		d.year = year
	} else {
		c.i = after
	}
	return d, true
}

func monthOf(s string) time.Month {
	if len(s) < 3 {
		return 0
	}
	for m := time.January; m <= time.December; m++ {
		name := strings.ToLower(m.String())
		if s == name || s == name[:3] || s == "sept" && m == time.September {
			return m
		}
	}
	return 0
}

// clock reads "8:30am", "5am", "22:16", "00:00:00".
func (c *cursor) clock() (k clock, ok bool) {
	if k.hour, ok = c.number(1, 2); !ok {
		return k, false
	}
	colon := c.word(":")
	if colon {
		if k.minute, ok = c.number(2, 2); !ok {
			return k, false
		}
		if c.word(":") {
			if k.second, ok = c.number(2, 2); !ok {
				return k, false
			}
			if c.word(".") {
				c.number(1, 9)
			}
		}
	}
	half := c.half()
	switch {
	case half == 0 && !colon, k.minute > 59, k.second > 59, half == 0 && k.hour > 23, half != 0 && (k.hour < 1 || k.hour > 12):
		return k, false
	case half != 0:
		k.hour %= 12
		if half == 'p' {
			k.hour += 12
		}
	}
	return k, true
}

// half reads am or pm.
func (c *cursor) half() byte {
	from := c.i
	c.word(" ")
	for _, s := range []string{"am", "pm", "a.m.", "p.m."} {
		if c.word(s) && (c.i == len(c.low) || !alnum(c.low[c.i])) {
			return s[0]
		}
	}
	c.i = from
	return 0
}
