package demo

import (
	"context"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"turnwatch/backend/agent"
)

// heartbeat is how often a stream says that it is alive.
const heartbeat = 10 * time.Second

// events is the small part of OpenCode's HTTP server that says what its sessions
// are doing. Without a port it only remembers. Whoever publishes never waits: a
// listener that does not keep up is let go.
type events struct {
	clock    agent.Clock
	password string
	server   *http.Server
	over     chan struct{} // closed when the server has ended

	mu        sync.Mutex
	statuses  map[string]any // of sessions that are busy or wait for a retry
	listeners map[chan string]bool
}

// serveEvents opens the server on a loopback port, 0 for none. A port that is taken
// is no reason not to work: then nobody hears.
func serveEvents(o Options) *events {
	e := &events{
		clock: o.Clock, password: o.Password, over: make(chan struct{}),
		statuses: map[string]any{}, listeners: map[chan string]bool{},
	}
	var l net.Listener
	if o.Port > 0 {
		l, _ = net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(o.Port)))
	}
	if l == nil {
		close(e.over)
		return e
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /global/event", e.stream)
	mux.HandleFunc("GET /session/status", e.list)
	e.server = &http.Server{Handler: e.guarded(mux), ReadHeaderTimeout: 5 * time.Second}
	go func() {
		defer close(e.over)
		_ = e.server.Serve(l) // ends by close
	}()
	return e
}

// close ends every stream and the server.
func (e *events) close() {
	e.mu.Lock()
	for c := range e.listeners {
		close(c)
	}
	e.listeners = nil
	e.mu.Unlock()
	if e.server == nil {
		return
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Second)
	defer stop()
	if e.server.Shutdown(ctx) != nil {
		_ = e.server.Close()
	}
	<-e.over
}

// guarded lets in who knows the password.
func (e *events) guarded(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, password, _ := r.BasicAuth()
		if e.password != "" && subtle.ConstantTimeCompare([]byte(password), []byte(e.password)) != 1 {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		h.ServeHTTP(w, r)
	})
}

func (e *events) list(w http.ResponseWriter, _ *http.Request) {
	e.mu.Lock()
	b, _ := json.Marshal(e.statuses) // of what is built here, which encodes
	e.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(b)
}

func (e *events) stream(w http.ResponseWriter, r *http.Request) {
	flusher, ok := w.(http.Flusher)
	c := e.join()
	if !ok || c == nil {
		return
	}
	defer e.leave(c)
	w.Header().Set("Content-Type", "text/event-stream")
	next := frame("server.connected", map[string]any{})
	for {
		beat := make(chan struct{})
		if _, err := fmt.Fprintf(w, "data: %s\n\n", next); err != nil {
			return
		}
		flusher.Flush()
		stop := e.clock.AfterFunc(heartbeat, func() { close(beat) })
		select {
		case next, ok = <-c:
			if !ok {
				stop()
				return
			}
		case <-beat:
			next = frame("server.heartbeat", map[string]any{})
		case <-r.Context().Done():
			stop()
			return
		}
		stop()
	}
}

// join adds a listener; nil once the server is closed.
func (e *events) join() chan string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.listeners == nil {
		return nil
	}
	c := make(chan string, 256)
	e.listeners[c] = true
	return c
}

func (e *events) leave(c chan string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.listeners, c)
}

// status says what a session is doing; nil is nothing.
func (e *events) status(session string, status map[string]any) {
	e.mu.Lock()
	if status == nil {
		delete(e.statuses, session)
		status = map[string]any{"type": "idle"}
	} else {
		e.statuses[session] = status
	}
	e.mu.Unlock()
	e.publish("session.status", map[string]any{"sessionID": session, "status": status})
}

func (e *events) publish(kind string, properties map[string]any) {
	f := frame(kind, properties)
	e.mu.Lock()
	defer e.mu.Unlock()
	for c := range e.listeners {
		select {
		case c <- f:
		default:
			delete(e.listeners, c)
			close(c)
		}
	}
}

// frame is an event as OpenCode sends it.
func frame(kind string, properties map[string]any) string {
	b, _ := json.Marshal(map[string]any{"directory": "/demo", "payload": map[string]any{
		"id": newID("evt"), "type": kind, "properties": properties,
	}}) // of what is built here, which encodes
	return string(b)
}
