package bridge

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"time"

	"turnwatch/backend/window"
)

// Bridge is one server with its token.
type Bridge struct {
	window *window.Window
	page   fs.FS
	token  string
	listen net.Listener
	bound  map[string]method
	events *events
}

// New listens on a free port of 127.0.0.1. The page is the built frontend, with
// index.html at its root.
func New(w *window.Window, page fs.FS) (*Bridge, error) {
	secret := make([]byte, 24)
	if _, err := rand.Read(secret); err != nil {
		return nil, fmt.Errorf("make token: %w", err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen on loopback: %w", err)
	}
	return &Bridge{
		window: w, page: page, token: hex.EncodeToString(secret), listen: l,
		bound: bind(w.Tasks, w.History, w.Settings), events: newEvents(),
	}, nil
}

// Host is where it listens, as host:port.
func (b *Bridge) Host() string { return b.listen.Addr().String() }

// URL opens the page: it holds the token, which a cookie takes over.
func (b *Bridge) URL() string { return "http://" + b.Host() + "/?token=" + b.token }

// Token is what every request must hold.
func (b *Bridge) Token() string { return b.token }

// Serve answers until ctx ends, and pumps the window's batches to the pages.
func (b *Bridge) Serve(ctx context.Context) error {
	server := &http.Server{Handler: b.handler(), ReadHeaderTimeout: 10 * time.Second}
	pumped := make(chan struct{})
	go func() {
		defer close(pumped)
		b.window.Pump(ctx, b.events.emit)
	}()
	served := make(chan error, 1)
	go func() { served <- server.Serve(b.listen) }()
	var err error
	select {
	case <-ctx.Done():
	case err = <-served:
	}
	b.events.close()
	last, stop := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer stop()
	_ = server.Shutdown(last)
	<-pumped
	if err != nil && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve page: %w", err)
	}
	return nil
}

func (b *Bridge) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /bridge/call", b.call)
	mux.HandleFunc("GET /bridge/events", b.events.serve)
	mux.HandleFunc("GET /bridge.js", b.script)
	mux.HandleFunc("GET /", b.file)
	return window.Guard(b.guard(mux))
}
