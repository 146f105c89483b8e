package replay

import (
	"turnwatch/backend/agent"
	"turnwatch/backend/turn"
)

// restart lets Turnwatch stop and start again with its history: a turn that was
// open is found and becomes interrupted, and its timers are gone.
func (w *world) restart(s *session) {
	open := s.state.View().Generation
	w.timers = without(w.timers, s.name)
	if open != 0 {
		s.past.Session, s.past.Task = agent.SessionWaiting, agent.TaskNeedsYou
		s.past.Held = len(s.past.Queue) > 0
		r := agent.Record{Generation: open, Facts: []agent.Fact{
			agent.TurnSettled{Outcome: agent.Interrupted},
			agent.StateSet{Session: s.past.Session, Task: s.past.Task, Held: s.past.Held},
		}}
		w.tell(s.script.Lines(s.entries(r, w.now)))
	}
	s.past.Info = agent.SessionInfo{ID: agent.ProviderSession(s.name), Resumes: true}
	s.state = turn.Restore(s.past)
}

func without(timers []timer, session string) []timer {
	var kept []timer
	for _, t := range timers {
		if t.session != session {
			kept = append(kept, t)
		}
	}
	return kept
}
