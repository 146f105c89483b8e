package pilot

import (
	"sync"

	"turnwatch/backend/agent"
	"turnwatch/backend/policy/autoresume"
)

// letter is one thing for the wheel: entries, a setting, or an event.
type letter struct {
	entries []agent.Entry
	id      agent.SessionID
	set     *Setting
	ev      autoresume.Event
	reply   chan Answer
}

// inbox never makes a sender wait. What stands in it is bounded by what the owners
// may have under way.
type inbox struct {
	mu   sync.Mutex
	list []letter
	wake chan struct{}
}

func (b *inbox) put(l letter) {
	b.mu.Lock()
	b.list = append(b.list, l)
	b.mu.Unlock()
	b.ring()
}

func (b *inbox) ring() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

func (b *inbox) take() []letter {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := b.list
	b.list = nil
	return out
}
