package terminal

import (
	"slices"

	"turnwatch/backend/agent"
)

// plan draws the plan: all of it when it is new, and only the steps that moved
// when nothing else of it has changed.
func (p *Printer) plan(entries []agent.PlanEntry) {
	before := p.planned
	p.planned = entries
	if len(entries) == 0 {
		return
	}
	if !sameSteps(before, entries) {
		p.section()
		p.page.line(piece{style: Bold, text: p.words.Say("plan.title", nil)})
		for _, e := range entries {
			p.step(e)
		}
		return
	}
	for i, e := range entries {
		if e.Status != before[i].Status {
			p.closeBlock()
			p.step(e)
		}
	}
}

func (p *Printer) step(e agent.PlanEntry) {
	signs := p.page.look.signs()
	sign, style := signs.todo, None
	switch e.Status {
	case "completed":
		sign, style = signs.done, Dim
	case "in_progress":
		sign, style = signs.now, Cyan
	}
	p.page.line(
		piece{style: style, text: "  " + sign + " "},
		piece{style: style, text: OneLine(e.Content), give: true})
}

func sameSteps(a, b []agent.PlanEntry) bool {
	return slices.EqualFunc(a, b, func(x, y agent.PlanEntry) bool { return x.Content == y.Content })
}
