package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"
)

// jsonl writes one JSON object a line. The first error of the writer sticks.
// Characters that could act on a terminal are written as escapes, so that even a
// line that is only looked at is harmless.
type jsonl struct {
	w   io.Writer
	err error
}

func (j *jsonl) put(v any) {
	if j.err != nil {
		return
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		j.err = fmt.Errorf("write line: %w", err)
		return
	}
	_, j.err = j.w.Write(escape(b.Bytes()))
}

// escape rewrites DEL, C1 controls and bidirectional marks. They can only stand
// inside strings, since JSON has none outside.
func escape(line []byte) []byte {
	clean := true
	for i := 0; i < len(line) && clean; i++ {
		clean = line[i] < 0x7f
	}
	if clean {
		return line
	}
	out := make([]byte, 0, len(line)+16)
	for len(line) > 0 {
		r, n := utf8.DecodeRune(line)
		if acts(r) {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = append(out, line[:n]...)
		}
		line = line[n:]
	}
	return out
}

func acts(r rune) bool {
	return r >= 0x7f && r < 0xa0 || r == 0x61c || r == 0x200e || r == 0x200f ||
		r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}
