package redact

import "bytes"

// Terminal takes ANSI and OSC sequences out of a text, whole: taking out the
// escape character alone would leave their parameters in it. What is cut off in
// the middle of a string sequence reaches to the end. A blank ends a sequence: it
// may be an intermediate by the standard, but the word behind it would lose its
// first letter and not be recognised any more. A text without any comes back as it
// is, without a copy.
func Terminal(b []byte) []byte {
	n := introducer(b)
	if n < 0 {
		return b
	}
	out := make([]byte, 0, len(b))
	for n >= 0 {
		out = append(out, b[:n]...)
		b = b[n+sequence(b[n:]):]
		n = introducer(b)
	}
	return append(out, b...)
}

// introducer finds an escape character, or its two-byte form as a C1 control in
// UTF-8; -1 where there is none.
func introducer(b []byte) int {
	n := bytes.IndexByte(b, 0x1b)
	for from := 0; ; {
		i := bytes.IndexByte(b[from:], 0xc2)
		if i < 0 || n >= 0 && from+i > n {
			return n
		}
		i += from
		if i+1 < len(b) && c1(b[i+1]) != 0 {
			return i
		}
		from = i + 1
	}
}

// c1 is the second byte of the escape that a C1 control stands for; 0 for any
// that begins no sequence.
func c1(c byte) byte {
	switch c {
	case 0x90, 0x98, 0x9b, 0x9d, 0x9e, 0x9f:
		return c - 0x40
	}
	return 0
}

// sequence is the length of the sequence at the start of b, at least 1.
func sequence(b []byte) int {
	if b[0] == 0xc2 {
		return 2 + body(c1(b[1]), b[2:])
	}
	if len(b) == 1 {
		return 1
	}
	switch c := b[1]; {
	case c == '[', c == ']', c == 'P', c == '^', c == '_', c == 'X':
		return 2 + body(c, b[2:])
	case c >= ' ' && c <= '/': // intermediates and a final
		n := 1
		for n < len(b) && b[n] > ' ' && b[n] <= '/' {
			n++
		}
		if n > 1 && n < len(b) && b[n] >= '0' && b[n] <= '~' {
			n++
		}
		return n
	case c >= '0' && c <= '~':
		return 2
	}
	return 1
}

// body is the length of what follows an introducer of a kind.
func body(kind byte, b []byte) int {
	n := 0
	if kind == '[' {
		for n < len(b) && b[n] >= '0' && b[n] <= '?' {
			n++
		}
		for n < len(b) && b[n] > ' ' && b[n] <= '/' {
			n++
		}
		if n+1 < len(b) && b[n] == ' ' && b[n+1] == 'q' { // the one that is in use
			return n + 2
		}
		if n < len(b) && b[n] >= '@' && b[n] <= '~' {
			n++
		}
		return n
	}
	for ; n < len(b); n++ {
		switch {
		case b[n] == 0x07:
			return n + 1
		case b[n] == 0x1b && n+1 < len(b) && b[n+1] == '\\':
			return n + 2
		case b[n] == 0x1b:
			return n
		case b[n] == 0xc2 && n+1 < len(b) && b[n+1] == 0x9c:
			return n + 2
		}
	}
	return n
}
