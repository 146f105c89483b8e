package terminal

import (
	"strconv"
	"time"
)

// Took writes a duration for a person: 240 ms, 3.2 s, 4 min 05 s.
func Took(d time.Duration) string {
	switch {
	case d < 0:
		return Took(0)
	case d < time.Second:
		return itoa(int(d.Milliseconds())) + " ms"
	case d < time.Minute:
		return strconv.FormatFloat(float64(d.Milliseconds()/100)/10, 'f', -1, 64) + " s"
	case d < time.Hour:
		return itoa(int(d.Minutes())) + " min " + pad(int(d.Seconds())%60) + " s"
	}
	return itoa(int(d.Hours())) + " h " + pad(int(d.Minutes())%60) + " min"
}

// tokens writes a number of tokens: 950, 12.3k, 1.2M.
func tokens(n int64) string {
	switch {
	case n < 1000:
		return strconv.FormatInt(n, 10)
	case n < 1_000_000:
		return strconv.FormatFloat(float64(n/100)/10, 'f', -1, 64) + "k"
	}
	return strconv.FormatFloat(float64(n/100_000)/10, 'f', -1, 64) + "M"
}

// cost writes an amount with two to four digits after the point.
func cost(c float64) string {
	if c < 0.1 {
		return strconv.FormatFloat(c, 'f', 4, 64)
	}
	return strconv.FormatFloat(c, 'f', 2, 64)
}

func pad(n int) string {
	if n < 10 {
		return "0" + itoa(n)
	}
	return itoa(n)
}

func itoa(n int) string { return strconv.Itoa(n) }
