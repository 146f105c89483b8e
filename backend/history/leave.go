package history

import (
	"context"
	"fmt"
)

// stop ends the writer goroutine and waits for it.
func (w *writer) stop(ctx context.Context) error {
	w.inbox.close()
	select {
	case <-w.ended:
	case <-ctx.Done():
		w.give.Do(func() { close(w.giveUp) })
		<-w.ended
	}
	n := len(w.kept)
	if n == 0 {
		return nil
	}
	cause := w.health.get().Err
	if cause == nil { // nobody tried to write them: the time was up before
		cause = context.Cause(ctx)
	}
	return fmt.Errorf("%d batches are not stored: %w", n, cause)
}

func (w *writer) gaveUp() bool {
	select {
	case <-w.giveUp:
		return true
	default:
		return false
	}
}

// refuseAll answers what can't be waited for any longer.
func (w *writer) refuseAll() {
	for closed := false; !closed; {
		var more []*item
		more, closed = w.inbox.take()
		w.kept = append(w.kept, more...)
	}
	for _, i := range w.kept {
		i.finish(fmt.Errorf("store facts: %w", ErrClosed))
	}
	w.pen.drop()
}

// leave gives the sessions back and brings the index up to date. What fails here
// is put right by the next start.
func (w *writer) leave() {
	err := w.pen.begin()
	if err == nil {
		if err = giveBack(w.pen, w.owner); err == nil {
			err = w.pen.commit()
		}
		if err != nil {
			w.pen.rollback()
		}
	}
	if err != nil {
		w.log.Warn("history cannot give sessions back", "err", err)
	}
	for w.behind = err == nil; w.behind && !w.gaveUp(); {
		w.index()
	}
	w.pen.drop()
}
