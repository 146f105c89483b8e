package detect

import "strings"

// hidden stands for what was taken out: one for a stretch of inline code, a line
// of its own for a block of code or a quotation.
const hidden = "\uFFFC"

// Text is a message with fenced and inline code, block quotes and comments taken
// out. It is read once and asked often.
type Text struct {
	raw   string
	prose string   // what is left; hidden where something was
	loud  string   // the same with inline code left in
	lines []string // of prose, trimmed, blank ones left out; made from the end, a few
}

// mostLines is how many lines from the end are looked at, and longestTail how much
// of the end of each, in bytes.
const (
	mostLines   = 40
	longestTail = 2048
)

// Read prepares a message.
func Read(raw string) Text {
	t := Text{raw: raw}
	blocks := withoutBlocks(raw)
	t.loud = withoutComments(blocks)
	t.prose = withoutInline(t.loud)
	rest := t.prose
	for rest != "" && len(t.lines) < mostLines {
		i := strings.LastIndexByte(rest, '\n')
		if line := strings.TrimSpace(rest[i+1:]); line != "" {
			if over := len(line) - longestTail; over > 0 {
				line = strings.ToValidUTF8(line[over:], "")
			}
			t.lines = append(t.lines, line)
		}
		rest = rest[:max(i, 0)]
	}
	return t
}

// last returns up to n lines from the end, the last one first.
func (t Text) last(n int) []string { return t.lines[:min(n, len(t.lines))] }

// fence is an open block of code.
type fence struct {
	char byte
	size int
}

// opens returns the fence that a line opens, if it does.
func opens(line string) (fence, bool) {
	s := strings.TrimLeft(line, " ")
	if len(line)-len(s) > 3 || len(s) < 3 || s[0] != '`' && s[0] != '~' {
		return fence{}, false
	}
	n := 0
	for n < len(s) && s[n] == s[0] {
		n++
	}
	if n < 3 || s[0] == '`' && strings.IndexByte(s[n:], '`') >= 0 {
		return fence{}, false
	}
	return fence{s[0], n}, true
}

// closes reports whether a line closes a fence.
func (f fence) closes(line string) bool {
	s := strings.TrimSpace(line)
	if len(s) < f.size || len(line)-len(strings.TrimLeft(line, " ")) > 3 {
		return false
	}
	return strings.Trim(s, string(f.char)) == ""
}

// withoutBlocks takes out fenced code, block quotes and lines of comment. A fence that is never
// closed runs to the end.
func withoutBlocks(raw string) string {
	if !strings.Contains(raw, "```") && !strings.Contains(raw, "~~~") && !strings.Contains(raw, ">") && !strings.Contains(raw, "//") {
		return raw
	}
	var b strings.Builder
	b.Grow(len(raw))
	var f fence
	in, gone := false, false
	for line := range strings.SplitSeq(raw, "\n") {
		switch {
		case in:
			in = !f.closes(line)
			continue
		case strings.HasPrefix(strings.TrimLeft(line, " \t"), ">"), strings.HasPrefix(line, "//"):
			if !gone {
				b.WriteString(hidden + "\n")
			}
			gone = true
			continue
		}
		gone = false
		if g, ok := opens(line); ok {
			f, in = g, true
			b.WriteString(hidden + "\n")
			continue
		}
		b.WriteString(line)
		b.WriteByte('\n')
	}
	return b.String()
}

// OpenFence returns a line that opens the block of code in which a text ends, ""
// where it ends in none: so that its end alone can be read.
func OpenFence(text string) string {
	var f fence
	in := false
	for line := range strings.SplitSeq(text, "\n") {
		if in {
			in = !f.closes(line)
		} else if g, ok := opens(line); ok {
			f, in = g, true
		}
	}
	if !in {
		return ""
	}
	return strings.Repeat(string(f.char), f.size) + "\n"
}

// withoutComments takes out HTML comments; one that is never closed runs to the
// end.
func withoutComments(s string) string {
	if !strings.Contains(s, "<!--") {
		return s
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, "<!--")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		_, s, _ = strings.Cut(rest, "-->")
	}
}

// withoutInline takes out stretches between runs of backticks of one length that
// stand in one paragraph.
func withoutInline(s string) string {
	if strings.IndexByte(s, '`') < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	end := -1                // of the paragraph
	missing := map[int]int{} // no run of this length from here to the end of its paragraph
	for at := 0; ; {
		i := strings.IndexByte(s[at:], '`')
		if i < 0 {
			b.WriteString(s[at:])
			return b.String()
		}
		b.WriteString(s[at : at+i])
		at += i
		if at >= end {
			end = paragraph(s, at)
		}
		n := run(s[at:])
		if missing[n] != end {
			if after := closer(s[:end], at+n, n); after > 0 {
				b.WriteString(hidden)
				at = after
				continue
			}
			missing[n] = end
		}
		b.WriteString(s[at : at+n])
		at += n
	}
}

func run(s string) int {
	n := 0
	for n < len(s) && s[n] == '`' {
		n++
	}
	return n
}

// paragraph is where the paragraph of a place ends.
func paragraph(s string, at int) int {
	if i := strings.Index(s[at:], "\n\n"); i >= 0 {
		return at + i
	}
	return len(s)
}

// closer finds the end of the next run of n backticks, 0 where there is none.
func closer(s string, at, n int) int {
	for at < len(s) {
		i := strings.IndexByte(s[at:], '`')
		if i < 0 {
			return 0
		}
		at += i
		m := run(s[at:])
		at += m
		if m == n {
			return at
		}
	}
	return 0
}
