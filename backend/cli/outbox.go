package cli

import "sync"

// outbox hands drawing to a goroutine of its own, in order, so that a terminal or
// a pipe that does not take anything never holds up who conducts the turn. What
// waits in it is bounded by what the turn says.
type outbox struct {
	ready chan struct{} // one slot
	over  chan struct{} // closed when everything was drawn, or the drawer failed

	mu     sync.Mutex
	jobs   []func()
	closed bool
}

// newOutbox starts the goroutine. After each round of jobs it asks failed whether
// there is any use in going on; the first error stops it.
func newOutbox(failed func() error) *outbox {
	o := &outbox{ready: make(chan struct{}, 1), over: make(chan struct{})}
	go o.run(failed)
	return o
}

func (o *outbox) run(failed func() error) {
	defer close(o.over)
	for range o.ready {
		o.mu.Lock()
		jobs, closed := o.jobs, o.closed
		o.jobs = nil
		o.mu.Unlock()
		for _, job := range jobs {
			job()
		}
		if closed || failed() != nil {
			return
		}
	}
}

// put adds a job. It never blocks.
func (o *outbox) put(job func()) {
	o.mu.Lock()
	if !o.closed {
		o.jobs = append(o.jobs, job)
	}
	o.mu.Unlock()
	o.ring()
}

// close lets the goroutine go once everything was drawn; over says when.
func (o *outbox) close() {
	o.mu.Lock()
	o.closed = true
	o.mu.Unlock()
	o.ring()
}

func (o *outbox) ring() {
	select {
	case o.ready <- struct{}{}:
	default:
	}
}
