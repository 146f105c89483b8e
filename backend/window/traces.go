package window

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/window/worktree"
)

// beforehand is how long sending a prompt waits for the snapshot of its folder.
const beforehand = 2 * time.Second

// traces remembers how a task's folder was when each turn began and ended.
type traces struct {
	room  *room
	store *worktree.Store

	mu   sync.Mutex
	work map[moment]chan struct{} // closed when the snapshot was tried
}

// moment is the beginning or the end of a turn.
type moment struct {
	session agent.SessionID
	turn    agent.Generation
	what    string
}

// What moments are called. Late begins are those of a turn that was under way
// already: a prompt from the queue.
const (
	begins = "start"
	late   = "late"
	ends   = "end"
)

func (m moment) name() string { return fmt.Sprintf("%s/%d/%s", m.session, m.turn, m.what) }

func newTraces(r *room) *traces {
	return &traces{
		room: r, store: worktree.Open(filepath.Join(r.core.Dir(), "snapshots")),
		work: map[moment]chan struct{}{},
	}
}

// hear takes the facts that begin and end turns. It never waits.
func (t *traces) hear(e agent.Entry) {
	switch f := e.Fact.(type) {
	case agent.TurnStarted:
		t.mu.Lock()
		_, taken := t.work[moment{e.Session, f.Generation, begins}]
		t.mu.Unlock()
		if !taken {
			t.take(moment{e.Session, f.Generation, late}, "")
		}
	case agent.TurnSettled:
		t.take(moment{e.Session, e.Generation, ends}, "")
	}
}

// before takes the snapshot of a turn that is about to be sent, and waits for it
// a little.
func (t *traces) before(ctx context.Context, id agent.SessionID, g agent.Generation, dir string) {
	done := t.take(moment{id, g, begins}, dir)
	timer := time.NewTimer(beforehand)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	case <-ctx.Done():
	}
}

// take tries the snapshot of a moment, once, in the background.
func (t *traces) take(m moment, dir string) <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if done, there := t.work[m]; there {
		return done
	}
	done := make(chan struct{})
	t.work[m] = done
	r := t.room
	began := r.work.Go(func() {
		defer t.over(m, done)
		if dir == "" {
			s, err := r.core.History().Session(r.ctx, m.session)
			if err != nil {
				return
			}
			dir = s.Dir
		}
		_, err := t.store.Take(r.ctx, dir, m.name())
		if err != nil && !errors.Is(err, worktree.ErrNoGit) && r.ctx.Err() == nil {
			r.o.Log.Info("folder could not be looked at", "session", m.session, "turn", m.turn, "err", err)
		}
	})
	if !began {
		close(done)
	}
	return done
}

// over tells that a snapshot was tried. With the end of its turn nobody asks for
// one of it again.
func (t *traces) over(m moment, done chan struct{}) {
	close(done)
	if m.what != ends {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, what := range []string{begins, late, ends} {
		delete(t.work, moment{m.session, m.turn, what})
	}
}

// wait waits for the snapshots of a turn that are under way.
func (t *traces) wait(ctx context.Context, id agent.SessionID, g agent.Generation) {
	for _, what := range []string{begins, late, ends} {
		t.mu.Lock()
		done := t.work[moment{id, g, what}]
		t.mu.Unlock()
		if done == nil {
			continue
		}
		select {
		case <-done:
		case <-ctx.Done():
			return
		}
	}
}

// span is the pair of trees between which a turn lies, and what limits it.
type span struct {
	before, after string
	note          string // key of a limit; "" where there is none
}

// span finds the trees of a turn; one that is still open lies between its
// beginning and now. worktree.ErrNoGit where nothing was kept.
func (t *traces) span(ctx context.Context, id agent.SessionID, g agent.Generation, dir string, open bool) (span, error) {
	t.wait(ctx, id, g)
	var s span
	var err error
	for _, what := range []string{begins, late} {
		s.before, err = t.store.Kept(ctx, dir, moment{id, g, what}.name())
		if err != nil {
			return s, err
		}
		if s.before != "" {
			if what == late {
				s.note = "changes.late"
			}
			break
		}
	}
	if s.before == "" {
		return s, worktree.ErrNoGit
	}
	if !open {
		if s.after, err = t.store.Kept(ctx, dir, moment{id, g, ends}.name()); err != nil || s.after != "" {
			return s, err
		}
		s.note = "changes.until_now"
	}
	now, err := t.store.Take(ctx, dir, "")
	s.after = now.Tree
	if now.Skipped > 0 && s.note == "" {
		s.note = "changes.skipped"
	}
	return s, err
}
