package window

import (
	"strings"
	"unicode/utf8"

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
	lines := compare(splitLines(before), splitLines(d.New))
	for _, l := range lines {
		switch l.Op {
		case "+":
			out.Added++
		case "-":
			out.Removed++
		}
	}
	cut := out.fill(lines, rows)
	if before == "" {
		setEach(out.Hunks, func(h *Hunk) { h.Old = 0 })
	}
	if d.New == "" {
		setEach(out.Hunks, func(h *Hunk) { h.New = 0 })
	}
	return out, cut
}

func setEach(hunks []Hunk, f func(*Hunk)) {
	for i := range hunks {
		f(&hunks[i])
	}
}

// surround is how many lines are shown around a change.
const surround = 3

// fill groups the changed lines, with what is around them, into hunks. It reports
// whether lines were left out.
func (d *Diff) fill(lines []Line, rows int) (cut bool) {
	last, next := -surround-1, nextChange(lines, 0)
	old, new, open := 1, 1, false
	for i, l := range lines {
		if l.Op != " " {
			last, next = i, nextChange(lines, i+1)
		}
		if i-last > surround && next-i > surround {
			open = false
		} else {
			if rows <= 0 {
				return true
			}
			if !open {
				d.Hunks = append(d.Hunks, Hunk{Old: old, New: new})
				open = true
			}
			h := &d.Hunks[len(d.Hunks)-1]
			h.Lines = append(h.Lines, Line{Op: l.Op, Text: cutText(l.Text, longestPath)})
			rows--
		}
		if l.Op != "+" {
			old++
		}
		if l.Op != "-" {
			new++
		}
	}
	return false
}

// nextChange is where the next changed line is, from a place on.
func nextChange(lines []Line, from int) int {
	for i := from; i < len(lines); i++ {
		if lines[i].Op != " " {
			return i
		}
	}
	return len(lines) + surround
}

// compare aligns two texts by their lines. Each distinct line becomes one letter
// of an alphabet of our own, so that the library compares lines and not letters.
func compare(before, after []string) []Line {
	alphabet := map[string]rune{}
	words := []string{}
	spell := func(lines []string) string {
		var b strings.Builder
		for _, l := range lines {
			r, known := alphabet[l]
			if !known {
				r = letter(len(words))
				alphabet[l] = r
				words = append(words, l)
			}
			b.WriteRune(r)
		}
		return b.String()
	}
	from, to := spell(before), spell(after)
	word := func(r rune) string { return words[number(r)] }
	out := make([]Line, 0, max(len(before), len(after)))
	at := 0
	copyTo := func(end int, op string) {
		for at < end {
			r, size := utf8.DecodeRuneInString(from[at:])
			out = append(out, Line{Op: op, Text: word(r)})
			at += size
		}
	}
	for _, e := range udiff.Strings(from, to) {
		copyTo(e.Start, " ")
		copyTo(e.End, "-")
		for _, r := range e.New {
			out = append(out, Line{Op: "+", Text: word(r)})
		}
	}
	copyTo(len(from), " ")
	return out
}

// letter and number count through the runes that text may hold: those between
// 0xD800 and 0xDFFF are none.
func letter(n int) rune {
	if n >= 0xD800 {
		n += 0x800
	}
	return rune(n)
}

func number(r rune) int {
	if r >= 0xE000 {
		return int(r) - 0x800
	}
	return int(r)
}

// splitLines splits a text into its lines, the last one with or without its end.
func splitLines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// binary tells a file that is no text.
func binary(s string) bool { return strings.IndexByte(s[:min(len(s), 8000)], 0) >= 0 }
