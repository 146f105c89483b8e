package supervise

import (
	"sync"

	"turnwatch/backend/agent"
)

// Bounds of the mailbox.
const (
	roomForUpdates = 1024 // events of the connection that may wait for the owner
	roomForOffers  = 64   // pieces of evidence read from a pipe that must be drained
	batchSize      = 256  // events that the owner takes at once
)

// letter is an event on its way to the owner, or the history's answer to a batch.
// reply, where set, is told once what became of it; it has room for one answer.
type letter struct {
	event agent.Event
	saved *saved
	conn  int // the connection that it came from; 0 for everything else
	reply chan error
}

// mailbox is the owner's inbox. Urgent letters (the user, timers, our own side)
// are taken before the ordered ones of the connection, so a cancel outranks
// everything that arrived with it.
type mailbox struct {
	mu      sync.Mutex
	urgent  []letter
	offers  int // urgent letters that were offered and not taken yet
	ordered []letter
	closed  bool
	wake    chan struct{} // one slot: something came
	room    chan struct{} // closed and renewed when ordered letters were taken
}

func newMailbox() *mailbox {
	return &mailbox{wake: make(chan struct{}, 1), room: make(chan struct{})}
}

// post puts an urgent letter; false when the session is gone. It never blocks.
func (m *mailbox) post(l letter) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return false
	}
	m.urgent = append(m.urgent, l)
	m.ring()
	return true
}

// offer puts an urgent letter unless too many offered ones wait already.
func (m *mailbox) offer(l letter) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed || m.offers >= roomForOffers {
		return false
	}
	m.offers++
	m.urgent = append(m.urgent, l)
	m.ring()
	return true
}

// deliver puts an ordered letter and blocks while there is no room. It returns
// at once when the session is gone or stop is closed.
func (m *mailbox) deliver(l letter, stop <-chan struct{}) {
	for {
		m.mu.Lock()
		if m.closed {
			m.mu.Unlock()
			return
		}
		if len(m.ordered) < roomForUpdates {
			m.ordered = append(m.ordered, l)
			m.ring()
			m.mu.Unlock()
			return
		}
		room := m.room
		m.mu.Unlock()
		select {
		case <-room:
		case <-stop:
			return
		}
	}
}

// take returns what waits: every urgent letter, and ordered ones only if wanted
// and nothing is urgent.
func (m *mailbox) take(ordered bool) []letter {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.urgent) > 0 {
		batch := m.urgent
		m.urgent, m.offers = nil, 0
		return batch
	}
	if !ordered || len(m.ordered) == 0 {
		return nil
	}
	n := min(batchSize, len(m.ordered))
	batch := m.ordered[:n:n]
	m.ordered = m.ordered[n:]
	if len(m.ordered) == 0 {
		m.ordered = nil
	}
	close(m.room)
	m.room = make(chan struct{})
	return batch
}

// shut refuses everything from here on and returns what nobody will take.
func (m *mailbox) shut() []letter {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	rest := append(m.urgent, m.ordered...)
	m.urgent, m.ordered = nil, nil
	close(m.room)
	m.room = make(chan struct{})
	return rest
}

func (m *mailbox) ring() {
	select {
	case m.wake <- struct{}{}:
	default:
	}
}
