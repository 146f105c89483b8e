package history

import (
	"sync"
	"time"

	"turnwatch/backend/agent"
)

const (
	groupWait   = 50 * time.Millisecond // a group closes so long after its first batch
	groupWeight = 4 << 20               // or when it holds about so many bytes
	entryWeight = 128                   // what an entry counts beside its text
)

// item is one thing that the writer is asked to do: a batch of entries, or an
// act in a transaction of its own.
type item struct {
	entries []agent.Entry
	must    bool
	act     func(*pen) error
	done    func(error)
	weight  int
	urgent  bool
}

// finish tells whoever asked. It runs in the writer goroutine.
func (i *item) finish(err error) {
	if i.done != nil {
		i.done(err)
	}
}

// inbox is what waits for the writer. Anybody puts, only the writer takes.
// Nothing in it blocks.
type inbox struct {
	clock agent.Clock
	wake  chan struct{} // room for one: there may be something to take

	mu     sync.Mutex
	items  []*item
	weight int
	armed  bool // the clock of this group runs
	due    bool
	closed bool
}

func newInbox(c agent.Clock) *inbox {
	return &inbox{clock: c, wake: make(chan struct{}, 1)}
}

// put adds an item; false when the inbox is closed.
func (b *inbox) put(i *item) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return false
	}
	b.items = append(b.items, i)
	b.weight += i.weight
	switch {
	case i.urgent || b.weight >= groupWeight:
		b.ready()
	case !b.armed && !b.due:
		b.armed = true
		b.clock.AfterFunc(groupWait, b.ring)
	}
	return true
}

// ring ends the wait of a group.
func (b *inbox) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.armed = false
	if len(b.items) > 0 {
		b.ready()
	}
}

// ready is called with the lock held.
func (b *inbox) ready() {
	b.due = true
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// take returns a group that is due, or nothing, and whether more will come.
func (b *inbox) take() (items []*item, closed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.due && !b.closed {
		return nil, false
	}
	n, weight := 0, 0
	for n < len(b.items) && (n == 0 || weight < groupWeight) {
		weight += b.items[n].weight
		n++
	}
	items, b.items = b.items[:n:n], b.items[n:]
	b.weight -= weight
	b.due = false
	if len(b.items) > 0 {
		b.ready()
		return items, false
	}
	b.items = nil
	return items, b.closed
}

func (b *inbox) waiting() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.items)
}

// quiet reports whether there is nothing to take.
func (b *inbox) quiet() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.due && !b.closed
}

func (b *inbox) isClosed() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.closed
}

// close lets nothing more in.
func (b *inbox) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.ready()
}

// batch makes an item of entries: how much it weighs and whether it can wait.
func batch(entries []agent.Entry, must bool, done func(error)) *item {
	i := &item{entries: entries, must: must, done: done, urgent: len(entries) == 0}
	for _, e := range entries {
		i.weight += entryWeight
		switch f := e.Fact.(type) {
		case agent.PartAppended:
			i.weight += len(f.Text)
		case agent.PartSet:
			i.weight += len(f.Part.Text) + len(f.Part.Raw) + len(f.Part.Tool.RawOutput)
		case agent.UsageSet, agent.TitleSet, agent.OptionsSet, agent.CommandsSet, agent.RetryAnnounced, agent.NoticeChanged:
		default:
			i.urgent = true // somebody waits for it
		}
	}
	return i
}
