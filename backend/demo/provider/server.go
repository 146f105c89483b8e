package provider

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// Server is a provider that listens on a random port of the loopback interface.
type Server struct {
	*Provider
	addr   string
	http   *http.Server
	cancel context.CancelFunc
	conns  sync.WaitGroup
	done   chan struct{}
}

// Start listens and serves until ctx ends or Close is called.
func Start(ctx context.Context) (*Server, error) {
	return StartWith(ctx, Options{})
}

// StartWith is Start with options.
func StartWith(ctx context.Context, o Options) (*Server, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("start fake provider: %w", err)
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen on loopback: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	s := &Server{
		Provider: New(ctx, o),
		addr:     "http://" + l.Addr().String(),
		cancel:   cancel,
		done:     make(chan struct{}),
	}
	s.http = &http.Server{Handler: s.Provider, ReadHeaderTimeout: time.Minute, ConnState: s.count}
	go s.serve(ctx, l)
	return s, nil
}

// serve owns the listener. It is over when every connection is.
func (s *Server) serve(ctx context.Context, l net.Listener) {
	defer close(s.done)
	stop := context.AfterFunc(ctx, func() { _ = s.http.Close() })
	defer stop()
	if err := s.http.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		s.log.Error("fake provider stopped", "err", err)
	}
	s.cancel()
	s.conns.Wait()
}

// count keeps the number of connections. A new one is counted in the goroutine
// that accepts, so none can come once Serve has returned.
func (s *Server) count(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.conns.Add(1)
	case http.StateClosed, http.StateHijacked:
		s.conns.Done()
	}
}

// URL is the base address, without a slash at its end: http://127.0.0.1:PORT.
// Agents that add a version of their own take it as it is, others with "/v1".
func (s *Server) URL() string { return s.addr }

// Scenario is a base address under which every request without a directive is
// answered by the behaviour of that name.
func (s *Server) Scenario(name string) string { return s.addr + "/s/" + name }

// Close ends every request, closes the port and returns when all is gone. It may
// be called more than once.
func (s *Server) Close() {
	s.cancel()
	_ = s.http.Close()
	<-s.done
}
