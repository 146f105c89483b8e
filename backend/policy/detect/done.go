package detect

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestClaim is how long a line may be to be a claim, in characters.
const longestClaim = 100

// The parts of a claim. The vocabulary is closed: what is conditional, negated or
// hedged has words that are not in it.
const (
	work    = `(?:tasks?|works?|jobs?|assignments?|implementations?|changes|todos?|to-dos?|todo list|items?|requirements?|objectives?|goals?|requests?|features?|fix(?:es)?|refactor(?:ing)?|migration|project)`
	numbers = `(?: (?:#?\d+(?:[-–]#?\d+)?|(?:one|two|three|four|five)))?`
	whole   = `(?:(?:the|this|that|these|those|my|your|all|all the|all of the|all my|every|each|entire|whole|current|requested|remaining|required|final|assigned|given|main) )*`
	state   = `(?:done|complete|completed|finished|accomplished|implemented)`
	adverbs = `(?:(?:now|all|fully|already|successfully|officially|completely|been|both) )*`
	tail    = `(?: (?:now|successfully|as requested|here|for you|already|in full|too))*`
)

// claims are the forms of a sentence that claims that the work is done.
var claims = regexp.MustCompile(`^(?:(?:ok|okay|great|perfect|excellent|alright|so|and|now|finally|yes|good news|hooray|that's it|there),? ?)*(?:` + strings.Join([]string{
	whole + work + numbers + `(?: (?:is|are|has|have|was|were)| 's)? ?` + adverbs + state + tail,
	`(?:everything|all|it|that|this)(?: of (?:it|them|the ` + work + `))?(?:'s| is| are| has| have| was)? ?` + adverbs + `(?:done|complete|completed|finished)` + tail,
	`all (?:set|steps (?:are )?` + adverbs + state + `)`,
	`(?:i'm|i am|we're|we are) ` + adverbs + `(?:done|finished|complete)(?: with ` + whole + `(?:` + work + numbers + `|everything|it))?` + tail,
	`(?:i have|i've|we have|we've|i) ` + adverbs + `(?:done|completed|finished|implemented) ` + whole + `(?:` + work + numbers + `|everything|it|all)` + tail,
	adverbs + `(?:done|finished|completed|complete)(?: with ` + whole + work + numbers + `)?` + tail,
	adverbs + `(?:completed|finished) ` + whole + `(?:` + work + numbers + `|everything|all of it|it all)` + tail,
	`(?:mission|task|job) (?:accomplished|complete|well done)`,
	`nothing (?:is )?left to do`, `(?:there is )?nothing (?:else|more) (?:left )?to do`,
}, "|") + `)$`)

// lead are words that lead up to a claim.
var lead = regexp.MustCompile(`^(?:ok|okay|great|perfect|excellent|alright|yes|good news|hooray|that's it|there|awesome|so|thanks|thank you)$`)

var parting = regexp.MustCompile(`[.!;,—–]+(?: |$)| - `)

// DoneClaim reports whether one of the last lines is a short claim, as a whole,
// that the work is done. Lines that one of more matches as a whole are claims, too.
func (t Text) DoneClaim(more ...*regexp.Regexp) bool {
	for _, line := range t.last(5) {
		if utf8.RuneCountInString(line) > longestClaim {
			continue
		}
		bare := plain(line)
		if bare == "" || strings.HasSuffix(bare, ":") || strings.ContainsAny(bare, "?？") {
			continue
		}
		if claimed(bare) {
			return true
		}
		for _, re := range more {
			if re.MatchString(strings.TrimRight(bare, ".! ")) {
				return true
			}
		}
	}
	return false
}

// claimed reports whether every sentence of a line is a claim.
func claimed(line string) bool {
	n := 0
	for _, part := range parting.Split(line, -1) {
		if part = strings.Trim(part, " .!"); part == "" || lead.MatchString(part) {
			continue
		}
		if !claims.MatchString(part) {
			return false
		}
		n++
	}
	return n > 0
}

var itemMark = regexp.MustCompile(`^(?:[-*+•>]\s+|\d{1,3}[.)]\s+|\[[ xX]\]\s*|#{1,6}\s+)+`)

// plain is a line without marks of lists and headings, emphasis, emoji and double
// blanks, in lower case.
func plain(line string) string {
	line = itemMark.ReplaceAllString(line, "")
	line = strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune("*_~#", r), unicode.Is(unicode.So, r) && r != '\uFFFC', r == '\uFE0F', r == '\u200D', unicode.Is(unicode.Sk, r), r == '✓', r == '✔':
			return -1
		}
		return unicode.ToLower(r)
	}, straighten(line))
	return strings.Join(strings.Fields(line), " ")
}
