package core

import (
	"strings"
	"sync"

	"turnwatch/backend/agent"
)

// hub hands the facts of the sessions to whoever watches. Publishing never waits
// for a watcher.
type hub struct {
	mu      sync.Mutex
	watches map[*Watch]struct{}
	closed  bool
}

func newHub() *hub { return &hub{watches: map[*Watch]struct{}{}} }

// Watch hears the facts of one session, or of all, from the moment it was made:
// the parts of the transcript at once, decisions when they are on disk. Nothing
// is lost on a slow watcher; what waits for it is merged, so that it holds no
// more than the transcript that it has not read.
type Watch struct {
	hub     *hub
	session agent.SessionID // "" for all
	ready   chan struct{}   // one slot: something waits

	mu      sync.Mutex
	pending []pending
	closed  bool
}

// pending is an entry that waits; text gathers what was appended to one part.
type pending struct {
	entry agent.Entry
	text  *strings.Builder
}

// Watch begins to listen to a session; "" listens to all. Close it.
func (c *Core) Watch(id agent.SessionID) *Watch {
	w := &Watch{hub: c.hub, session: id, ready: make(chan struct{}, 1)}
	c.hub.mu.Lock()
	defer c.hub.mu.Unlock()
	c.hub.watches[w] = struct{}{}
	w.closed = c.hub.closed
	return w
}

// Ready has a value when Take has something to give, or after Close.
func (w *Watch) Ready() <-chan struct{} { return w.ready }

// Take returns what has come since the last call, in order. ok is false when the
// watch is closed and everything was taken.
func (w *Watch) Take() (entries []agent.Entry, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range w.pending {
		if a, is := p.entry.Fact.(agent.PartAppended); is && p.text != nil {
			a.Text = p.text.String()
			p.entry.Fact = a
		}
		entries = append(entries, p.entry)
	}
	w.pending = nil
	return entries, len(entries) > 0 || !w.closed
}

// Close stops listening.
func (w *Watch) Close() {
	w.hub.mu.Lock()
	delete(w.hub.watches, w)
	w.hub.mu.Unlock()
	w.end()
}

func (w *Watch) end() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.ring()
}

func (w *Watch) ring() {
	select {
	case w.ready <- struct{}{}:
	default:
	}
}

func (w *Watch) put(entries []agent.Entry) {
	w.mu.Lock()
	if !w.closed {
		for _, e := range entries {
			if w.session == "" || w.session == e.Session {
				w.add(e)
			}
		}
	}
	some := len(w.pending) > 0
	w.mu.Unlock()
	if some {
		w.ring()
	}
}

// add puts one entry behind the others, or joins it to the one before.
func (w *Watch) add(e agent.Entry) {
	a, grows := e.Fact.(agent.PartAppended)
	if grows && len(w.pending) > 0 {
		last := &w.pending[len(w.pending)-1]
		b, same := last.entry.Fact.(agent.PartAppended)
		if same && b.Seq == a.Seq && last.entry.Session == e.Session {
			if last.text == nil {
				last.text = &strings.Builder{}
				last.text.WriteString(b.Text)
			}
			last.text.WriteString(a.Text)
			return
		}
	}
	w.pending = append(w.pending, pending{entry: e})
}

func (h *hub) publish(entries []agent.Entry) {
	h.mu.Lock()
	list := make([]*Watch, 0, len(h.watches))
	for w := range h.watches {
		list = append(list, w)
	}
	h.mu.Unlock()
	for _, w := range list {
		w.put(entries)
	}
}

func (h *hub) close() {
	h.mu.Lock()
	h.closed = true
	list := h.watches
	h.watches = map[*Watch]struct{}{}
	h.mu.Unlock()
	for w := range list {
		w.end()
	}
}
