package failure

import (
	"strings"
	"time"
)

// Times is what a text or field says about when to try again. A wait counts from
// the moment of the record; a reset is an instant. Zero values are unknown: what is
// not proved is never guessed.
type Times struct {
	// Wait is how long the agent or provider says to wait before the next try, or
	// will wait itself; the longest, where there are several.
	Wait time.Duration
	// Relative is the duration until the limit lifts, where the text named one.
	Relative time.Duration
	// Reset is the instant at which the limit lifts, in UTC, after the record and
	// within 366 days of it.
	Reset time.Time
}

// farthest is the longest wait and the farthest reset that is believed.
const farthest = 366 * 24 * time.Hour

// TimesIn reads what a raw text says. Only head and tail, 4 KiB together, are
// looked at. With relativeOnly instants are ignored, as they must be on stderr.
// Where at is zero no Reset is known.
func TimesIn(text string, at time.Time, relativeOnly bool) Times {
	var p page
	w := p.read(text, "")
	return w.times(at, relativeOnly)
}

// Epoch reads an instant given as seconds or milliseconds since 1970, by size. It
// must lie after at and within 366 days of it.
func Epoch(n int64, at time.Time) (time.Time, bool) {
	var t time.Time
	switch {
	case n >= 1e9 && n < 1e11:
		t = time.Unix(n, 0)
	case n >= 1e12 && n < 1e14:
		t = time.UnixMilli(n)
	default:
		return time.Time{}, false
	}
	return ahead(t, at)
}

// ahead returns t in UTC if it lies after at and within 366 days of it.
func ahead(t, at time.Time) (time.Time, bool) {
	if at.IsZero() || !t.After(at) || t.Sub(at) > farthest {
		return time.Time{}, false
	}
	return t.UTC(), true
}

// leadKind says what may follow a lead.
type leadKind int

const (
	leadReset    leadKind = iota // a duration until the limit lifts
	leadSeconds                  // the same as a bare number of seconds
	leadWait                     // a duration to the next try; "after" or "in" may stand between
	leadWaitBare                 // a bare number of seconds, an HTTP date, or a duration
	leadWaitMS                   // a bare number of milliseconds
	leadInstant                  // an instant
	leadEpoch                    // a bare number since 1970
)

// mostLeads bounds how many are followed in one text: each may cost a look into the
// zone database.
const mostLeads = 32

// lead is a phrase after which a time stands. Longer ones come before their
// beginnings.
type lead struct {
	text string
	kind leadKind
}

// leads stand by the byte that they begin with.
var leads = [...][]lead{
	'r': {
		{"resets_in_seconds", leadSeconds}, {"reset_after_seconds", leadSeconds}, {"reset-after-seconds", leadSeconds},
		{"resetsat", leadEpoch}, {"resets_at", leadEpoch}, {"reset_at", leadEpoch}, {"reset-at", leadEpoch}, {"reached|", leadEpoch},
		{"refreshed in", leadReset}, {"refreshes in", leadReset}, {"resets in", leadReset}, {"reset in", leadReset},
		{"resets after", leadReset}, {"reset after", leadReset}, {"retry again in", leadReset}, {"retry_delay_ms", leadWaitMS},
		{"retry_after_ms", leadWaitMS}, {"retry-after-ms", leadWaitMS}, {"retrydelay", leadWaitBare}, {"retry_delay", leadWaitBare},
		{"retry_after", leadWaitBare}, {"retry-after", leadWaitBare}, {"retryafter", leadWaitBare}, {"retrying", leadWait},
		{"retry in", leadWait}, {"resets on", leadInstant}, {"resets at", leadInstant}, {"reset on", leadInstant},
		{"reset at", leadInstant}, {"resets", leadInstant}, {"regain access on", leadInstant}, {"regain access at", leadInstant},
	},
	'a': {
		{"available again in", leadReset},
	},
	't': {
		{"try again in", leadReset}, {"try again after", leadReset}, {"try again at", leadInstant}, {"try again on", leadInstant},
	},
	'p': {
		{"please wait", leadReset}, {"please retry in", leadReset}, {"please retry after", leadReset},
	},
	'n': {
		{"next try in", leadWait},
	},
}

// times finds every lead and reads what stands behind it. A duration outweighs an
// instant: it needs no calendar.
func (w words) times(at time.Time, relativeOnly bool) Times {
	var t Times
	for i, n := 0, 0; i < len(w.low) && n < mostLeads; i++ {
		c := w.low[i]
		if int(c) >= len(leads) || leads[c] == nil {
			continue
		}
		l, ok := w.leadAt(i)
		if !ok {
			continue
		}
		n++
		w.note(&t, l.kind, i+len(l.text), at, relativeOnly)
		i += len(l.text) - 1
	}
	if t.Relative > 0 && !at.IsZero() {
		t.Reset = at.Add(t.Relative).UTC()
	}
	return t
}

