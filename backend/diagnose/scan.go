package diagnose

import (
	"bytes"
	"encoding/binary"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// scanner takes the fields of a line one after the other.
type scanner struct{ rest []byte }

// more skips blanks and reports whether anything is left.
func (s *scanner) more() bool {
	for len(s.rest) > 0 && blank(s.rest[0]) {
		s.rest = s.rest[1:]
	}
	return len(s.rest) > 0
}

// key takes a key and the "=" behind it.
func (s *scanner) key() ([]byte, bool) {
	n := bytes.IndexByte(s.rest, '=')
	if n < 1 || n > longestKey {
		return nil, false
	}
	key := s.rest[:n]
	for _, c := range key {
		if c <= ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return nil, false
		}
	}
	s.rest = s.rest[n+1:]
	return key, true
}

// value takes a value and decodes it where it is wanted. The result is never nil
// where it was wanted.
func (s *scanner) value(wanted bool) ([]byte, bool) {
	if len(s.rest) > 0 && s.rest[0] == '"' {
		return s.quoted(wanted)
	}
	n := 0
	for n < len(s.rest) {
		c := s.rest[n]
		if c < utf8.RuneSelf {
			if blank(c) {
				break
			}
			if c < ' ' || c == '"' || c == '=' || c == '\\' || c == 0x7f {
				return nil, false
			}
			n++
			continue
		}
		r, size := utf8.DecodeRune(s.rest[n:])
		if unicode.IsSpace(r) || unicode.IsControl(r) || r == '\ufeff' {
			return nil, false // OpenCode would have quoted it
		}
		n += size
	}
	v := s.rest[:n]
	s.rest = s.rest[n:]
	return v, n > 0
}

// quoted takes a JSON string that ends its field.
func (s *scanner) quoted(wanted bool) ([]byte, bool) {
	body := s.rest[1:]
	if n := bytes.IndexByte(body, '"'); n >= 0 && bytes.IndexByte(body[:n], '\\') < 0 && !controls(body[:n]) {
		s.rest = body[n+1:]
		return body[:n], len(s.rest) == 0 || blank(s.rest[0])
	}
	escaped := false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case c == '"':
			s.rest = body[i+1:]
			if len(s.rest) > 0 && !blank(s.rest[0]) {
				return nil, false
			}
			if !escaped {
				return body[:i], true
			}
			return unescape(body[:i], wanted)
		case c < ' ':
			return nil, false
		case c == '\\':
			escaped = true
			i++
		}
	}
	return nil, false
}

// unescape decodes the inside of a JSON string in which every backslash is
// followed by another byte. Half a surrogate pair becomes U+FFFD. Where the value
// is not wanted it is only checked.
func unescape(body []byte, wanted bool) ([]byte, bool) {
	var out []byte
	if wanted {
		out = make([]byte, 0, len(body))
	}
	for len(body) > 0 {
		n := bytes.IndexByte(body, '\\')
		if n < 0 {
			n = len(body)
		}
		if wanted {
			out = append(out, body[:n]...)
		}
		if body = body[n:]; len(body) == 0 {
			break
		}
		r, size := escape(body)
		if size == 0 {
			return nil, false
		}
		body = body[size:]
		if wanted {
			out = utf8.AppendRune(out, r)
		}
	}
	return out, true
}

// escape reads one escape at the start of b, or a surrogate pair of two. A size
// of 0 says that it is none.
func escape(b []byte) (r rune, size int) {
	switch b[1] {
	case '"', '\\', '/':
		return rune(b[1]), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
	default:
		return 0, 0
	}
	r, ok := hex4(b[2:])
	if !ok {
		return 0, 0
	}
	if utf16.IsSurrogate(r) {
		if len(b) >= 12 && b[6] == '\\' && b[7] == 'u' {
			if low, ok := hex4(b[8:]); ok {
				if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
					return both, 12
				}
			}
		}
		r = utf8.RuneError
	}
	return r, 6
}

func hex4(b []byte) (r rune, ok bool) {
	if len(b) < 4 {
		return 0, false
	}
	for _, c := range b[:4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// controls reports whether a control character is in b, eight bytes at a time.
func controls(b []byte) bool {
	const low, high = 0x0101010101010101, 0x8080808080808080
	for ; len(b) >= 8; b = b[8:] {
		v := binary.LittleEndian.Uint64(b)
		if (v-' '*low)&^v&high != 0 {
			return true
		}
	}
	for _, c := range b {
		if c < ' ' {
			return true
		}
	}
	return false
}

func blank(c byte) bool { return c == ' ' || c == '\t' }
