package terminal

import (
	"time"

	"turnwatch/backend/locale"
	"turnwatch/backend/view"
)

// Tick draws the live line anew: what is at work and for how long. Text that is
// held back for its word's end comes out.
func (p *Printer) Tick(now time.Time) {
	if !p.page.look.Live {
		return
	}
	switch phase := p.turn.Phase(); {
	case p.turn.Again != nil:
		p.page.status(p.countdown(now)...)
	case phase == view.Idle, phase == view.Asking:
		p.page.unlive()
	default:
		p.page.status(p.statusLine(phase, now)...)
	}
}

// Flush writes what streamed text holds back.
func (p *Printer) Flush() { p.page.flush() }

func (p *Printer) statusLine(phase view.Phase, now time.Time) []piece {
	since := Took(now.Sub(p.turn.Started).Truncate(time.Second))
	open := p.turn.OpenTools()
	if phase == view.Working && len(open) > 0 {
		x := open[len(open)-1]
		line := []piece{
			{style: Cyan, text: p.page.look.signs().now + " "},
			{style: Bold, text: p.kind(x.Part.Tool.Kind) + "  "},
			{text: OneLine(x.Part.Tool.Title), give: true},
			{style: Dim, text: "  " + Took(now.Sub(x.Part.At).Truncate(time.Second))},
		}
		if len(open) > 1 {
			line = append(line, piece{style: Dim, text: "  " + p.words.Count("status.more_tools", len(open)-1, nil)})
		}
		return line
	}
	return []piece{{style: Dim, text: p.words.Say("status."+string(phase), locale.Args{"time": since}), give: true}}
}
