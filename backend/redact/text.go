package redact

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limit is the most bytes that Text returns.
const Limit = 2048

// bound is how much raw text is looked at. More than Limit, because what is
// taken out makes room; fixed, because the input may have any size.
const bound = 8 << 10

// rounds is how often a text is gone over until nothing of it changes any more.
// What takes longer is made to outwit the passes, and nothing of it is kept.
const rounds = 8

// Text returns the part of a raw text that is fit to be kept: no terminal
// sequence, control or bidi character, address, path, identifier of an account
// or session, or credential; white space folded; valid UTF-8 of at most Limit
// bytes, cut between characters. It may be empty. Text of Text is the same.
func Text(raw string) string {
	s := raw
	if len(s) > bound {
		s = strings.ToValidUTF8(s[:bound], "")
		s = dropLastWord(s) // half a secret is not recognised any more
	}
	for range rounds {
		t := round(s)
		if t == s {
			return t
		}
		s = t
	}
	return ""
}

// round takes everything out once. What it leaves is fit when it leaves it as it
// is: taking one thing out may bring another together.
func round(s string) string {
	s = plain(s)
	of := shapeOf(s)
	for _, group := range passes {
		for _, p := range group {
			s = p.over(s, of)
		}
	}
	return cut(tidy(s), Limit)
}

// Line is Text cut to max bytes, for one line of a program's output.
func Line(raw string, max int) string { return cut(Text(raw), max) }

// Name returns a name that an agent gave to something, fit for one line of the
// screen and cut to max bytes: control, bidi and terminal characters are taken
// out and white space is folded, but no word is. For values that a person must
// be able to repeat, such as the id of a model.
func Name(raw string, max int) string {
	if len(raw) > bound {
		raw = raw[:bound]
	}
	return cut(plain(raw), max)
}

// plain removes terminal sequences, folds white space and control characters to
// single blanks and drops invisible ones.
func plain(s string) string {
	s = string(Terminal([]byte(strings.ToValidUTF8(s, ""))))
	var b strings.Builder
	b.Grow(len(s))
	blank := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			blank = b.Len() > 0
		case invisible(r):
		default:
			if blank {
				b.WriteByte(' ')
				blank = false
			}
			b.WriteRune(r)
		}
	}
	return b.String()
}

// invisible reports format characters (bidi marks, joiners, tags), private use,
// line separators and variation selectors: nothing of an error text needs them.
func invisible(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp) ||
		r >= 0xfe00 && r <= 0xfe0f || r == 0x034f || r == 0x115f || r == 0x1160 || r == 0x3164 || r == utf8.RuneError
}

var (
	emptied  = regexp.MustCompile(`[(\[{<"'\x60]\s*[)\]}>"'\x60]`)
	floating = regexp.MustCompile(`\s+([.,;:!?)\]}])`)
	doubled  = regexp.MustCompile(`[:,;]\s*([.,;])`)
	stub     = regexp.MustCompile(`(?i)[\s,;.]*(?:to continue|visit|see|at|read the docs|for more[^.:]*)[^.:]{0,120}:\s*$`)
)

// tidy mends what the passes leave behind: empty brackets, a blank before a full
// stop, a sentence that ends by pointing at what was taken out.
func tidy(s string) string {
	for range 4 {
		t := emptied.ReplaceAllString(s, " ")
		t = floating.ReplaceAllString(t, "$1")
		t = doubled.ReplaceAllString(t, "$1")
		if strings.HasSuffix(strings.TrimRight(t, " "), ":") {
			t = stub.ReplaceAllString(t, "")
		}
		t = strings.Trim(strings.Join(strings.Fields(t), " "), " ,;:-|·")
		if t == s {
			break
		}
		s = t
	}
	return s
}

func cut(s string, max int) string {
	if len(s) <= max {
		return s
	}
	n := max
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.TrimRight(s[:n], " ,;:-|·")
}

func dropLastWord(s string) string {
	if i := strings.LastIndexAny(s, " \t\r\n"); i >= 0 {
		return s[:i]
	}
	return ""
}
