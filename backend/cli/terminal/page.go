package terminal

import (
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// page is the paper that a Printer writes on: it wraps streamed text between
// words, knows the column, and holds one live line below that goes away before
// anything else is written. The first error of the writer sticks; after it
// nothing more is written.
type page struct {
	w    io.Writer
	look Look
	err  error

	style  Style
	margin string // before every line of the stream
	col    int    // columns used in the line in hand, the margin aside
	word   string // the end of the stream that may still grow
	wide   int    // its width
	gap    int    // blanks that wait before the word
	live   bool
}

// write puts out text as it is.
func (p *page) write(s string) {
	if p.err == nil && s != "" {
		_, p.err = io.WriteString(p.w, s)
	}
}

// begin starts a paragraph of streamed text on a line of its own.
func (p *page) begin(style Style, margin string) {
	p.fresh()
	p.style, p.margin = style, margin
}

// stream adds text, cleaned before, to the paragraph.
func (p *page) stream(text string) {
	p.unlive()
	var out strings.Builder
	for _, r := range text {
		switch r {
		case '\n':
			p.settle(&out)
			out.WriteByte('\n')
			p.col, p.gap = 0, 0
		case ' ':
			p.settle(&out)
			p.gap++
		default:
			p.grow(&out, r)
		}
	}
	p.write(p.look.paint(p.style, out.String()))
}

// room is the width that streamed text has; 0 where it is not bounded.
func (p *page) room() int {
	if p.look.Width == 0 {
		return 0
	}
	return max(p.look.Width-ansi.StringWidth(p.margin), 8)
}

// grow adds a rune to the word in hand. A word as wide as the line is broken.
func (p *page) grow(out *strings.Builder, r rune) {
	p.word += string(r)
	p.wide = ansi.StringWidth(p.word)
	if room := p.room(); room > 0 && p.wide >= room || room == 0 && len(p.word) > 64 {
		p.settle(out)
	}
}

// settle puts the word in hand into its line, or on the next.
func (p *page) settle(out *strings.Builder) {
	if p.word == "" {
		return
	}
	if room := p.room(); room > 0 && p.col > 0 && p.col+p.gap+p.wide > room {
		out.WriteByte('\n')
		p.col, p.gap = 0, 0
	}
	if p.col == 0 {
		out.WriteString(p.margin)
	}
	out.WriteString(strings.Repeat(" ", p.gap))
	out.WriteString(p.word)
	p.col += p.gap + p.wide
	p.word, p.wide, p.gap = "", 0, 0
}

// flush writes what is held back of the stream.
func (p *page) flush() {
	var out strings.Builder
	p.settle(&out)
	p.write(p.look.paint(p.style, out.String()))
}

// fresh goes to the beginning of a line.
func (p *page) fresh() {
	p.unlive()
	p.flush()
	if p.col > 0 {
		p.write("\n")
	}
	p.col, p.gap, p.margin = 0, 0, ""
}

// line writes a whole line, at most as wide as the page. Pieces are drawn each
// in its style.
func (p *page) line(pieces ...piece) {
	p.fresh()
	p.write(p.fit(pieces) + "\n")
}

// piece is a part of a line.
type piece struct {
	style Style
	text  string
	give  bool // this piece is cut where the line is too long
}

// fit draws pieces one after the other. Where they are too wide those that give
// are cut first, and then whatever stands last.
func (p *page) fit(pieces []piece) string {
	over := 0
	if p.look.Width > 0 {
		for _, x := range pieces {
			over += ansi.StringWidth(x.text)
		}
		over -= p.look.Width
	}
	cut := func(least int, all bool) {
		for i := len(pieces) - 1; i >= 0 && over > 0; i-- {
			if !pieces[i].give && !all {
				continue
			}
			wide := ansi.StringWidth(pieces[i].text)
			keep := max(wide-over, min(wide, least))
			pieces[i].text = ansi.Truncate(pieces[i].text, keep, p.look.signs().more)
			over -= wide - ansi.StringWidth(pieces[i].text)
		}
	}
	cut(8, false)
	cut(0, true)
	var out strings.Builder
	for _, x := range pieces {
		out.WriteString(p.look.paint(x.style, x.text))
	}
	return out.String()
}

// para writes a text wrapped, each line behind a margin.
func (p *page) para(margin string, style Style, text string) {
	p.fresh()
	wide := 0
	if p.look.Width > 0 {
		wide = max(p.look.Width-ansi.StringWidth(margin), 8)
	}
	for l := range strings.SplitSeq(text, "\n") {
		if wide > 0 {
			l = ansi.Wrap(l, wide, "")
		}
		for row := range strings.SplitSeq(l, "\n") {
			p.write(strings.TrimRight(p.look.paint(Dim, margin)+p.look.paint(style, row), " ") + "\n")
		}
	}
}

// status draws the live line, where the page allows one and no text is in hand.
func (p *page) status(pieces ...piece) {
	if !p.look.Live || p.col > 0 || p.word != "" {
		return
	}
	narrow := *p
	narrow.look.Width = max(p.look.Width-1, 8) // a full line would wrap
	p.write("\r\x1b[2K" + narrow.fit(pieces))
	p.live = true
}

func (p *page) unlive() {
	if p.live {
		p.write("\r\x1b[2K")
		p.live = false
	}
}
