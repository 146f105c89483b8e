package terminal

import (
	"strings"
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
	"turnwatch/backend/locale"
)

// Ending draws how the turn ended, on one line: the outcome in words, the time
// it took, and what the agent says about its context and cost.
func (p *Printer) Ending(outcome agent.Outcome, took time.Duration) {
	p.section()
	sign, style := p.outcomeSign(outcome)
	parts := []string{p.words.Say("outcome."+string(outcome), nil)}
	if end := p.turn.End; end != nil && end.Outcome == agent.Completed && end.Stop != agent.EndTurn {
		parts = append(parts, p.words.Say("stop."+stopWord(end.Stop), nil))
	}
	parts = append(parts, Took(took))
	parts = append(parts, p.usage()...)
	p.page.line(piece{style: style, text: sign + " "}, piece{text: strings.Join(parts, " · "), give: true})
}

func (p *Printer) outcomeSign(o agent.Outcome) (string, Style) {
	signs := p.page.look.signs()
	switch o {
	case agent.Completed:
		return signs.done, Green
	case agent.Failed, agent.NeverStarted, agent.Interrupted:
		return signs.failed, Red
	}
	return signs.stopped, Dim
}

func (p *Printer) usage() []string {
	u := p.turn.Usage
	if p.turn.End != nil && p.turn.End.Usage != (agent.Usage{}) {
		u = merged(u, p.turn.End.Usage)
	}
	var parts []string
	switch {
	case u.Used > 0 && u.Size > 0:
		parts = append(parts, p.words.Say("usage.context", locale.Args{"used": tokens(u.Used), "size": tokens(u.Size)}))
	case u.Input+u.Output > 0:
		parts = append(parts, p.words.Say("usage.tokens", locale.Args{"in": tokens(u.Input), "out": tokens(u.Output)}))
	}
	if u.Cost > 0 {
		parts = append(parts, cost(u.Cost)+" "+OneLine(u.Currency))
	}
	return parts
}

// merged takes what the answer says over what was said before it.
func merged(before, last agent.Usage) agent.Usage {
	if last.Used == 0 {
		last.Used, last.Size = before.Used, before.Size
	}
	if last.Cost == 0 {
		last.Cost, last.Currency = before.Cost, before.Currency
	}
	return last
}

// Card draws a failure: what happened, the agent's own message, when it resets,
// and what can be done. Nothing for nil.
func (p *Printer) Card(f *agent.Failure) {
	if f == nil {
		return
	}
	page := &p.page
	page.para("", Red, p.words.Say("failure."+string(f.Code), nil))
	if f.Message != "" {
		page.para("  ", None, Clean(f.Message))
	}
	if f.Model != "" {
		page.para("  ", Dim, p.words.Say("card.model", locale.Args{"model": OneLine(f.Model)}))
	}
	if !f.ResetAt.IsZero() {
		page.para("  ", None, p.words.Say("card.reset", locale.Args{"time": p.words.When(f.ResetAt.Local(), time.Time{}, "15:04")}))
	}
	if f.Link != "" {
		page.para("  ", None, OneLine(f.Link))
	}
	if Helps(f) {
		args := locale.Args{}
		for k, v := range f.Args {
			args[k] = OneLine(v)
		}
		page.para("  ", None, p.words.Say(f.Hint, args))
	}
	if failure.ClassOf(f.Code) == failure.Hard {
		page.para("  ", None, p.words.Say("card.no_retry", nil))
	}
}

// Helps reports whether the hint of a failure says something: one that points at
// the agent's own message does not where there is none.
func Helps(f *agent.Failure) bool {
	return f.Hint != "" && (f.Hint != failure.HintCheckMessage || f.Message != "")
}

func stopWord(s agent.StopReason) string {
	switch s {
	case agent.MaxTokens, agent.MaxTurnRequests, agent.Refusal, agent.StopCancelled:
		return string(s)
	}
	return "other"
}
