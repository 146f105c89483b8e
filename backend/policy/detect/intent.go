package detect

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of an announcement, in characters.
const (
	shortestIntent = 15 // the whole text is longer
	shortestLine   = 6
	longestLine    = 499
)

// ActionIntent reports whether the message ends by announcing something: its last
// line ends in a colon that nothing follows.
func (t Text) ActionIntent() bool {
	if len(t.lines) == 0 || utf8.RuneCountInString(t.raw) <= shortestIntent {
		return false
	}
	line := t.lines[0]
	if n := utf8.RuneCountInString(line); n < shortestLine || n > longestLine {
		return false
	}
	bare := strings.TrimRightFunc(line, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("*_~", r) })
	switch {
	case !strings.HasSuffix(bare, ":") && !strings.HasSuffix(bare, "："):
		return false
	case strings.HasSuffix(bare, "::"), strings.HasPrefix(line, "|"), strings.ContainsAny(line, "?？؟¿"):
		return false
	case quoted(bare, len(bare)):
		return false
	}
	return !schemeEnd.MatchString(bare) && !timeEnd.MatchString(bare) && !questioning.MatchString(strings.TrimLeft(bare, "*_# "))
}

// quoted reports whether a place of a line lies inside quotation marks.
func quoted(line string, at int) bool {
	straight, nested := false, 0
	for _, r := range line[:at] {
		switch r {
		case '"':
			straight = !straight
		case '“', '«', '„', '「', '『':
			nested++
		case '”', '»', '」', '』':
			nested = max(0, nested-1)
		}
	}
	return straight || nested > 0
}

// ReadyToContinue reports whether the message ends by saying that the next task or
// step may begin.
func (t Text) ReadyToContinue() bool {
	for _, line := range t.last(3) {
		at := readyPhrase.FindStringIndex(line)
		if at == nil || !readyTo.MatchString(line[at[0]:at[1]]) {
			continue
		}
		start, end := sentence(line, at[0], at[1])
		s := straighten(line[start:end])
		if strings.ContainsAny(s, "?？") || readyBarred.MatchString(s) || quoted(line, at[0]) || at[0] > 0 && line[at[0]-1] == '\'' {
			continue
		}
		return true
	}
	return false
}

// sentence is the sentence around a stretch of a line.
func sentence(line string, from, to int) (start, end int) {
	for i := from - 1; i > 0; i-- {
		if (line[i] == ' ') && strings.IndexByte(".!?;", line[i-1]) >= 0 {
			start = i + 1
			break
		}
	}
	end = len(line)
	if i := strings.IndexAny(line[to:], ".!?;"); i >= 0 {
		end = to + i + 1
	}
	return start, end
}

// straighten makes typographic apostrophes plain.
func straighten(s string) string {
	return strings.NewReplacer("’", "'", "‘", "'", "`", "'").Replace(s)
}

// Celebration reports whether the last character is the party popper, punctuation
// and emphasis aside.
func (t Text) Celebration() bool {
	s := strings.TrimRightFunc(t.prose, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsPunct(r) || r == '\uFE0F' || r == '~'
	})
	return strings.HasSuffix(s, "🎉")
}
