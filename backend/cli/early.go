package cli

import "turnwatch/backend/agent"

// early holds back what an agent says before the record of its being there has
// come: parts come at once, that record only when it is on disk. It holds until
// then, or until it is told to let go.
type early struct {
	held []agent.Entry
	over bool
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
				h.held = append(h.held, e)
				continue
			}
		case agent.PartAppended:
			h.held = append(h.held, e)
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

// release lets everything go, now and from here on.
func (h *early) release() []agent.Entry {
	held := h.held
	h.held, h.over = nil, true
	return held
}
