package failure

import (
	"math"
	"time"
)

// unitOf is the length of a unit as texts write it; false where it is none, as
// months are.
func unitOf(s string, millis bool) (time.Duration, bool) {
	const day = 24 * time.Hour
	switch s {
	case "week", "weeks":
		return 7 * day, true
	case "d", "day", "days":
		return day, true
	case "h", "hr", "hrs", "hour", "hours":
		return time.Hour, true
	case "m", "min", "mins", "minute", "minutes":
		return time.Minute, true
	case "s", "sec", "secs", "second", "seconds":
		return time.Second, true
	case "ms", "millisecond", "milliseconds":
		return time.Millisecond, millis
	}
	return 0, false
}

// duration reads a duration that starts at i and returns the index behind it:
// numbers with units, each unit smaller than the one before, joined by blanks,
// commas or "and", or "less than a minute". Anything else among them, a sum of
// zero, one over 366 days and one that overflows are no duration.
func (w words) duration(i int, millis bool) (time.Duration, int, bool) {
	const under = "less than a minute"
	if rest := string(w.low[i:min(i+len(under), len(w.low))]); rest == under {
		end := i + len(under)
		return time.Minute, end, end == len(w.low) || !alnum(w.low[end])
	}
	var sum time.Duration
	last := time.Duration(math.MaxInt64)
	for {
		part, unit, end, ok := w.component(i, millis)
		if !ok || unit >= last || part > farthest-sum {
			return 0, i, false
		}
		sum, last = sum+part, unit
		next := w.joined(end)
		if next < 0 {
			return sum, end, sum > 0
		}
		i = next
	}
}

// component reads one number with its unit.
func (w words) component(i int, millis bool) (part, unit time.Duration, end int, ok bool) {
	start := i
	var whole int64
	for ; i < len(w.low) && digit(w.low[i]); i++ {
		if whole = whole*10 + int64(w.low[i]-'0'); whole > 1e11 {
			return 0, 0, i, false
		}
	}
	if i == start {
		return 0, 0, i, false
	}
	fraction, i := w.fraction(i)
	if i < len(w.low) && w.low[i] == ' ' {
		i++
	}
	name := i
	for i < len(w.low) && w.low[i] >= 'a' && w.low[i] <= 'z' {
		i++
	}
	unit, ok = unitOf(string(w.low[name:i]), millis)
	if !ok || i < len(w.low) && w.low[i] == '_' || whole > int64(farthest/unit) {
		return 0, 0, i, false
	}
	return time.Duration(whole)*unit + time.Duration(fraction*float64(unit)), unit, i, true
}

// fraction reads ".034", at most nine digits of it.
func (w words) fraction(i int) (float64, int) {
	if i+1 >= len(w.low) || w.low[i] != '.' || !digit(w.low[i+1]) {
		return 0, i
	}
	f, scale := 0.0, 1.0
	for i++; i < len(w.low) && digit(w.low[i]); i++ {
		if scale > 1e-9 {
			scale /= 10
			f += float64(w.low[i]-'0') * scale
		}
	}
	return f, i
}

// joined returns where the next component starts, -1 where the duration has ended.
func (w words) joined(i int) int {
	if i < len(w.low) && digit(w.low[i]) {
		return i
	}
	i = w.skip(i, " ,")
	const and = "and "
	if rest := string(w.low[i:min(i+len(and), len(w.low))]); rest == and {
		i = w.skip(i+len(and), " ")
	}
	if i < len(w.low) && digit(w.low[i]) {
		return i
	}
	return -1
}

// bare reads a number without a unit.
func (w words) bare(i int, unit time.Duration) (time.Duration, bool) {
	start := i
	var whole int64
	for ; i < len(w.low) && digit(w.low[i]); i++ {
		if whole = whole*10 + int64(w.low[i]-'0'); whole > 1e12 {
			return 0, false
		}
	}
	if i == start {
		return 0, false
	}
	fraction, i := w.fraction(i)
	if i < len(w.low) && alnum(w.low[i]) || whole > int64(farthest/unit) {
		return 0, false
	}
	d := time.Duration(whole)*unit + time.Duration(fraction*float64(unit))
	return d, d > 0
}
