package failure

import "unicode/utf8"

// inputLimit is the most of a piece of evidence that is looked at, in bytes: half
// from its head, half from its tail.
const inputLimit = 4 << 10

// room is what a normalised text takes at most: the input and its gaps.
const room = inputLimit + 8

// words is a text made ready for matching: lower-case ASCII, folded white space.
type words struct {
	low  []byte
	text [2]string // what it was made of
}

// page is the memory behind words. It lives on the stack of the caller.
type page struct {
	b    [room]byte
	n    int
	keep bool // the case as it came
}

// read makes up to two texts ready, parted by gaps that no literal spans, as are
// head and tail of one that is cut. Typographic quotes become plain, JSON's escapes
// are taken off, terminal colours and frames of box characters vanish, white space
// is folded and the blank after a JSON key is dropped. Two texts share the limit.
func (p *page) read(one, two string) words {
	share := inputLimit
	if one != "" && two != "" {
		share /= 2
	}
	for _, t := range [2]string{one, two} {
		if t == "" {
			continue
		}
		if p.n > 0 {
			p.put(0)
		}
		if len(t) <= share {
			p.take(t)
			continue
		}
		p.take(t[:share/2])
		p.put(0)
		p.take(t[len(t)-share/2:])
	}
	return words{low: p.b[:p.n], text: [2]string{one, two}}
}

// cased is the same text in the case it came in, byte for byte beside low.
func (w words) cased() string {
	p := page{keep: true}
	return string(p.read(w.text[0], w.text[1]).low)
}

// lower is the lower-case form of a byte.
func lower(c byte) byte {
	if c-'A' < 26 {
		c += 'a' - 'A'
	}
	return c
}

func (p *page) put(c byte) {
	if p.n == room {
		return
	}
	if !p.keep {
		c = lower(c)
	}
	p.b[p.n] = c
	p.n++
}

// blank writes one blank where one is of use: none at the start, after another, or
// between a JSON key and its value.
func (p *page) blank() {
	n := p.n
	if n == 0 || p.b[n-1] == ' ' || p.b[n-1] == 0 {
		return
	}
	if n > 1 && p.b[n-1] == ':' && (p.b[n-2] == '"' || p.b[n-2] == '\'') {
		return
	}
	p.put(' ')
}

func (p *page) take(s string) {
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c > ' ' && c < 0x7f && c != '\\':
			i += p.plain(s[i:])
		case c == '\\':
			i += p.escape(s[i:])
		case c == 0x1b:
			i += skipColour(s[i:])
		case c <= ' ' || c == 0x7f:
			p.blank()
			i++
		default:
			i += p.wide(s[i:])
		}
	}
}

// plain copies a run of printable ASCII, the most of every text, and the blanks in it
// that would stay as they are.
func (p *page) plain(s string) int {
	s = s[:min(len(s), room-p.n)]
	to := p.b[p.n : p.n+len(s)]
	n := 0
	for n < len(s) && n < len(to) {
		c := s[n]
		if c <= ' ' || c >= 0x7f || c == '\\' {
			if c != ' ' || n == 0 || to[n-1] == ' ' || to[n-1] == ':' {
				break
			}
		} else if !p.keep {
			c = lower(c)
		}
		to[n] = c
		n++
	}
	p.n += n
	return max(n, 1)
}

// escape reads a run of backslashes and what it escapes. It returns how much of s
// it has read.
func (p *page) escape(s string) int {
	n := 1
	for n < len(s) && s[n] == '\\' {
		n++
	}
	if n == len(s) {
		return n
	}
	switch s[n] {
	case 'n', 'r', 't':
		p.blank()
		return n + 1
	case 'u':
		if len(s) >= n+5 {
			if r, ok := hex4(s[n+1 : n+5]); ok {
				p.wideRune(r, s[:n+5])
				return n + 5
			}
		}
	}
	return n // what follows speaks for itself
}

func hex4(s string) (r rune, ok bool) {
	for i := range 4 {
		c := s[i] | 0x20
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// skipColour returns the length of a terminal sequence at the start of s.
func skipColour(s string) int {
	if len(s) < 2 || s[1] != '[' {
		return 1
	}
	for i := 2; i < len(s) && i < 32; i++ {
		if s[i] >= '@' && s[i] <= '~' {
			return i + 1
		}
	}
	return 1
}

func (p *page) wide(s string) int {
	r, n := utf8.DecodeRuneInString(s)
	p.wideRune(r, s[:n])
	return n
}

// wideRune writes a character beyond ASCII, as its bytes where it means nothing
// here.
func (p *page) wideRune(r rune, as string) {
	switch {
	case r == '\'' || r == '’' || r == '‘':
		p.put('\'')
	case r == '"' || r == '“' || r == '”':
		p.put('"')
	case r == 0xa0 || r >= 0x2000 && r <= 0x200a || r == 0x202f || r == 0x3000 || r >= 0x2500 && r <= 0x257f:
		p.blank()
	case r == 0xfeff || r >= 0x200b && r <= 0x200f || r >= 0x2028 && r <= 0x202e:
	case r > ' ' && r < utf8.RuneSelf:
		p.put(byte(r))
	case r <= ' ':
		p.blank()
	default:
		for i := range len(as) {
			p.put(as[i])
		}
	}
}
