package terminal

import (
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Mark is a sign beside a row.
type Mark int

// Marks.
const (
	Done Mark = iota
	Failing
	Stopped
	Now
	Todo
)

// List draws rows of a name, a detail and a text; where the page is narrow the
// text goes on a line of its own.
type List struct{ page page }

// NewList draws on w.
func NewList(w io.Writer, look Look) *List { return &List{page: page{w: w, look: look}} }

// Err is the first error of the writer.
func (l *List) Err() error { return l.page.err }

// Columns of a row before its text.
const (
	nameWidth   = 10
	detailWidth = 10
)

// Row draws one row. The texts must be clean and on one line.
func (l *List) Row(style Style, mark Mark, name, detail, text string) {
	// A name that is longer takes the room of its detail.
	name = padTo(name, nameWidth) + "  "
	rest := max(nameWidth+2+detailWidth-ansi.StringWidth(name), 0)
	head := []piece{
		{style: style, text: l.sign(mark) + " "},
		{style: Bold, text: name},
		{style: Dim, text: padTo(detail, rest) + "  "},
	}
	before := 2 + nameWidth + 2 + detailWidth + 2
	if w := l.page.look.Width; w == 0 || before+ansi.StringWidth(text) <= w {
		l.page.write(l.page.fit(append(head, piece{text: text})) + "\n")
		return
	}
	l.page.write(strings.TrimRight(l.page.fit(head), " ") + "\n")
	l.page.para("    ", None, text)
}

// Entry draws a line and, below it, its details.
func (l *List) Entry(style Style, mark Mark, text, details string) {
	l.page.line(piece{style: style, text: l.sign(mark) + " "}, piece{text: text, give: true})
	l.page.para("  ", Dim, details)
}

// Text draws a paragraph behind a margin.
func (l *List) Text(margin string, style Style, text string) { l.page.para(margin, style, text) }

// Blank parts what comes from what stands.
func (l *List) Blank() { l.page.write("\n") }

func (l *List) sign(m Mark) string {
	signs := l.page.look.signs()
	switch m {
	case Done:
		return signs.done
	case Failing:
		return signs.failed
	case Stopped:
		return signs.stopped
	case Now:
		return signs.now
	}
	return signs.todo
}

func padTo(s string, width int) string {
	if n := width - ansi.StringWidth(s); n > 0 {
		return s + strings.Repeat(" ", n)
	}
	return s
}
