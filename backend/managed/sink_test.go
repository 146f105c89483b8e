//go:build unix

package managed_test

import (
	"sync"
	"testing"
	"time"

	"turnwatch/backend/agent"
)

// sink remembers what a connection delivers.
type sink struct {
	agent.Counter
	mu     sync.Mutex
	events []agent.Event
	more   chan struct{} // closed and renewed with every event
}

func newSink() *sink { return &sink{more: make(chan struct{})} }

func (s *sink) Stamp() agent.Stamp { return agent.Stamp{Generation: s.Current(), At: time.Now()} }

func (s *sink) Deliver(ev agent.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, ev)
	close(s.more)
	s.more = make(chan struct{})
}

func (s *sink) Offer(ev agent.Event) bool { s.Deliver(ev); return true }

func (s *sink) all() []agent.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]agent.Event(nil), s.events...)
}

// await returns the first event of its type that holds, and those before it.
func await[E agent.Event](t testing.TB, s *sink, holds func(E) bool) (E, []agent.Event) {
	t.Helper()
	bound := time.After(time.Minute)
	for {
		s.mu.Lock()
		events, more := s.events, s.more
		s.mu.Unlock()
		for i, ev := range events {
			if e, ok := ev.(E); ok && (holds == nil || holds(e)) {
				return e, events[:i]
			}
		}
		select {
		case <-more:
		case <-bound:
			t.Fatalf("no such event; there are %d: %+v", len(events), events)
		}
	}
}

// texts are the texts of the message chunks among events, in order.
func texts(events []agent.Event) []string {
	var out []string
	for _, ev := range events {
		if u, ok := ev.(agent.Updated); ok && u.Update.Kind == agent.MessageChunk {
			out = append(out, u.Update.Block.Text)
		}
	}
	return out
}
