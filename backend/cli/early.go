package cli

import (
	"time"

	"turnwatch/backend/agent"
)

// holdWait is how long words of the agent are held back at most, more or less a
// tick: a history that cannot be written keeps nobody from reading.
const holdWait = time.Second

// early holds back what an agent says before the record of its being there has
// come: parts come at once, that record only when it is on disk. It holds until
// then, or until what it holds is overdue.
type early struct {
	held  []agent.Entry
	since time.Time // of the first that is held
	over  bool
}

// order gives the entries that may be shown, in order.
func (h *early) order(entries []agent.Entry) []agent.Entry {
	if h.over {
		return entries
	}
	var now []agent.Entry
	for i, e := range entries {
		switch f := e.Fact.(type) {
		case agent.PartSet:
			if f.Part.Kind != agent.PartPrompt {
				h.hold(e)
				continue
			}
		case agent.PartAppended:
			h.hold(e)
			continue
		case agent.SessionReady:
			now = append(append(now, e), h.release()...)
			return append(now, entries[i+1:]...)
		case agent.TurnSettled:
			now = append(append(now, h.release()...), e)
			return append(now, entries[i+1:]...)
		}
		now = append(now, e)
	}
	return now
}

func (h *early) hold(e agent.Entry) {
	if len(h.held) == 0 {
		h.since = time.Now()
	}
	h.held = append(h.held, e)
}

// overdue lets go of what was held for too long. An agent that takes its time
// until it says the first word is not late.
func (h *early) overdue(now time.Time) []agent.Entry {
	if len(h.held) == 0 || now.Sub(h.since) < holdWait {
		return nil
	}
	return h.release()
}

// release lets everything go, now and from here on.
func (h *early) release() []agent.Entry {
	held := h.held
	h.held, h.over = nil, true
	return held
}
