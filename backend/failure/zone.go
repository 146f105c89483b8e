package failure

import (
	"strings"
	"time"
	_ "time/tzdata" // the zones that texts name are known everywhere, Windows included
)

// zone reads the zone behind a clock: "(America/Los_Angeles)", "UTC", "Z",
// "GMT-3", "+02:00". Anything else, abbreviations such as EST included, is not
// clear enough. Names are looked up in the zone database, the only thing outside
// the text that this room reads.
func (c *cursor) zone() (*time.Location, bool) {
	c.word(" ")
	open := c.word("(")
	start := c.i
	for c.i < len(c.low) && zoneByte(c.low[c.i]) && c.i-start < 48 {
		c.i++
	}
	if c.i == start || open && (c.i == len(c.low) || c.low[c.i] != ')') {
		return nil, false
	}
	return zoneOf(strings.TrimRight(c.cased()[start:c.i], ":.-/"))
}

func zoneByte(b byte) bool {
	return alnum(b|0x20) || strings.IndexByte("/_+-:.", b) >= 0
}

func zoneOf(name string) (*time.Location, bool) {
	upper := strings.ToUpper(name)
	switch upper {
	case "":
		return nil, false
	case "Z", "UTC", "GMT":
		return time.UTC, true
	}
	for _, base := range []string{"UTC", "GMT", ""} {
		if rest, ok := strings.CutPrefix(upper, base); ok && (rest[0] == '+' || rest[0] == '-') {
			return offset(rest)
		}
	}
	if !strings.Contains(name, "/") || strings.ContainsAny(name, ".:") {
		return nil, false
	}
	zone, err := time.LoadLocation(name)
	return zone, err == nil
}

// offset reads "+2", "-03", "+0530" and "+05:30".
func offset(s string) (*time.Location, bool) {
	digits := strings.Replace(s[1:], ":", "", 1)
	n := 0
	for i := range len(digits) {
		if !digit(digits[i]) || i > 3 {
			return nil, false
		}
		n = n*10 + int(digits[i]-'0')
	}
	hours, minutes := n, 0
	switch {
	case digits == "", len(digits) == 3:
		return nil, false
	case len(digits) == 4:
		hours, minutes = n/100, n%100
	}
	if hours > 14 || minutes > 59 {
		return nil, false
	}
	seconds := hours*3600 + minutes*60
	if s[0] == '-' {
		seconds = -seconds
	}
	return time.FixedZone("", seconds), true
}
