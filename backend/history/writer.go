package history

import (
	"errors"
	"log/slog"
	"sync"
	"time"

	"turnwatch/backend/agent"
)

// retryWait is the pause before what could not be stored is tried again.
const retryWait = time.Second

// writer is the goroutine that stores. Everything but inbox and health belongs
// to that goroutine alone.
type writer struct {
	place
	inbox  *inbox
	health *health

	pen    *pen
	known  map[agent.SessionID]known
	kept   []*item // must be stored and could not be yet
	paused bool    // waits for the next try
	behind bool    // there may be parts that are not indexed

	retry  chan struct{} // room for one: try again
	giveUp chan struct{} // closed when Close waits no longer
	give   sync.Once
	ended  chan struct{} // closed when the goroutine has ended
}

// place is where a writer works and on whose behalf.
type place struct {
	folder folder
	owner  string
	clock  agent.Clock
	log    *slog.Logger
}

// known is what the writer remembers of a session that it has written to.
type known struct {
	num  int64
	task string
	last uint64
}

// run stores until the inbox is closed and empty, or until Close gives up. In
// between, when nothing waits, it brings the index of words up to date.
func (w *writer) run() {
	defer close(w.ended)
	for {
		if w.behind && !w.paused && w.inbox.quiet() {
			w.index()
			continue
		}
		select {
		case <-w.inbox.wake:
			if w.paused && !w.inbox.isClosed() {
				continue // what waits is taken along by the next try
			}
		case <-w.retry:
		case <-w.giveUp:
			w.refuseAll()
			return
		}
		items, closed := w.inbox.take()
		if w.paused && len(w.kept)+len(items) == 0 && !closed {
			items = append(items, w.probe())
		}
		w.store(append(w.kept, items...))
		if closed && len(w.kept) == 0 {
			w.leave()
			return
		}
	}
}

// store writes items in order, in as few transactions as it can.
func (w *writer) store(items []*item) {
	w.kept, w.paused, w.behind = nil, false, true
	for len(items) > 0 {
		n := groupLength(items)
		err := w.commit(items[:n])
		for err != nil && n > 1 && unstorable(err) {
			n /= 2 // to find out whose fault it is
			err = w.commit(items[:n])
		}
		switch {
		case err == nil:
			w.well()
			for _, i := range items[:n] {
				i.finish(nil)
			}
		case unstorable(err):
			if items[0].act == nil {
				w.log.Error("history refuses facts", "err", err)
			}
			items[0].finish(err)
		default:
			w.fail(items, err)
			return
		}
		items = items[n:]
	}
}

// probe is a small write that shows whether writing works again.
func (w *writer) probe() *item {
	return &item{act: func(p *pen) error {
		_, err := p.exec("UPDATE owners SET started_at = started_at WHERE id = ?", w.owner)
		return err
	}}
}

// groupLength tells how many items go into one transaction: an act stands alone.
func groupLength(items []*item) int {
	for n, i := range items {
		if i.act != nil {
			return max(n, 1)
		}
	}
	return len(items)
}

// commit writes items in one transaction, all of them or none.
func (w *writer) commit(items []*item) (err error) {
	if err := w.pen.begin(); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			w.pen.rollback()
		}
	}()
	if act := items[0].act; act != nil {
		if err := act(w.pen); err != nil {
			return err
		}
		clear(w.known) // an act may change whose a session is
		return w.pen.commit()
	}
	g := &group{place: w.place, pen: w.pen, known: w.known, now: w.clock.Now()}
	for _, i := range items {
		if err := g.apply(i.entries); err != nil {
			return err
		}
	}
	if err := g.write(); err != nil {
		return err
	}
	if err := w.pen.commit(); err != nil {
		return err
	}
	g.remember()
	return nil
}

// fail keeps what must be stored, refuses the rest and arranges another try.
func (w *writer) fail(items []*item, cause error) {
	w.pen.drop()
	w.paused = true
	var err *Error
	if !errors.As(w.folder.trouble(cause), &err) {
		err = newError(ErrIO, w.folder.dir, cause)
	}
	if errors.Is(err, ErrDamaged) {
		if mark := w.folder.suspectDamage(); mark != nil {
			w.log.Error("history cannot be marked", "err", mark)
		}
	}
	for _, i := range items {
		if i.must {
			w.kept = append(w.kept, i)
		} else {
			i.finish(err)
		}
	}
	w.clock.AfterFunc(retryWait, func() {
		select {
		case w.retry <- struct{}{}:
		default:
		}
	})
	if w.health.fell(err, w.clock.Now(), len(w.kept)+w.inbox.waiting()) {
		w.log.Error("history cannot be written", "err", err)
	}
}

func (w *writer) well() {
	if w.health.rose() {
		w.log.Info("history is written again")
	}
}
