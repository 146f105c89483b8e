package history

import (
	"context"
	"fmt"

	"turnwatch/backend/agent"
)

// CreateTask stores a new task; it is durable when the call returns. An empty
// State means waiting, a zero CreatedAt now. ErrRefused when its id is taken.
func (s *Store) CreateTask(ctx context.Context, t Task) error {
	if t.State == "" {
		t.State = agent.TaskWaiting
	}
	if t.CreatedAt.IsZero() {
		t.CreatedAt = s.clock.Now()
	}
	return s.act(ctx, "create task", func(p *pen) error {
		if t.ID == "" {
			return fmt.Errorf("%w: a task without an id", ErrRefused)
		}
		at := millis(t.CreatedAt)
		n, err := p.exec(`INSERT INTO tasks (id, title, dir, state, created_at, updated_at)
			VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`, string(t.ID), t.Title, t.Dir, string(t.State), at, at)
		if err == nil && n == 0 {
			return fmt.Errorf("%w: task %s is there already", ErrRefused, t.ID)
		}
		return err
	})
}

// RenameTask sets the user's title; "" goes back to the agent's.
func (s *Store) RenameTask(ctx context.Context, id agent.TaskID, title string) error {
	return s.changeTask(ctx, "rename task", id, "UPDATE tasks SET title = ? WHERE id = ?", title, false)
}

// ArchiveTask puts a task away, or brings it back.
func (s *Store) ArchiveTask(ctx context.Context, id agent.TaskID, away bool) error {
	var at any
	if away {
		at = millis(s.clock.Now())
	}
	return s.changeTask(ctx, "archive task", id, "UPDATE tasks SET archived_at = ? WHERE id = ?", at, away)
}

// DeleteTask marks a task as deleted. UndeleteTask takes that back until Prune
// has removed it for good.
func (s *Store) DeleteTask(ctx context.Context, id agent.TaskID) error {
	return s.changeTask(ctx, "delete task", id, "UPDATE tasks SET deleted_at = ? WHERE id = ?", millis(s.clock.Now()), true)
}

// UndeleteTask takes a deletion back.
func (s *Store) UndeleteTask(ctx context.Context, id agent.TaskID) error {
	return s.changeTask(ctx, "undelete task", id, "UPDATE tasks SET deleted_at = ? WHERE id = ?", nil, false)
}

// changeTask sets one field of a task. With a task that is put away goes what waits
// in it to be sent again.
func (s *Store) changeTask(ctx context.Context, what string, id agent.TaskID, query string, v any, away bool) error {
	return s.act(ctx, what, func(p *pen) error {
		n, err := p.exec(query, v, string(id))
		if err == nil && n == 0 {
			return fmt.Errorf("task %s: %w", id, ErrNotFound)
		}
		if err != nil || !away {
			return err
		}
		return dropRetries(p, ofTask, agent.DropAway, millis(s.clock.Now()), string(id))
	})
}
