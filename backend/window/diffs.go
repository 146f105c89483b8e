package window

import (
	"fmt"
	"slices"
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"

	"turnwatch/backend/agent"
)

// tooBig is the size beyond which two texts are not compared.
const tooBig = 512 << 10

// diffOf compares a file before and after, as lines; at most so many are kept.
// It reports whether something was left out.
func diffOf(d agent.Diff, rows int) (Diff, bool) {
	out := Diff{Path: d.Path, New: d.Old == nil}
	before := ""
	if d.Old != nil {
		before = *d.Old
	}
	if len(before) > tooBig || len(d.New) > tooBig || binary(before) || binary(d.New) {
		return out, true
	}
	before, after := ended(before), ended(d.New)
	unified, err := udiff.ToUnified("a", "b", before, udiff.Strings(before, after), udiff.DefaultContextLines)
	if err != nil { // edits that do not fit their own text
		return out, true
	}
	cut := out.fill(unified, rows)
	return out, cut
}

// fill reads the hunks of a unified diff, whose first two lines name the files.
// It reports whether lines were left out.
func (d *Diff) fill(unified string, rows int) (cut bool) {
	n := 0
	for l := range strings.Lines(unified) {
		n++
		if l = strings.TrimSuffix(l, "\n"); n <= 2 || l == "" {
			continue
		}
		op, text := l[:1], l[1:]
		switch op {
		case "@":
			var h Hunk
			// "@@ -1,3 +1,4 @@", and a count of one is left out
			_, _ = fmt.Sscanf(l, "@@ -%d", &h.Old)
			if _, to, ok := strings.Cut(l, " +"); ok {
				_, _ = fmt.Sscanf(to, "%d", &h.New)
			}
			d.Hunks = append(d.Hunks, h)
			continue
		case "+":
			d.Added++
		case "-":
			d.Removed++
		}
		if rows <= 0 || len(d.Hunks) == 0 {
			cut = true
			continue
		}
		rows--
		h := &d.Hunks[len(d.Hunks)-1]
		h.Lines = append(h.Lines, Line{Op: op, Text: cutText(text, longestPath)})
	}
	d.Hunks = slices.DeleteFunc(d.Hunks, func(h Hunk) bool { return len(h.Lines) == 0 })
	return cut
}

// binary tells a file that is no text.
func binary(s string) bool { return strings.IndexByte(s[:min(len(s), 8000)], 0) >= 0 }

// ended gives a text its last line end, so that none is compared as missing.
func ended(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}
