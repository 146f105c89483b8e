package terminal

import (
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/locale"
)

// again says what failed, that the prompt is sent again, and which keys hurry or stop
// it. The countdown itself is the live line.
func (p *Printer) again(f agent.RetryPlanned) {
	if end := p.turn.End; end != nil && end.Failure != nil {
		p.remark(Yellow, "failure."+string(end.Failure.Code), nil)
	}
	p.remark(Dim, "run.again", locale.Args{
		"time": p.words.When(f.At.Local(), f.At.Local(), time.TimeOnly), "try": itoa(f.Try), "most": itoa(f.Most),
	})
}

// notAgain says why a prompt is not sent again after all, where that is news.
func (p *Printer) notAgain(f agent.RetryDropped) {
	switch f.Why {
	case agent.DropEffects, agent.DropLost, agent.DropUnstored, agent.DropUnsure:
		p.remark(Dim, "card.again_"+string(f.Why), nil)
	case agent.DropExhausted:
		p.closeBlock()
		p.page.para("", Dim, p.words.Count("card.again_exhausted", f.Try, nil))
	case agent.DropCancelled:
		p.remark(Dim, "run.again_stopped", nil)
	}
}

// countdown is the live line while a prompt waits to be sent again.
func (p *Printer) countdown(now time.Time) []piece {
	left := max(p.turn.Again.At.Sub(now), 0)
	left = (left + time.Second - 1).Truncate(time.Second)
	return []piece{{style: Dim, text: p.words.Say("status.again", locale.Args{
		"left": Took(left), "try": itoa(p.turn.Again.Try), "most": itoa(p.turn.Again.Most),
	}), give: true}}
}
