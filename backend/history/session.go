package history

import (
	"context"
	"fmt"

	"turnwatch/backend/agent"
)

// CreateSession stores a new session of a task and claims it. It is durable when
// the call returns. A zero CreatedAt means now. What waits to be sent again in
// other sessions of the task is not sent any more.
func (s *Store) CreateSession(ctx context.Context, n NewSession) error {
	if n.CreatedAt.IsZero() {
		n.CreatedAt = s.clock.Now()
	}
	return s.act(ctx, "create session", func(p *pen) error {
		if n.ID == "" {
			return fmt.Errorf("%w: a session without an id", ErrRefused)
		}
		var there bool
		err := p.row("SELECT EXISTS (SELECT 1 FROM tasks WHERE id = ?)", []any{string(n.Task)}, &there)
		if err != nil {
			return err
		}
		if !there {
			return fmt.Errorf("task %s: %w", n.Task, ErrNotFound)
		}
		command, err := write(append([]string{}, n.Command...))
		if err != nil {
			return err
		}
		wanted, err := write(n.Options)
		if err != nil {
			return err
		}
		at := millis(n.CreatedAt)
		rows, err := p.exec(`INSERT INTO sessions (id, task, kind, command_json, dir, wanted_json, state, owner,
			created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
			string(n.ID), string(n.Task), string(n.Kind), command, n.Dir, wanted,
			string(agent.SessionWaiting), s.owner.id, at, at)
		if err == nil && rows == 0 {
			return fmt.Errorf("%w: session %s is there already", ErrRefused, n.ID)
		}
		if err != nil {
			return err
		}
		return dropRetries(p, ofTask, agent.DropFresh, at, string(n.Task))
	})
}

// Claim makes this program the owner of a session, before its agent is started.
// A turn that a dead owner left open becomes interrupted first. *BusyError when
// another living program owns it.
func (s *Store) Claim(ctx context.Context, id agent.SessionID) error {
	return s.act(ctx, "claim session", func(p *pen) error {
		_, err := claim(p, s.writer.place, id, s.clock.Now())
		return err
	})
}

// Release gives a session back, so that another program may claim it. The caller
// has stopped its agent and settled its turn. One that is not owned is left as
// it is.
func (s *Store) Release(ctx context.Context, id agent.SessionID) error {
	return s.act(ctx, "release session", func(p *pen) error {
		var num int64
		n, err := p.exec("UPDATE sessions SET updated_at = updated_at WHERE id = ? AND owner = ?", string(id), s.owner.id)
		if err != nil || n == 0 {
			return err
		}
		if err := p.row("SELECT num FROM sessions WHERE id = ?", []any{string(id)}, &num); err != nil {
			return err
		}
		return letGo(p, num)
	})
}

// Restore reads what the machine needs to take a session up again. Claim it
// first, so that what is read stays true.
func (s *Store) Restore(ctx context.Context, id agent.SessionID) (Snapshot, error) {
	var out Snapshot
	err := s.read(ctx, "restore session", func(q querier) (err error) {
		if out.Session, err = readSession(ctx, q, id); err != nil {
			return err
		}
		t, err := readTask(ctx, q, out.Session.Task)
		if err != nil {
			return err
		}
		out.Task = t.State
		if out.Queue, err = readQueue(ctx, q, id); err != nil {
			return err
		}
		open, err := readTurns(ctx, q, "s.id = ? AND t.outcome IS NULL ORDER BY t.generation DESC LIMIT 1", string(id))
		if err != nil {
			return err
		}
		if len(open) > 0 {
			out.Open = &open[0]
		}
		if out.Failed, err = failedTurn(ctx, q, out.Session); err != nil {
			return err
		}
		out.Asks, err = readAsks(ctx, q, "s.id = ? AND a.closed_at IS NULL ORDER BY a.id", string(id))
		return err
	})
	return out, err
}
