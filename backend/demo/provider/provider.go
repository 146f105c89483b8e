package provider

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"sync"

	"turnwatch/backend/agent"
)

// Options of a provider. The zero value is ready to use.
type Options struct {
	Clock agent.Clock  // nil: the system's clock
	Log   *slog.Logger // nil: nothing is logged
}

// Provider answers as a model provider does. It is safe for use by any number of
// clients at once.
type Provider struct {
	ctx   context.Context
	clock agent.Clock
	log   *slog.Logger

	mu       sync.Mutex
	requests []Request
	failed   map[string]int // how often a fail=N has failed, by its id
	news     chan struct{}
}

// New makes a provider whose every wait ends with ctx.
func New(ctx context.Context, o Options) *Provider {
	if o.Clock == nil {
		o.Clock = agent.SystemClock{}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Provider{
		ctx: ctx, clock: o.Clock, log: o.Log,
		failed: map[string]int{}, news: make(chan struct{}),
	}
}

// bodyLimit bounds what is read of a request: real agents send a few megabytes.
const bodyLimit = 64 << 20

// ServeHTTP answers one request. It may block for as long as the behaviour says,
// and never longer than the client and the provider's context live.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyLimit))
	if err != nil {
		writeJSON(w, http.StatusRequestEntityTooLarge, openAIError("read request: "+err.Error(), "invalid_request_error", nil))
		return
	}
	a := read(r, body)
	if a.dialect == None {
		n := p.note(a.record(p.clock.Now(), ""))
		defer p.ended(n, Answered)
		p.serveList(w, r, a)
		return
	}
	d := p.choose(a)
	n := p.note(a.record(p.clock.Now(), d.name))
	p.log.Info("fake provider asked", "n", n, "dialect", a.dialect, "scenario", d.name, "step", a.step, "side", a.side)
	pl := &player{ask: a, n: n, w: w, http: r, provider: p}
	p.ended(n, pl.play(behave(a, d, p.clock.Now())))
}

// choose says which directive is in force for a request.
func (p *Provider) choose(a ask) directive {
	d := a.directive
	if d.name == "" {
		return a.fallback()
	}
	if a.side {
		return d.forSide()
	}
	if at := d.num("at", 0); at > a.step {
		return d.as("bash").with("steps", at)
	}
	if n := d.num("fail", 0); n > 0 && !p.fails(d, n) {
		return d.as("ok")
	}
	return d
}

// fails counts one use of a directive that fails n times.
func (p *Provider) fails(d directive, n int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	id := d.str("id", d.raw)
	p.failed[id]++
	return p.failed[id] <= n
}
