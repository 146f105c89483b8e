package failure

import "unicode/utf8"

// inputLimit is the most of a piece of evidence that is looked at, in bytes: half
// from its head, half from its tail.
const inputLimit = 4 << 10

// room is what a normalised text takes at most: the input and its gaps.
const room = inputLimit + 8

// words is a text made ready for matching, in two forms of equal length: low in
// lower-case ASCII, raw in the case it came in, for the names of zones.
type words struct{ low, raw []byte }

// page is the memory behind words. It lives on the stack of the caller.
type page struct{ low, raw [room]byte }

// read makes texts ready, parted by gaps that no literal spans. Typographic quotes
// become plain, JSON's escapes are taken off one level at a time, terminal colours
// and frames of box characters vanish, white space is folded and the blank after
// a JSON key is dropped. Each text gets its share of the limit.
func (p *page) read(texts ...string) words {
	w := words{low: p.low[:0], raw: p.raw[:0]}
	some := 0
	for _, t := range texts {
		if t != "" {
			some++
		}
	}
	if some == 0 {
		return w
	}
	share := inputLimit / some
	for _, t := range texts {
		switch {
		case t == "":
			continue
		case len(w.raw) > 0:
			w.gap()
		}
		if len(t) <= share {
			w.take(t)
			continue
		}
		w.take(t[:share/2])
		w.gap()
		w.take(t[len(t)-share/2:])
	}
	return w
}

func (w *words) gap() { w.put(0) }

func (w *words) put(c byte) {
	w.raw = append(w.raw, c)
	if c >= 'A' && c <= 'Z' {
		c += 'a' - 'A'
	}
	w.low = append(w.low, c)
}

// blank writes one blank where one is of use: none at the start, after another, or
// between a JSON key and its value.
func (w *words) blank() {
	n := len(w.raw)
	if n == 0 || w.raw[n-1] == ' ' || w.raw[n-1] == 0 {
		return
	}
	if n > 1 && w.raw[n-1] == ':' && (w.raw[n-2] == '"' || w.raw[n-2] == '\'') {
		return
	}
	w.put(' ')
}

func (w *words) take(s string) {
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '\\':
			i += w.escape(s[i:])
		case c == 0x1b:
			i += skipColour(s[i:])
		case c <= ' ' || c == 0x7f:
			w.blank()
			i++
		case c < utf8.RuneSelf:
			w.put(c)
			i++
		default:
			i += w.wide(s[i:])
		}
	}
}

// escape reads a run of backslashes and what it escapes. It returns how much of s
// it has read.
func (w *words) escape(s string) int {
	n := 1
	for n < len(s) && s[n] == '\\' {
		n++
	}
	if n == len(s) {
		return n
	}
	switch s[n] {
	case 'n', 'r', 't':
		w.blank()
		return n + 1
	case 'u':
		if len(s) >= n+5 {
			if r, ok := hex4(s[n+1 : n+5]); ok {
				w.wideRune(r, s[:n+5])
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

func (w *words) wide(s string) int {
	r, n := utf8.DecodeRuneInString(s)
	w.wideRune(r, s[:n])
	return n
}

// wideRune writes a character beyond ASCII, as its bytes where it means nothing
// here.
func (w *words) wideRune(r rune, as string) {
	switch {
	case r == '\'' || r == '’' || r == '‘':
		w.put('\'')
	case r == '"' || r == '“' || r == '”':
		w.put('"')
	case r == 0xa0 || r >= 0x2000 && r <= 0x200a || r == 0x202f || r == 0x3000 || r >= 0x2500 && r <= 0x257f:
		w.blank()
	case r == 0xfeff || r >= 0x200b && r <= 0x200f || r >= 0x2028 && r <= 0x202e:
	case r > ' ' && r < utf8.RuneSelf:
		w.put(byte(r))
	case r <= ' ':
		w.blank()
	default:
		for i := range len(as) {
			w.put(as[i])
		}
	}
}
