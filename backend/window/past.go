package window

import (
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
)

// History is what the History screen may ask.
type History struct{ r *room }

// Turns gives turns of all tasks, newest first, at most 100: those that started
// before a time in milliseconds, or from the newest on where it is 0. Empty
// filters let everything through.
func (h *History) Turns(before int64, agentKind, outcome, text string) ([]Past, error) {
	return answer(h.r, usually, func(c call) ([]Past, error) {
		if line("agent", agentKind, longestWord) != nil || line("outcome", outcome, longestWord) != nil {
			return nil, wrong("filter")
		}
		if err := line("text", text, longestQuery); err != nil {
			return nil, err
		}
		f := history.PastFilter{Agent: agent.Kind(agentKind), Outcome: agent.Outcome(outcome), Text: text}
		if before > 0 {
			f.Before = time.UnixMilli(before)
		}
		list, err := c.core.History().PastTurns(c.ctx, f)
		out := make([]Past, 0, len(list))
		for _, p := range list {
			out = append(out, Past{
				Task: string(p.Task), Session: string(p.Session), Title: firstLine(p.Title, longestTitle), Agent: string(p.Kind),
				Turn: uint64(p.Turn), Prompt: firstLine(p.Prompt, longestTitle), Started: ms(p.Started), Ended: ms(p.Ended),
				Outcome: string(p.Outcome), Code: string(p.Code),
			})
		}
		return out, err
	})
}

// Turn gives the transcript of one turn, at most 2,000 parts of it.
func (h *History) Turn(session string, turn uint64) (Page, error) {
	return answer(h.r, usually, func(c call) (Page, error) {
		id, err := sessionID(session)
		if err != nil {
			return Page{}, err
		}
		parts, err := c.core.History().TurnParts(c.ctx, id, agent.Generation(turn), 2000)
		out := Page{First: true}
		for _, p := range parts {
			out.Parts = append(out.Parts, partOf(held{Part: p}, onScreen()))
		}
		return out, err
	})
}

// Search finds words in all transcripts, the newest sessions first.
func (h *History) Search(text string) ([]Found, error) {
	return answer(h.r, usually, func(c call) ([]Found, error) {
		if err := line("text", text, longestQuery); err != nil {
			return nil, err
		}
		hits, err := c.core.History().Search(c.ctx, text, 100)
		return found(hits), err
	})
}
