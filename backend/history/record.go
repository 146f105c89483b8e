package history

import (
	"context"
	"errors"
	"fmt"

	"turnwatch/backend/agent"
)

// Record hands entries over to be stored, in the order of the calls. It never
// blocks. done, which may be nil, is called once, from the writer goroutine, and
// must return at once: with nil after the commit, or with an error when the
// batch is not stored and never will be. A must batch is kept and tried again
// about each second until it is stored; the caller bounds how much of that there
// can be. It is refused only when it can never be stored: ErrRefused,
// ErrNotFound, ErrBusy, ErrClosed. Any other batch is refused when it cannot be
// stored now. Either all of a batch is stored or nothing of it. The entries must
// not be changed afterwards.
//
// A session that no program owns becomes this one's by the first entry for it.
// After Close, done is called from a goroutine of its own.
func (s *Store) Record(entries []agent.Entry, must bool, done func(error)) {
	s.put(batch(entries, must, done))
}

func (s *Store) put(i *item) {
	if s.writer != nil && s.writer.inbox.put(i) {
		return
	}
	go i.finish(fmt.Errorf("store facts: %w", ErrClosed))
}

// Flush waits until everything recorded before is stored or refused, and can be
// found by its words.
func (s *Store) Flush(ctx context.Context) error {
	for {
		n := 0
		err := s.act(ctx, "flush history", func(p *pen) (err error) {
			n, err = indexSome(p, indexStep)
			return err
		})
		if err != nil || n < indexStep {
			return err
		}
	}
}

// act runs f in a transaction of its own, after all that was recorded before.
// It is durable when act returns nil. When ctx ends first, f may still run.
func (s *Store) act(ctx context.Context, what string, f func(*pen) error) error {
	if s.writer == nil {
		return fmt.Errorf("%s: %w", what, newError(ErrReadOnly, s.folder.dir, nil))
	}
	answer := make(chan error, 1)
	s.put(&item{
		urgent: true,
		act: func(p *pen) error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return f(p)
		},
		done: func(err error) { answer <- err },
	})
	select {
	case err := <-answer:
		if err != nil {
			return fmt.Errorf("%s: %w", what, s.folder.trouble(err))
		}
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", what, ctx.Err())
	}
}

// Health tells how the writer fares. A reader is always well.
func (s *Store) Health() Health {
	if s.writer == nil {
		return Health{}
	}
	return s.writer.health.get()
}

// Close stores what waits, gives the sessions back and stops the writer. When
// ctx ends first the rest is refused and the error says how much that was. It
// may be called more than once.
func (s *Store) Close(ctx context.Context) error {
	var lost error
	if s.writer != nil {
		lost = s.writer.stop(ctx)
		closePool(s.writer.pen.db)
	}
	err := s.readers.Close()
	if s.owner != nil {
		err = errors.Join(err, s.owner.release())
	}
	if err = errors.Join(lost, err); err != nil {
		return fmt.Errorf("close history: %w", s.folder.trouble(err))
	}
	return nil
}
