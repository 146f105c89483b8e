package terminal

import (
	"strings"
	"unicode/utf8"
)

// longest bounds a control string (OSC, DCS and kin): one that does not end is
// given up after so many runes, so that it cannot swallow what follows.
const longest = 2048

// Cleaner makes text of an agent harmless for a terminal, across the chunks that
// it comes in. It takes out escape sequences, control characters, bidirectional
// overrides and other characters that cannot be seen, and replaces broken UTF-8.
// Line ends of every kind become "\n", tabs become blanks. The zero value is
// ready. It belongs to one goroutine.
type Cleaner struct {
	state    cleanState
	swallow  int  // runes taken by the control string in hand
	returned bool // the last rune was a carriage return, already told as "\n"
}

type cleanState uint8

const (
	plain   cleanState = iota
	escaped            // after ESC
	csi                // in ESC [ …
	control            // in a string that ends with BEL or ST
	ending             // in such a string, after its ESC
)

// Clean gives what may be drawn of the next chunk.
func (c *Cleaner) Clean(s string) string {
	if c.state == plain && !c.returned && harmless(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s { // broken bytes come as U+FFFD
		c.rune(&b, r)
	}
	return b.String()
}

func (c *Cleaner) rune(b *strings.Builder, r rune) {
	after := c.returned
	c.returned = false
	switch c.state {
	case plain:
		c.plain(b, r, after)
	case escaped:
		c.escaped(b, r)
	case csi:
		switch {
		case r >= 0x40 && r <= 0x7e:
			c.state = plain
		case r < 0x20 || r > 0x7e: // not of a sequence: it was none
			c.state = plain
			c.plain(b, r, false)
		}
	case control, ending:
		c.control(b, r)
	}
}

func (c *Cleaner) plain(b *strings.Builder, r rune, afterReturn bool) {
	switch {
	case r == '\r':
		b.WriteByte('\n')
		c.returned = true
	case r == '\n' && afterReturn: // one end of line, told already
	case r == '\n', r == 0x85, r == 0x2028, r == 0x2029:
		b.WriteByte('\n')
	case r == '\t':
		b.WriteString("    ")
	case r == 0x1b:
		c.state = escaped
	case r == 0x9b:
		c.state = csi
	case r == 0x90, r == 0x98, r == 0x9d, r == 0x9e, r == 0x9f:
		c.state, c.swallow = control, 0
	case unseen(r): // dropped
	default:
		b.WriteRune(r)
	}
}

func (c *Cleaner) escaped(b *strings.Builder, r rune) {
	switch {
	case r == '[':
		c.state = csi
	case r == ']', r == 'P', r == 'X', r == '^', r == '_':
		c.state, c.swallow = control, 0
	case r >= 0x20 && r <= 0x2f: // intermediate: the sequence goes on
	case r >= 0x30 && r <= 0x7e:
		c.state = plain
	default:
		c.state = plain
		c.plain(b, r, false)
	}
}

func (c *Cleaner) control(b *strings.Builder, r rune) {
	c.swallow++
	switch {
	case r == 0x07, r == 0x9c, c.state == ending && r == '\\':
		c.state = plain
	case r == '\n', c.swallow > longest:
		c.state = plain
		c.plain(b, r, false)
	case r == 0x1b:
		c.state = ending
	default:
		c.state = control
	}
}

// Clean makes a whole text harmless.
func Clean(s string) string { return new(Cleaner).Clean(s) }

// OneLine makes a text harmless and puts it on one line, blanks folded.
func OneLine(s string) string { return strings.Join(strings.Fields(Clean(s)), " ") }

// harmless is the quick way out for plain ASCII.
func harmless(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || c < 0x20 && c != '\n' || c == 0x7f {
			return false
		}
	}
	return true
}

// unseen tells characters that draw nothing and may mislead: controls, overrides
// of direction, tags, and marks that hide in text.
func unseen(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return true
	case r == 0xad, r == 0x61c, r == 0x180e, r == 0x200b, r == 0x200e, r == 0x200f, r == 0xfeff:
		return true
	case r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r >= 0xfff9 && r <= 0xfffb:
		return true
	case r >= 0xe0000 && r <= 0xe007f:
		return true
	}
	return false
}
