package pilot

import (
	"context"
	"sync"

	"turnwatch/backend/agent"
)

// memory stores what must survive, beside the wheel, the latest of each session.
type memory struct {
	o     Options
	mu    sync.Mutex
	due   map[agent.SessionID]string
	wake  chan struct{}
	over  chan struct{}
	ended chan struct{}
}

func newMemory(o Options) *memory {
	m := &memory{o: o, due: map[agent.SessionID]string{}, wake: make(chan struct{}, 1), over: make(chan struct{}), ended: make(chan struct{})}
	go m.run()
	return m
}

func (m *memory) put(id agent.SessionID, state string) {
	m.mu.Lock()
	m.due[id] = state
	m.mu.Unlock()
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

func (m *memory) run() {
	defer close(m.ended)
	for {
		select {
		case <-m.wake:
			m.store(context.Background())
		case <-m.over:
			ctx, stop := context.WithTimeout(context.Background(), settled)
			defer stop()
			m.store(ctx)
			return
		}
	}
}

func (m *memory) store(ctx context.Context) {
	m.mu.Lock()
	due := m.due
	m.due = map[agent.SessionID]string{}
	m.mu.Unlock()
	for id, state := range due {
		if err := m.o.Keep(ctx, id, state); err != nil {
			m.o.Log.Warn("what auto-resume must keep is not stored", "session", id, "err", err)
		}
	}
}

// close stores what is left.
func (m *memory) close() {
	close(m.over)
	<-m.ended
}
