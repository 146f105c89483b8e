package history

import (
	"context"
	"database/sql"
	"time"

	"turnwatch/backend/agent"
)

// Glance is a task with what a list shows beside it: its newest session and that
// session's last turn. Session is "" where there is none.
type Glance struct {
	Task
	Session agent.SessionID
	Held    bool
	Queued  int
	First   string // the first prompt of the session, its text blocks only, cut to 400 bytes
	Turn    agent.Generation
	Started time.Time // of the last turn
	Outcome agent.Outcome
	Code    agent.Code // of its failure
	ResetAt time.Time
	Again   *Again // where its prompt waits to be sent again
}

const selectGlance = `SELECT t.id, t.title, t.agent_title, t.dir, t.state, t.created_at, t.updated_at,
	t.archived_at, t.deleted_at, coalesce(s.kind, ''), coalesce(s.id, ''), coalesce(s.held, 0),
	(SELECT count(*) FROM prompts p WHERE p.session = s.num),
	coalesce((SELECT substr(f.text, 1, 400) FROM parts f WHERE f.id BETWEEN s.num << 32 AND (s.num << 32) + 4294967295
		AND f.kind = 'prompt' ORDER BY f.id LIMIT 1), ''),
	coalesce(u.generation, 0), u.started_at, coalesce(u.outcome, ''), coalesce(f.code, ''), coalesce(f.reset_at, ''),
	coalesce(r.try, 0), coalesce(r.most, 0), r.retry_at
	FROM tasks t
	LEFT JOIN sessions s ON s.num = (SELECT max(n.num) FROM sessions n WHERE n.task = t.id)
	LEFT JOIN turns u ON u.session = s.num AND u.generation = s.generation
	LEFT JOIN failures f ON f.id = u.failure
	LEFT JOIN retries r ON r.session = u.session AND r.generation = u.generation AND r.ended_at IS NULL `

// mostGlances bounds a list.
const mostGlances = 5000

// Glances reads the tasks of a list, the latest change first: those that are
// neither archived nor deleted, or the archived ones. At most 5,000.
func (s *Store) Glances(ctx context.Context, archived bool) (out []Glance, err error) {
	where := "WHERE t.archived_at IS NULL AND t.deleted_at IS NULL"
	if archived {
		where = "WHERE t.archived_at IS NOT NULL AND t.deleted_at IS NULL"
	}
	err = s.read(ctx, "read tasks", func(q querier) error {
		out, err = list(ctx, q, selectGlance+where+" ORDER BY t.updated_at DESC, t.id DESC LIMIT ?",
			[]any{mostGlances}, scanGlance)
		return err
	})
	return out, err
}

// Glance reads one task in the same way, archived and deleted ones too.
func (s *Store) Glance(ctx context.Context, id agent.TaskID) (out Glance, err error) {
	err = s.read(ctx, "read task", func(q querier) error {
		out, err = one(ctx, q, "task "+string(id), selectGlance+"WHERE t.id = ?", []any{string(id)}, scanGlance)
		return err
	})
	return out, err
}

func scanGlance(r *sql.Rows) (g Glance, err error) {
	var turn int64
	var reset string
	var again Again
	err = r.Scan((*string)(&g.ID), &g.Title, &g.AgentTitle, &g.Dir, (*string)(&g.State),
		instant{&g.CreatedAt}, instant{&g.UpdatedAt}, instant{&g.ArchivedAt}, instant{&g.DeletedAt},
		(*string)(&g.Kind), (*string)(&g.Session), &g.Held, &g.Queued, &g.First,
		&turn, instant{&g.Started}, (*string)(&g.Outcome), (*string)(&g.Code), &reset,
		&again.Try, &again.Most, instant{&again.At})
	if err != nil {
		return g, err
	}
	g.Turn = agent.Generation(turn)
	if again.Try > 0 {
		again.Turn = g.Turn
		g.Again = &again
	}
	if at, err := time.Parse(time.RFC3339, reset); err == nil {
		g.ResetAt = at.UTC()
	}
	return g, nil
}
