package terminal

import (
	"slices"
	"strings"

	"turnwatch/backend/agent"
	"turnwatch/backend/view"
)

// shown is how many lines of a tool's output stand on the page; the first ones
// and a word on the rest.
const shown = 6

// tool draws a call that is over: one line, then its changes and a little of its
// output. Each call is drawn once.
func (p *Printer) tool(x *view.Piece) {
	if p.drawn[x.Part.Seq] {
		return
	}
	p.drawn[x.Part.Seq] = true
	p.closeBlock()
	call := x.Part.Tool
	sign, style := p.toolSign(call.Status)
	line := []piece{
		{style: style, text: sign + " "},
		{style: Bold, text: p.kind(call.Kind) + "  "},
		{text: OneLine(call.Title), give: true},
	}
	if took, over := x.Took(); over {
		line = append(line, piece{style: Dim, text: "  " + Took(took)})
	}
	if call.Status != agent.ToolCompleted {
		line = append(line, piece{style: style, text: "  " + p.words.Say("tool."+statusWord(call.Status), nil)})
	}
	p.page.line(line...)
	p.content(call.Content, false)
}

// content draws what a call shows: whole, or else cut to some lines as wide as
// the page.
func (p *Printer) content(content []agent.ToolContent, whole bool) {
	margin := "  " + p.page.look.signs().bar + " "
	for _, c := range content {
		switch {
		case c.Diff != nil:
			p.diff(*c.Diff, margin, whole)
		case c.Block != nil && c.Block.Kind == agent.BlockText:
			p.output(c.Block.Text, margin, whole)
		case c.Block != nil:
			p.page.para(margin, Dim, p.block2text(*c.Block))
		}
	}
}

// output draws text of a tool behind a margin.
func (p *Printer) output(text, margin string, whole bool) {
	if whole {
		p.page.para(margin, None, strings.Trim(Clean(text), "\n"))
		return
	}
	rows := strings.Split(strings.Trim(Clean(text), "\n"), "\n")
	for i := range rows {
		rows[i] = strings.TrimRight(rows[i], " ")
	}
	rows = slices.Compact(rows) // runs of equal lines, blank ones above all
	if len(rows) == 1 && rows[0] == "" {
		return
	}
	rest := 0
	if len(rows) > shown {
		rest = len(rows) - shown
		rows = rows[:shown]
	}
	for _, row := range rows {
		p.page.line(piece{style: Dim, text: strings.TrimRight(margin+row, " "), give: true})
	}
	if rest > 0 {
		p.page.line(piece{style: Dim, text: margin + p.words.Count("tool.more_lines", rest, nil)})
	}
}

func (p *Printer) toolSign(s agent.ToolStatus) (string, Style) {
	signs := p.page.look.signs()
	switch s {
	case agent.ToolCompleted:
		return signs.done, Green
	case agent.ToolFailed:
		return signs.failed, Red
	case agent.ToolCancelled:
		return signs.stopped, Dim
	}
	return signs.now, Cyan
}

// kind names ACP's kind of a tool; any word that is not one of them is "other".
func (p *Printer) kind(kind string) string {
	switch kind {
	case "read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode":
		return p.words.Say("kind."+kind, nil)
	}
	return p.words.Say("kind.other", nil)
}

func statusWord(s agent.ToolStatus) string {
	switch s {
	case agent.ToolFailed, agent.ToolCancelled, agent.ToolInProgress:
		return string(s)
	}
	return string(agent.ToolPending)
}

func blockWord(k agent.BlockKind) string {
	switch k {
	case agent.BlockImage, agent.BlockAudio, agent.BlockLink, agent.BlockResource:
		return string(k)
	}
	return "other"
}
