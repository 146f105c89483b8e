package acp

import (
	"fmt"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	maxOpen = 1024    // requests of the peer that are not answered yet
	maxOwed = 4 << 20 // bytes of answers that are not written yet
	// Beyond either the reader waits.
)

// table guards all that is in flight on a connection. Every change goes through
// update, which checks the invariants after it.
type table struct {
	mu sync.Mutex
	f  flight
}

// flight is what is in flight.
type flight struct {
	calls   map[uint64]*Pending // sent or queued, and not completed
	last    uint64              // the newest id of a call
	queue   []*line             // lines that the writer has not taken, oldest first
	room    chan struct{}       // holds one token for each call and notification from push to settle
	gone    chan struct{}       // closed with noWrite
	freed   chan struct{}       // one slot: the reader, if it waits, may find room
	open    int                 // requests handed over that are not answered yet
	owed    int                 // bytes of answers in queue and with the writer
	closing bool                // Close was called: nothing new is taken
	noWrite error               // why nothing can be written any more
	noRead  error               // why nothing will be read any more
}

// update runs f with the lock held. f must not block.
func (t *table) update(f func(*flight)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f(&t.f)
	if err := t.f.check(); err != nil {
		panic(err) // a bug in this package
	}
}

// check states what is true between any two changes.
func (f *flight) check() error {
	switch {
	case f.noRead != nil && len(f.calls) > 0:
		return fmt.Errorf("acp: %d calls wait on a connection that has ended", len(f.calls))
	case f.noWrite != nil && len(f.queue) > 0:
		return fmt.Errorf("acp: %d lines wait for a writer that has ended", len(f.queue))
	case f.open < 0 || f.open > maxOpen:
		return fmt.Errorf("acp: %d open requests", f.open)
	case f.owed < 0:
		return fmt.Errorf("acp: %d bytes of waiting answers", f.owed)
	}
	return nil
}

// add enters a call and its line. It fails once there is nobody to answer it.
func (f *flight) add(p *Pending, l *line) error {
	if f.noRead != nil {
		return f.noRead
	}
	if err := f.push(l); err != nil {
		return err
	}
	f.calls[p.id] = p
	return nil
}

// push puts a line behind the others. Who pushes a call or a notification has put
// a token into room before.
func (f *flight) push(l *line) error {
	switch {
	case f.noWrite != nil:
		return f.noWrite
	case f.closing:
		return ErrClosed
	}
	f.queue = append(f.queue, l)
	return nil
}

// pull takes a call or notification out of the queue again, false where the
// writer has it.
func (f *flight) pull(l *line) bool {
	for i, q := range f.queue {
		if q == l {
			f.queue = append(f.queue[:i], f.queue[i+1:]...)
			<-f.room
			return true
		}
	}
	return false
}

// complete ends a call with an answer or an error. A call ends once.
func (f *flight) complete(id uint64, raw jsontext.Value, err error) bool {
	p := f.calls[id]
	if p == nil {
		return false
	}
	delete(f.calls, id)
	p.raw, p.err = raw, err
	close(p.done)
	return true
}

// completeAll ends every call with the same error.
func (f *flight) completeAll(err error) {
	for id, p := range f.calls {
		f.complete(id, nil, fmt.Errorf("call %s: %w", p.method, err))
	}
}

// endWriting says that nothing is written any more, and settles every line that
// still waits.
func (f *flight) endWriting(err error) {
	if f.noWrite != nil {
		return
	}
	f.noWrite = err
	close(f.gone)
	for _, l := range f.queue {
		f.settle(l, err)
	}
	f.queue = nil
}

// owe pushes an answer, which never waits: what bounds it is that the reader
// does.
func (f *flight) owe(data []byte) error {
	if err := f.push(&line{role: roleAnswer, data: data}); err != nil {
		return err
	}
	f.owed += len(data)
	return nil
}

// free tells the reader that a request was answered or an answer written.
func (f *flight) free() {
	select {
	case f.freed <- struct{}{}:
	default:
	}
}

// settle ends a line that was written, or with err never will be.
func (f *flight) settle(l *line, err error) {
	switch l.role {
	case roleAnswer:
		f.owed -= len(l.data)
		f.free()
	case roleCall:
		<-f.room
		if err != nil {
			f.complete(l.call.id, nil, fmt.Errorf("call %s: %w", l.call.method, err))
		}
	case roleNotice:
		<-f.room
		l.err = err
		close(l.done)
	}
}
