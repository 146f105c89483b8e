package view

import "turnwatch/backend/agent"

// Auto is what auto-resume means to do, and the last that it said, of the turn in
// hand or the last one.
type Auto struct {
	Announced *agent.AutoStep // it will be done at its Due, unless somebody stops it
	Said      *agent.AutoStep // a notice, a cancel, or that it has given up; nil where nothing was
}

// Apply folds one step in.
func (a *Auto) Apply(s agent.AutoStep) {
	switch s.Act {
	case "announce":
		a.Announced = &s
	case "withdraw":
		if a.Announced != nil && a.Announced.Row == s.Of {
			a.Announced = nil
		}
	case "prompt":
		a.Announced, a.Said = nil, nil
	case "cancel", "give_up", "notice":
		a.Announced, a.Said = nil, &s
	}
}
