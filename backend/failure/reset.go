package failure

import "time"

// Times is what a text or field says about when to try again. A wait counts from
// the moment of the record; a reset is an instant. Zero values are unknown: what is
// not proved is never guessed.
type Times struct {
	Wait  time.Duration // the agent or provider will or asks to wait this long
	Reset time.Time     // UTC, after the record and within 366 days of it
	// Relative is the duration that Reset was reckoned from, 0 where the text named
	// an instant.
	Relative time.Duration
}

// TimesIn reads what a raw text says. Only head and tail, 4 KiB together, are
// looked at. With relativeOnly instants are ignored, as they must be on stderr.
// Where at is zero nothing is known.
func TimesIn(text string, at time.Time, relativeOnly bool) Times { return Times{} }

// Epoch reads an instant given as seconds or milliseconds since 1970, by size. It
// must lie after at and within 366 days of it.
func Epoch(n int64, at time.Time) (time.Time, bool) { return time.Time{}, false }
