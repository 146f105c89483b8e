package autoresume

import (
	"slices"
	"time"
)

// Snapshot is what must survive a restart: latches, and what was spent. It holds
// no text of an agent.
type Snapshot struct {
	Off      bool    `json:"off,omitempty"`
	Sessions []Saved `json:"sessions"`
}

// Saved is one session of a Snapshot. Ages are ms before it was taken.
type Saved struct {
	ID        string         `json:"id"`
	Parent    string         `json:"parent,omitempty"`
	Model     string         `json:"model,omitempty"`
	Cancelled bool           `json:"cancelled,omitempty"`
	Completed bool           `json:"completed,omitempty"`
	GaveUp    bool           `json:"gave_up,omitempty"`
	Off       bool           `json:"off,omitempty"`
	Yielded   bool           `json:"yielded,omitempty"`
	Counts    map[string]int `json:"counts,omitempty"`
	Spends    []SavedSpend   `json:"spends,omitempty"`
}

// SavedSpend is one prompt of a family.
type SavedSpend struct {
	NeededAgo int64 `json:"needed_ago_ms"`
	SentAgo   int64 `json:"sent_ago_ms"`
	Need      bool  `json:"need,omitempty"`
}

// Snapshot copies what must survive.
func (e *Engine) Snapshot() Snapshot {
	snap := Snapshot{Off: e.off, Sessions: []Saved{}}
	for _, s := range e.order {
		snap.Sessions = append(snap.Sessions, s.saved(e.now))
	}
	return snap
}

// Saved copies what must survive of one session; false where it is not known.
func (e *Engine) Saved(id string) (Saved, bool) {
	s, ok := e.byID[id]
	if !ok {
		return Saved{}, false
	}
	return s.saved(e.now), true
}

// Knows reports whether anything is known of a session. One that was forgotten has
// lost its options, too.
func (e *Engine) Knows(id string) bool { return e.byID[id] != nil }

func (s *session) saved(now time.Duration) Saved {
	v := Saved{
		ID: s.id, Model: s.model, Cancelled: s.latch.cancelled, Completed: s.latch.completed, GaveUp: s.latch.gaveUp,
		Off: s.holds.off, Yielded: s.holds.yielded, Counts: map[string]int{},
	}
	if s.parent != nil {
		v.Parent = s.parent.id
	}
	for name, n := range s.counters() {
		if *n > 0 {
			v.Counts[name] = *n
		}
	}
	for _, sp := range s.spent.spends {
		v.Spends = append(v.Spends, SavedSpend{(now - sp.at).Milliseconds(), (now - sp.sent).Milliseconds(), sp.need})
	}
	return v
}

// Restore takes a Snapshot up at a moment. No turn is open and no look is due: a
// turn that was open when the program stopped is the user's to resume. What is
// negative counts as nothing, and a window counts on from where it stood.
func (e *Engine) Restore(snap Snapshot, now time.Duration) {
	e.begin(now)
	e.off = snap.Off
	for _, v := range snap.Sessions {
		s := e.session(v.ID)
		if v.Parent != "" && v.Parent != v.ID {
			e.adopt(s, e.session(v.Parent))
		}
		s.model = v.Model
		s.latch = latches{v.Cancelled, v.Completed, v.GaveUp}
		s.holds.off, s.holds.yielded = v.Off, v.Yielded
		s.seen.active = e.now
		for name, n := range s.counters() {
			*n = max(0, v.Counts[name])
		}
		for _, sp := range v.Spends {
			s.spent.spends = append(s.spent.spends, &spend{
				at: e.now - age(sp.NeededAgo), sent: e.now - age(sp.SentAgo), need: sp.Need,
			})
		}
		slices.SortStableFunc(s.spent.spends, func(a, b *spend) int { return int(a.at - b.at) })
	}
}

func age(ms int64) time.Duration {
	return time.Duration(min(max(ms, 0), longestHold.Milliseconds())) * time.Millisecond
}

// counters are the budgets by the names that are stored.
func (s *session) counters() map[string]*int {
	b := &s.spent
	return map[string]*int{
		"attempts": &b.attempts, "leaks": &b.leaks, "intent": &b.intent, "ready": &b.ready, "done": &b.done,
		"reminders": &b.reminders, "orphan": &b.orphan, "trips": &b.trips, "blocks": &b.blocks, "accepts": &b.accepts,
		"prompts": &b.prompts, "failures": &s.repair.failures, "plan_most": &s.plan.most,
	}
}

// Latches are what ends automation for a session.
type Latches struct {
	Cancelled bool `json:"cancelled"`
	Completed bool `json:"completed"`
	GaveUp    bool `json:"gave_up"`
}

// Latches of a session; a session that is not known has none.
func (e *Engine) Latches(id string) Latches {
	s, ok := e.byID[id]
	if !ok {
		return Latches{}
	}
	return Latches{s.latch.cancelled, s.latch.completed, s.latch.gaveUp}
}
