package terminal

import (
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"

	"turnwatch/backend/agent"
	"turnwatch/backend/locale"
)

// Bounds of a change on the page. A file beyond the first is not compared: its
// size is told instead.
const (
	tooBig   = 512 << 10
	diffRows = 400
)

// diff draws a change to one file: its path, how much comes and goes, and the
// hunks, whole or else with rows cut to the page. Both texts are made harmless
// before they are compared.
func (p *Printer) diff(d agent.Diff, margin string, whole bool) {
	before := ""
	if d.Old != nil {
		before = *d.Old
	}
	if len(before) > tooBig || len(d.New) > tooBig {
		p.page.line(piece{style: Dim, text: margin},
			piece{text: p.words.Say("diff.too_big", locale.Args{"path": OneLine(d.Path)}), give: true})
		return
	}
	rows := hunks(ended(Clean(before)), ended(Clean(d.New)))
	plus, minus := 0, 0
	for _, row := range rows {
		switch row[0] {
		case '+':
			plus++
		case '-':
			minus++
		}
	}
	head := []piece{{style: Dim, text: margin}, {style: Bold, text: OneLine(d.Path), give: true}}
	if d.Old == nil {
		head = append(head, piece{style: Dim, text: "  " + p.words.Say("diff.new_file", nil)})
	}
	head = append(head,
		piece{style: Green, text: "  +" + itoa(plus)}, piece{style: Red, text: " -" + itoa(minus)})
	p.page.line(head...)
	for i, row := range rows {
		if i == diffRows {
			p.page.line(piece{style: Dim, text: margin + p.words.Count("tool.more_lines", len(rows)-i, nil)})
			return
		}
		if whole || row == " " {
			p.page.para(margin, rowStyle(row), row)
			continue
		}
		p.page.line(piece{style: Dim, text: margin}, piece{style: rowStyle(row), text: row, give: true})
	}
}

// hunks compares two texts; a row begins with "+", "-", " " or "@".
func hunks(before, after string) []string {
	unified, err := udiff.ToUnified("a", "b", before, udiff.Strings(before, after), udiff.DefaultContextLines)
	if err != nil { // edits that do not fit their own text: there are none
		return nil
	}
	var rows []string
	for i, row := range strings.Split(strings.TrimSuffix(unified, "\n"), "\n") {
		if i < 2 || row == "" { // the names of the files
			continue
		}
		if strings.TrimSpace(row) == "" { // an empty line of the context
			row = " "
		}
		rows = append(rows, row)
	}
	return rows
}

// ended gives a text its last line end, so that none is compared as missing.
func ended(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

func rowStyle(row string) Style {
	switch row[0] {
	case '+':
		return Green
	case '-':
		return Red
	case '@':
		return Cyan
	}
	return Dim
}
