package bridge

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
)

// events hands what the window emits to every page that listens. A page that is
// not there misses them, as in the real window.
type events struct {
	mu     sync.Mutex
	pages  map[*page]struct{}
	closed bool
}

// page is one listener.
type page struct {
	in   chan []byte
	gone chan struct{}
}

func newEvents() *events { return &events{pages: map[*page]struct{}{}} }

// emit waits until every page has taken the event or is gone.
func (e *events) emit(name string, data any) {
	line, err := json.Marshal(struct {
		Name string `json:"name"`
		Data []any  `json:"data"`
	}{name, []any{data}})
	if err != nil {
		return
	}
	e.mu.Lock()
	pages := make([]*page, 0, len(e.pages))
	for p := range e.pages {
		pages = append(pages, p)
	}
	e.mu.Unlock()
	for _, p := range pages {
		select {
		case p.in <- line:
		case <-p.gone:
		}
	}
}

func (e *events) serve(w http.ResponseWriter, r *http.Request) {
	p := &page{in: make(chan []byte), gone: make(chan struct{})}
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		http.Error(w, "closing", http.StatusServiceUnavailable)
		return
	}
	e.pages[p] = struct{}{}
	e.mu.Unlock()
	defer e.leave(p)
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	_, _ = fmt.Fprint(w, ": here\n\n")
	if out.Flush() != nil {
		return
	}
	for {
		select {
		case line := <-p.in:
			if _, err := fmt.Fprintf(w, "data: %s\n\n", line); err != nil || out.Flush() != nil {
				return
			}
		case <-r.Context().Done():
			return
		case <-p.gone:
			return
		}
	}
}

func (e *events) leave(p *page) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, there := e.pages[p]; there {
		delete(e.pages, p)
		close(p.gone)
	}
}

// close sends every page away.
func (e *events) close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	for p := range e.pages {
		delete(e.pages, p)
		close(p.gone)
	}
}
