package failure

import (
	"strings"
	"sync"

	"github.com/coregx/ahocorasick"
)

// literal is a text to look for, in lower case. Unless it is open on that side, a
// letter or digit at its edge must not go on in the text.
type literal struct {
	text                string
	openLeft, openRight bool
}

// sign is one alternative of a rule: literals that must all stand in the text, each
// after the one before it.
type sign struct {
	rule int
	lits []int
}

// catalogue is the compiled table: one automaton over all literals, and for each
// literal the signs that it is the key of. It is never changed once made.
type catalogue struct {
	rules  []rule
	lits   []literal
	signs  [][]sign // by the literal that is their key
	bars   [][]int  // by rule: literals that must not stand in the text
	scan   *ahocorasick.Automaton
	number map[string]int // of a literal as it is written in a rule

	retry, calm []int // the numbers of retrySigns and harmlessSigns
}

// compiled makes the catalogue at the first use, once.
var compiled = sync.OnceValue(func() *catalogue { return compile(allRules()) }) //nolint:gochecknoglobals // a constant that is dear to make

func compile(rules []rule) *catalogue {
	c := &catalogue{rules: rules, bars: make([][]int, len(rules)), number: map[string]int{}}
	for i, r := range rules {
		for _, alt := range r.any {
			s := sign{rule: i}
			key := 0
			for n, part := range strings.Split(alt, "*") {
				id := c.add(part)
				s.lits = append(s.lits, id)
				if len(c.lits[id].text) > len(c.lits[s.lits[key]].text) {
					key = n
				}
			}
			c.signs[s.lits[key]] = append(c.signs[s.lits[key]], s)
		}
		for _, bar := range r.none {
			c.bars[i] = append(c.bars[i], c.add(bar))
		}
	}
	for _, l := range retrySigns { // these and the next belong to no rule
		c.retry = append(c.retry, c.add(l))
	}
	for _, l := range harmlessSigns {
		c.calm = append(c.calm, c.add(l))
	}
	b := ahocorasick.NewBuilder()
	for _, l := range c.lits {
		b.AddPattern([]byte(l.text))
	}
	scan, err := b.Build()
	if err != nil { // only an empty table or an empty literal, which tests exclude
		panic("compile failure rules: " + err.Error())
	}
	c.scan = scan
	return c
}

// add returns the number of a literal.
func (c *catalogue) add(s string) int {
	if id, ok := c.number[s]; ok {
		return id
	}
	l := literal{text: s}
	if t, ok := strings.CutPrefix(l.text, "~"); ok {
		l.text, l.openLeft = t, true
	}
	if t, ok := strings.CutSuffix(l.text, "~"); ok {
		l.text, l.openRight = t, true
	}
	id := len(c.lits)
	c.lits = append(c.lits, l)
	c.signs = append(c.signs, nil)
	c.number[s] = id
	return id
}

// maxLiterals bounds the table, so that what was found fits on the stack.
const maxLiterals = 1024

// found is where literals stand in one text: the first and the last end of each,
// 0 where it does not.
type found struct {
	first, last [maxLiterals]uint16
	seen        [256]uint16 // the first of them, in the order of their first end
	n           int
}

// find looks for every literal in one pass.
func (c *catalogue) find(low []byte, f *found) {
	for _, m := range c.scan.FindAllOverlapping(low) {
		if !c.lits[m.PatternID].stands(low, m.Start, m.End) {
			continue
		}
		if f.first[m.PatternID] == 0 {
			f.first[m.PatternID] = uint16(m.End)
			if f.n < len(f.seen) {
				f.seen[f.n] = uint16(m.PatternID)
				f.n++
			}
		}
		f.last[m.PatternID] = uint16(m.End)
	}
}

// stands reports whether a literal found there is whole words.
func (l literal) stands(low []byte, start, end int) bool {
	if !l.openLeft && start > 0 && alnum(low[start]) && alnum(low[start-1]) {
		return false
	}
	return l.openRight || end == len(low) || !alnum(low[end-1]) || !alnum(low[end])
}

func alnum(b byte) bool { return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' }

// has reports whether a literal of this number stands in the text.
func (f *found) has(id int) bool { return f.first[id] != 0 }

// holds reports whether all literals of a sign stand in the text, in their order.
func (f *found) holds(s sign) bool {
	for i, id := range s.lits {
		if f.first[id] == 0 || i > 0 && f.first[s.lits[i-1]] >= f.last[id] {
			return false
		}
	}
	return true
}
