package turn

import (
	"time"

	"turnwatch/backend/agent"
)

// run is a top-level tool call that is open. Times are awake time.
type run struct {
	last    time.Duration  // its latest update
	call    agent.ToolCall // as it stands since then
	longest time.Duration  // between two of its updates
	quietAs agent.ToolCall // as it stood then
}

// stillOpen reports whether a call may yet come to its end: it is open, or new.
func (w *transcript) stillOpen(id string) bool {
	p, ok := w.tools[id]
	return !ok || p.Tool.Status.Open()
}

// ran takes an update of a tool call of the turn in hand that was open, and gives
// a fact where the call has come to its own good end. One that failed or was cancelled says
// nothing about how long the tool may be quiet.
func (t *step) ran(id string) []agent.Fact {
	p, ok := t.words.tools[id]
	if !ok || p.Tool.Parent != "" {
		return nil
	}
	r, ok := t.turn.runs[id]
	if !ok {
		r = &run{last: t.now.Awake, call: p.Tool}
	}
	r.quiet(t.now.Awake, len(t.turn.asks) == 0)
	r.call = p.Tool
	switch {
	case !p.Tool.Status.Open():
		delete(t.turn.runs, id)
	case !ok && len(t.turn.runs) < keep:
		if t.turn.runs == nil {
			t.turn.runs = map[string]*run{}
		}
		t.turn.runs[id] = r
	}
	if p.Tool.Status != agent.ToolCompleted {
		return nil
	}
	name := r.quietAs.PublicName()
	if name == "" {
		return nil
	}
	return []agent.Fact{agent.ToolFinished{Name: name, Quiet: r.longest}}
}

// quiet ends the time since the last update of a call. It counts only where
// nothing was asked meanwhile.
func (r *run) quiet(now time.Duration, counts bool) {
	if gap := now - r.last; counts && gap >= r.longest {
		r.longest, r.quietAs = gap, r.call
	}
	r.last = now
}

// asking ends the quiet times of all open calls before something is asked, and
// askOver begins them anew.
func (t *step) asking() {
	for _, r := range t.turn.runs {
		r.quiet(t.now.Awake, len(t.turn.asks) == 0)
	}
}

func (t *step) askOver() {
	for _, r := range t.turn.runs {
		r.quiet(t.now.Awake, false)
	}
}
