package window

import (
	"context"
	"time"
)

// beat is the shortest time between two batches, and slow how often the health
// of the history is looked at when nothing else happens.
const (
	beat = time.Second / 30
	slow = time.Second
)

// Pump emits "batch" events until ctx ends: at most 30 a second, only when
// something has changed, one after the other. While the page has not taken one,
// what comes is merged into the next, so a slow page slows nobody. emit must
// return some day; Pump waits for the one in hand.
func (w *Window) Pump(ctx context.Context, emit func(name string, data any)) {
	if _, err := w.room.wait(ctx); err != nil {
		return
	}
	d := w.room.desk
	pump{
		ready: d.watch.Ready(), kick: d.kick,
		collect: func() { d.collect(ctx) },
		cut:     func() *Batch { return d.cut(ctx) },
		emit:    func(b Batch) { emit("batch", b) },
	}.run(ctx, w.room.ctx.Done())
}

// pump is the loop, apart from where batches come from and go to.
type pump struct {
	ready, kick <-chan struct{}
	collect     func()        // takes what has come, without telling it
	cut         func() *Batch // makes the next batch; nil for none
	emit        func(Batch)   // may take its time
}

func (p pump) run(ctx context.Context, closed <-chan struct{}) {
	out, taken := make(chan Batch), make(chan struct{})
	over := make(chan struct{})
	go func() {
		defer close(over)
		for b := range out {
			p.emit(b)
			taken <- struct{}{}
		}
	}()
	p.loop(ctx, closed, out, taken)
	close(out)
	for {
		select {
		case <-taken:
		case <-over:
			return
		}
	}
}

func (p pump) loop(ctx context.Context, closed <-chan struct{}, out chan<- Batch, taken <-chan struct{}) {
	look := time.NewTicker(slow)
	defer look.Stop()
	next := time.NewTimer(0)
	defer next.Stop()
	busy, due, news := false, false, true
	for {
		select {
		case <-ctx.Done():
			return
		case <-closed:
			return
		case <-p.ready:
			news = true
		case <-p.kick:
			news = true
		case <-look.C:
			news = true
		case <-taken:
			busy = false
		case <-next.C:
			due = true
		}
		switch {
		case !due || !news:
		case busy:
			p.collect()
			due = false
			next.Reset(beat)
		default:
			news = false
			if b := p.cut(); b != nil {
				out <- *b
				busy, due = true, false
				next.Reset(beat)
			}
		}
	}
}
