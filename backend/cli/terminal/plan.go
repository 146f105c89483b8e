package terminal

import "turnwatch/backend/agent"

// plan draws the plan as it stands.
func (p *Printer) plan(entries []agent.PlanEntry) {
	if len(entries) == 0 {
		return
	}
	p.section()
	signs := p.page.look.signs()
	p.page.line(piece{style: Bold, text: p.words.Say("plan.title", nil)})
	for _, e := range entries {
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
}
