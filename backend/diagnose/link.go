package diagnose

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"turnwatch/backend/redact"
)

// linkOf is the one link that a record offers, or "". An action_url field wins
// where it is valid; else it is the one valid link inside the text of the error.
// Whatever it is, it stands byte for byte in the line: nothing is put together
// from escapes or around what was taken out of it.
func linkOf(r record, line []byte) string {
	link := string(r.action)
	if !redact.Remediation(link) {
		link = inline(r.failure)
	}
	if link == "" || !bytes.Contains(line, []byte(link)) {
		return ""
	}
	return link
}

// inline finds the one distinct valid link in a text. A candidate is a run from
// "https://" to white space, a quote or the end, taken whole, and begins a word.
func inline(text []byte) string {
	const scheme = "https://"
	found := ""
	for start := 0; ; {
		i := bytes.Index(text[start:], []byte(scheme))
		if i < 0 {
			return found
		}
		begin := start + i
		end := begin + run(text[begin:])
		start = end
		if !begins(text[:begin]) {
			continue
		}
		link := text[begin:end]
		if !redact.Remediation(string(link)) || string(link) == found {
			continue
		}
		if found != "" {
			return ""
		}
		found = string(link)
	}
}

// run is how many bytes come before white space or a quote.
func run(b []byte) int {
	n := bytes.IndexFunc(b, parts)
	if n < 0 {
		return len(b)
	}
	return n
}

// begins reports whether what follows these bytes begins a word.
func begins(before []byte) bool {
	if len(before) == 0 {
		return true
	}
	r, _ := utf8.DecodeLastRune(before)
	return parts(r)
}

// parts reports white space and quotes.
func parts(r rune) bool {
	return r == '"' || r == '\'' || r == '`' || unicode.IsSpace(r)
}
