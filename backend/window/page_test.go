package window_test

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/window"
)

// page is the window's page as Go: it applies batches by the rules that every
// page follows, and checks that they can be followed.
type page struct {
	t    testing.TB
	w    *window.Window
	stop func()

	mu      sync.Mutex
	news    chan struct{} // closed and renewed with every change
	n       uint64
	rows    map[string]window.Row
	session *window.Session
	parts   map[uint64]window.Part
	since   uint64 // of the session
	health  *window.Phrase
	stopped bool
	batches int
	gate    chan struct{} // while set, a batch waits to be taken
}

func newPage(t testing.TB, w *window.Window) *page {
	t.Helper()
	p := &page{t: t, w: w, news: make(chan struct{})}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	p.reload()
	go func() {
		defer close(done)
		w.Pump(ctx, p.hear)
	}()
	p.stop = func() {
		cancel()
		p.open()
		<-done
	}
	return p
}

// reload asks for the list anew, as a page that was loaded again.
func (p *page) reload() {
	list, err := p.w.Tasks.List(false)
	require.NoError(p.t, err)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n, p.rows = max(p.n, list.Batch), map[string]window.Row{}
	for _, r := range list.Rows {
		p.rows[r.Task] = r
	}
}

// take shows what Open gave.
func (p *page) take(o window.Opened) {
	o = wire(p.t, o)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.session, p.since, p.parts = &o.Session, o.Batch, map[uint64]window.Part{}
	for _, part := range o.Page.Parts {
		p.parts[part.Seq] = part
	}
}

// wire sends a value through JSON, as the window does.
func wire[T any](t testing.TB, v T) T {
	b, err := json.Marshal(v)
	require.NoError(t, err)
	var out T
	require.NoError(t, json.Unmarshal(b, &out))
	return out
}

// shut makes batches wait, open lets them through.
func (p *page) shut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gate = make(chan struct{})
}

func (p *page) open() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.gate != nil {
		close(p.gate)
		p.gate = nil
	}
}

func (p *page) hear(name string, data any) {
	assert.Equal(p.t, "batch", name)
	b := wire(p.t, data.(window.Batch))
	p.mu.Lock()
	gate := p.gate
	p.mu.Unlock()
	if gate != nil {
		<-gate
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if b.N > p.n {
		assert.Equal(p.t, p.n+1, b.N, "no batch is missing")
		p.n = b.N
	}
	p.batches++
	for _, r := range b.Rows {
		p.rows[r.Task] = r
	}
	for _, id := range b.Gone {
		delete(p.rows, id)
	}
	if b.Stopped != nil {
		p.stopped = *b.Stopped
	}
	if b.Health != nil {
		p.health = b.Health
	}
	p.apply(b)
	close(p.news)
	p.news = make(chan struct{})
}

// apply changes the open session. What is in the page already changes nothing.
func (p *page) apply(b window.Batch) {
	if p.session == nil || b.N <= p.since {
		return
	}
	if b.Session != nil && b.Session.Row.Session == p.session.Row.Session {
		p.session = b.Session
	}
	if b.Of != p.session.Row.Session {
		return
	}
	for _, op := range b.Ops {
		if op.Set != nil {
			p.parts[op.Set.Seq] = *op.Set
			continue
		}
		part, there := p.parts[op.Seq]
		if !assert.True(p.t, there, "text for part %d, which the page does not have", op.Seq) ||
			!assert.LessOrEqual(p.t, op.Offset, len(part.Text), "a gap in part %d", op.Seq) {
			continue
		}
		if op.Offset+len(op.Add) > len(part.Text) {
			part.Text = part.Text[:op.Offset] + op.Add
			p.parts[op.Seq] = part
		}
	}
}

// until waits until the page shows something.
func (p *page) until(f func(*page) (window.Row, bool)) window.Row {
	p.t.Helper()
	for {
		p.mu.Lock()
		row, ok := f(p)
		news := p.news
		p.mu.Unlock()
		if ok {
			return row
		}
		select {
		case <-news:
		case <-p.t.Context().Done():
			p.t.Fatal("the page never showed it")
		}
	}
}

// shown is the transcript as the page has it, in order. How long a tool took is
// left out: the history does not know it.
func (p *page) shown() []window.Part {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := make([]window.Part, 0, len(p.parts))
	for _, part := range p.parts {
		out = append(out, untimed(part))
	}
	slices.SortFunc(out, func(a, b window.Part) int { return int(a.Seq) - int(b.Seq) })
	return out
}

func untimed(p window.Part) window.Part {
	if p.Tool != nil {
		t := *p.Tool
		t.Took = 0
		p.Tool = &t
	}
	return p
}

// stored is the whole transcript as the calls give it, page by page.
func (r *rig) stored(task string) []window.Part {
	r.t.Helper()
	o, err := r.Tasks.Open(task, "")
	require.NoError(r.t, err)
	o = wire(r.t, o)
	parts := o.Page.Parts
	for first := o.Page.First; !first; {
		p, err := r.Tasks.Earlier(o.Session.Row.Session, parts[0].Seq)
		require.NoError(r.t, err)
		p = wire(r.t, p)
		require.NotEmpty(r.t, p.Parts)
		parts, first = append(p.Parts, parts...), p.First
	}
	for i := range parts {
		parts[i] = untimed(parts[i])
	}
	return parts
}
