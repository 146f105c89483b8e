package history

import (
	"context"
	"database/sql"
	"time"

	"turnwatch/backend/agent"
)

// Again is what became of the thought to send a failed prompt again by itself. It
// waits while Ended is zero; then At is when it is due. Sent is the turn that came
// of it; where there is none Why says why not.
type Again struct {
	Turn      agent.Generation // that failed
	Try, Most int
	At        time.Time // zero where nothing was planned
	Ended     time.Time
	Why       agent.RetryDrop
	Sent      agent.Generation
}

// Waits reports whether the prompt is still to be sent again.
func (a *Again) Waits() bool { return a != nil && a.Ended.IsZero() }

const selectAgain = `SELECT r.generation, r.try, r.most, r.retry_at, r.ended_at, r.why, coalesce(r.sent_as, 0)
	FROM retries r WHERE `

// readAgain reads the row of one failed turn; nil where there is none.
func readAgain(ctx context.Context, q querier, session int64, turn agent.Generation) (*Again, error) {
	all, err := list(ctx, q, selectAgain+"r.session = ? AND r.generation = ?", []any{session, int64(turn)}, scanAgain)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return &all[0], nil
}

func scanAgain(r *sql.Rows) (a Again, err error) {
	var turn, sent int64
	err = r.Scan(&turn, &a.Try, &a.Most, instant{&a.At}, instant{&a.Ended}, (*string)(&a.Why), &sent)
	a.Turn, a.Sent = agent.Generation(turn), agent.Generation(sent)
	return a, err
}

// Waiting lists the sessions in which a failed prompt waits to be sent again, of
// tasks that are neither archived nor deleted.
func (s *Store) Waiting(ctx context.Context) (out []agent.SessionID, err error) {
	err = s.read(ctx, "read retries", func(q querier) error {
		out, err = list(ctx, q, `SELECT s.id FROM retries r JOIN sessions s ON s.num = r.session JOIN tasks t ON t.id = s.task
			WHERE r.ended_at IS NULL AND r.generation = s.generation AND t.archived_at IS NULL AND t.deleted_at IS NULL
			ORDER BY r.retry_at`, nil, func(r *sql.Rows) (id agent.SessionID, err error) {
			err = r.Scan((*string)(&id))
			return id, err
		})
		return err
	})
	return out, err
}

// failedTurn reads the last turn of a session where its prompt waits to be sent
// again, and nil else.
func failedTurn(ctx context.Context, q querier, s Session) (*Turn, error) {
	turns, err := readTurns(ctx, q, "s.id = ? AND t.generation = ?", string(s.ID), int64(s.Generation))
	if err != nil || len(turns) == 0 || !turns[0].Again.Waits() {
		return nil, err
	}
	return &turns[0], nil
}