// nextTry reads the next try that OpenCode's session status announces. It is a wait;
// it stands in for a reset only where the status names a limit and nothing else
// tells when that lifts.
func (w words) nextTry(t Times, at time.Time) Times {
	low := string(w.low)
	_, after, ok := strings.Cut(low, `"next":`)
	if !ok {
		return t
	}
	n, ok := w.epoch(len(low) - len(after))
	next, ahead := Epoch(n, at)
	if !ok || !ahead {
		return t
	}
	t.Wait = max(t.Wait, next.Sub(at))
	if t.Reset.IsZero() && (strings.Contains(low, `"reason":"account_rate_limit"`) || strings.Contains(low, `"reason":"free_tier_limit"`)) {
		t.Reset = next
	}
	return t
}

// leadAt finds the lead that starts at i, as whole words.
func (w words) leadAt(i int) (lead, bool) {
	if i > 0 && alnum(w.low[i-1]) {
		return lead{}, false
	}
	rest := w.low[i:]
	for _, l := range leads[w.low[i]] {
		n := len(l.text)
		if len(rest) >= n && rest[2] == l.text[2] && string(rest[:n]) == l.text && (len(rest) == n || !alnum(rest[n-1]) || !alnum(rest[n])) {
			return l, true
		}
	}
	return lead{}, false
}

// note reads what stands from i on and keeps it if it is the first of its kind.
func (w words) note(t *Times, kind leadKind, i int, at time.Time, relativeOnly bool) {
	switch kind {
	case leadReset:
		if d, _, ok := w.duration(w.skip(i, " :\"'"), false); ok && t.Relative == 0 {
			t.Relative = d
		} else if !ok {
			w.noteWait(t, kind, i) // "try again in 644ms" is a wait at most
		}
	case leadSeconds:
		if d, ok := w.bare(w.skip(i, " :=\"'"), time.Second); ok && t.Relative == 0 {
			t.Relative = d
		}
	case leadWait, leadWaitBare, leadWaitMS:
		w.noteWait(t, kind, i)
		if kind == leadWaitBare {
			w.noteDate(t, i, at, relativeOnly)
		}
	case leadInstant, leadEpoch:
		if relativeOnly || !t.Reset.IsZero() {
			return
		}
		if r, ok := w.instant(i, kind == leadEpoch, at); ok {
			t.Reset = r
		}
	}
}

// noteWait keeps the longest wait.
func (w words) noteWait(t *Times, kind leadKind, i int) {
	i = w.skip(i, " :=\"'")
	var d time.Duration
	var ok bool
	switch kind {
	case leadWaitMS:
		d, ok = w.bare(i, time.Millisecond)
	case leadWaitBare:
		if d, _, ok = w.duration(i, true); !ok {
			d, ok = w.bare(i, time.Second)
		}
	default:
		d, _, ok = w.duration(w.skipAttempt(i), true)
	}
	if ok {
		t.Wait = max(t.Wait, d)
	}
}

// noteDate reads the HTTP date of a retry-after header, which is a wait.
func (w words) noteDate(t *Times, i int, at time.Time, relativeOnly bool) {
	const form = "Mon, 02 Jan 2006 15:04:05 GMT"
	i = w.skip(i, " :=\"'")
	if relativeOnly || len(w.low)-i < len(form) {
		return
	}
	when, err := time.Parse(form, w.cased()[i:i+len(form)])
	if err != nil {
		return
	}
	if r, ok := ahead(when, at); ok {
		t.Wait = max(t.Wait, r.Sub(at))
	}
}

// skip passes over bytes of a set.
func (w words) skip(i int, set string) int {
	for i < len(w.low) && strings.IndexByte(set, w.low[i]) >= 0 {
		i++
	}
	return i
}

// skipAttempt passes over "1/5", "in" and "after", which stand between "retrying"
// and its wait.
func (w words) skipAttempt(i int) int {
	j := i
	for j < len(w.low) && (digit(w.low[j]) || w.low[j] == '/') {
		j++
	}
	if j > i && j < len(w.low) && w.low[j] == ' ' {
		i = j + 1
	}
	for _, word := range []string{"in ", "after "} {
		if rest := string(w.low[i:min(i+len(word), len(w.low))]); rest == word {
			return i + len(word)
		}
	}
	return i
}
