package supervise

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
)

// Bounds of what is done at the edge.
const (
	openBound   = 90 * time.Second // the connector has shorter ones of its own
	writeBound  = 10 * time.Second // a line to a peer that may have stopped reading
	choiceBound = 15 * time.Second // an answer to a choice
	closeBound  = 30 * time.Second // the whole stop order
)

// hands carry out what the owner wants of the agent: one goroutine, in order.
// A peer that stops reading makes the hands wait, never the owner.
type hands struct {
	s     *Session
	mu    sync.Mutex
	todo  []agent.Message
	conn  agent.Conn
	sink  *sink
	n     int    // of the present sink
	abort func() // ends an Open under way
	end   bool
	wake  chan struct{}
	idle  chan struct{} // closed when the goroutine has gone
	side  sync.WaitGroup
}

func newHands(s *Session) *hands {
	h := &hands{s: s, abort: func() {}, wake: make(chan struct{}, 1), idle: make(chan struct{})}
	go h.run()
	return h
}

// do queues a message. It never blocks.
func (h *hands) do(m agent.Message) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch m.(type) {
	case agent.Open:
		h.n++ // from here on the earlier process has no say
	case agent.Shut:
		h.todo = slices.DeleteFunc(h.todo, func(m agent.Message) bool { _, open := m.(agent.Open); return open })
		h.abort()
	}
	h.todo = append(h.todo, m)
	h.ring()
}

// current is the number of the connection that has a say.
func (h *hands) current() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.n
}

// finish ends the goroutine when all that was asked is done, and waits for it.
func (h *hands) finish() {
	h.mu.Lock()
	h.end = true
	h.ring()
	h.mu.Unlock()
	<-h.idle
	h.side.Wait()
}

func (h *hands) ring() {
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

func (h *hands) run() {
	defer close(h.idle)
	for {
		h.mu.Lock()
		if len(h.todo) == 0 {
			end := h.end
			h.mu.Unlock()
			if end {
				h.shut()
				return
			}
			<-h.wake
			continue
		}
		m, n := h.todo[0], h.n
		h.todo = h.todo[1:]
		h.mu.Unlock()
		h.carry(m, n)
	}
}

// carry does one thing. Failures come back as events of the connection.
func (h *hands) carry(m agent.Message, n int) {
	switch m := m.(type) {
	case agent.Open:
		h.shut()
		h.open(m, n)
	case agent.Shut:
		h.shut()
	case agent.Choose:
		h.choose(m)
	default:
		h.write(m)
	}
}

func (h *hands) open(m agent.Open, n int) {
	k := &sink{s: h.s, conn: n, gone: make(chan struct{})}
	ctx, stop := context.WithTimeout(context.Background(), openBound)
	defer stop()
	h.mu.Lock()
	h.abort = stop
	h.mu.Unlock()
	conn, err := h.s.o.Connector.Open(ctx, agent.OpenRequest{
		Session: h.s.o.Session, Dir: h.s.o.Dir, Resume: m.Resume, Options: h.s.o.Wanted,
	}, k)
	if err != nil {
		close(k.gone)
		h.s.box.post(letter{event: agent.OpenFailed{Failure: failureOf(err, "open")}, conn: n})
		return
	}
	h.conn, h.sink = conn, k
	h.s.box.post(letter{event: agent.Opened{Info: conn.Info()}, conn: n})
}

// write sends what must not overtake each other: prompts, cancels, decisions.
func (h *hands) write(m agent.Message) {
	if h.conn == nil {
		return
	}
	ctx, stop := context.WithTimeout(context.Background(), writeBound)
	defer stop()
	var err error
	switch m := m.(type) {
	case agent.Dispatch:
		if err = h.conn.Prompt(ctx, m.Generation, m.Prompt); err != nil {
			f := failureOf(err, "acp_error")
			h.s.box.post(letter{event: agent.Answered{Generation: m.Generation, Failure: &f}, conn: h.sink.conn})
		}
	case agent.Cancel:
		if err = h.conn.Cancel(ctx); errors.Is(err, agent.ErrCancelRefused) {
			h.s.box.post(letter{event: agent.CancelRefused{Generation: m.Generation}, conn: h.sink.conn})
		}
	case agent.Decided:
		err = h.conn.Decide(ctx, m.Ask, m.Decision)
	}
	if err != nil {
		h.s.o.Log.Info("agent did not take a message", "session", h.s.o.Session, "err", err)
	}
}

// choose waits for an answer of the agent, so it runs beside the rest.
func (h *hands) choose(m agent.Choose) {
	conn, k := h.conn, h.sink
	if conn == nil {
		return
	}
	h.side.Go(func() {
		ctx, stop := context.WithTimeout(context.Background(), choiceBound)
		defer stop()
		options, err := conn.Choose(ctx, m.ID, m.Value)
		if err != nil {
			h.s.o.Log.Info("agent did not take an option", "session", h.s.o.Session, "option", m.ID, "err", err)
			return
		}
		k.Deliver(agent.Updated{Stamp: k.Stamp(), Update: agent.Update{Kind: agent.OptionsChanged, Options: options}})
	})
}

// shut stops the process in hand, if there is one, and waits until nothing of it
// is left or the bound is over.
func (h *hands) shut() {
	if h.conn == nil {
		return
	}
	close(h.sink.gone)
	ctx, stop := context.WithTimeout(context.Background(), closeBound)
	defer stop()
	if err := h.conn.Close(ctx); err != nil {
		h.s.o.Log.Warn("agent did not stop", "session", h.s.o.Session, "err", err)
	}
	h.conn, h.sink = nil, nil
}

// failureOf makes a failure of any error of a connection.
func failureOf(err error, source string) agent.Failure {
	var f *agent.Failure
	if errors.As(err, &f) {
		return *f
	}
	return agent.Failure{Code: failure.AgentTransportLost, Rule: "transport.lost", Source: source, Confidence: string(failure.High)}
}
