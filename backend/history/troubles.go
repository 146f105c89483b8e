package history

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"turnwatch/backend/agent"
)

// Trouble is something that has gone wrong in a session and that neither a later
// good turn nor the user has put away: a failure, or a turn that ended badly
// without one (Failure is then nil).
type Trouble struct {
	ID      int64 // what Dismiss takes
	Turn    agent.Generation
	At      time.Time
	Outcome agent.Outcome // "" where the agent could not be started and no turn was open
	Failure *agent.Failure
	Again   *Again // of a failed turn: what became of sending its prompt again
}

// turnIDs is where the ids of turns begin: they are negative, and hold the
// session's number and the generation.
const turnIDs = 1 << 20

// Troubles reads what stands against a session, newest first: of its last turn
// that was neither cancelled nor empty, and of attempts to start the agent since.
// A turn that is open hides them all.
func (s *Store) Troubles(ctx context.Context, id agent.SessionID) (out []Trouble, err error) {
	err = s.read(ctx, "read troubles", func(q querier) error {
		out = nil
		last, err := judged(ctx, q, id)
		if err != nil || last.Generation > 0 && last.End == nil {
			return err
		}
		failures, err := list(ctx, q, selectFailure+`s.id = ? AND f.dismissed_at IS NULL
			AND (f.generation = ? OR f.generation = 0) ORDER BY f.id DESC LIMIT 20`,
			[]any{string(id), int64(last.Generation)}, scanFailure)
		if err != nil {
			return err
		}
		out = since(last, failures)
		if last.End == nil || last.End.Failure != nil || !badly(last.End.Outcome) {
			return nil
		}
		rest, err := list(ctx, q, `SELECT -(t.session * ? + t.generation) FROM turns t JOIN sessions s ON s.num = t.session
			WHERE s.id = ? AND t.generation = ? AND t.dismissed_at IS NULL`,
			[]any{turnIDs, string(id), int64(last.Generation)}, func(r *sql.Rows) (n int64, err error) {
				err = r.Scan(&n)
				return n, err
			})
		for _, n := range rest {
			out = append(out, Trouble{ID: n, Turn: last.Generation, At: last.End.At, Outcome: last.End.Outcome})
		}
		return err
	})
	return out, err
}

// judged reads the turn in hand, or else the last one that ended well or badly:
// one that the user cancelled, or that ended without output, decides nothing.
func judged(ctx context.Context, q querier, id agent.SessionID) (Turn, error) {
	turns, err := readTurns(ctx, q, `s.id = ? AND (t.outcome IS NULL OR t.outcome NOT IN (?, ?))
		ORDER BY t.generation DESC LIMIT 1`, string(id), string(agent.Cancelled), string(agent.EndedEmpty))
	if err != nil || len(turns) == 0 {
		return Turn{}, err
	}
	return turns[0], nil
}

// since keeps the failure of the last turn, and of attempts to start the agent
// after it the newest.
func since(last Turn, failures []Failure) []Trouble {
	var out []Trouble
	refused := false
	for _, f := range failures {
		v := f.Failure
		t := Trouble{ID: f.ID, Turn: f.Generation, At: f.At, Failure: &v}
		switch {
		case f.Generation == 0:
			if refused || last.End != nil && f.At.Before(last.End.At) {
				continue
			}
			refused = true
		case last.End != nil:
			t.Outcome, t.Again = last.End.Outcome, last.Again
		}
		out = append(out, t)
	}
	return out
}

func badly(o agent.Outcome) bool {
	return o == agent.Failed || o == agent.NeverStarted || o == agent.Interrupted
}

// Dismiss puts a trouble away for good. One that is away already is left so;
// ErrNotFound where there is none of that id.
func (s *Store) Dismiss(ctx context.Context, id int64) error {
	return s.act(ctx, "dismiss trouble", func(p *pen) error {
		now := millis(s.clock.Now())
		query, args := "UPDATE failures SET dismissed_at = coalesce(dismissed_at, ?) WHERE id = ?", []any{now, id}
		if id < 0 {
			query = "UPDATE turns SET dismissed_at = coalesce(dismissed_at, ?) WHERE session = ? AND generation = ?"
			args = []any{now, -id / turnIDs, -id % turnIDs}
		}
		n, err := p.exec(query, args...)
		if err == nil && n == 0 {
			return fmt.Errorf("trouble %d: %w", id, ErrNotFound)
		}
		return err
	})
}

// Failure reads one failure.
func (s *Store) Failure(ctx context.Context, id int64) (out Failure, err error) {
	err = s.read(ctx, "read failure", func(q querier) error {
		out, err = one(ctx, q, fmt.Sprintf("failure %d", id), selectFailure+"f.id = ?", []any{id}, scanFailure)
		return err
	})
	return out, err
}

// SessionOf tells which session a failure, or a turn that ended badly, belongs to.
func (s *Store) SessionOf(ctx context.Context, trouble int64) (id agent.SessionID, err error) {
	query, args := "SELECT s.id FROM failures f JOIN sessions s ON s.num = f.session WHERE f.id = ?", []any{trouble}
	if trouble < 0 {
		query, args = "SELECT id FROM sessions WHERE num = ?", []any{-trouble / turnIDs}
	}
	err = s.read(ctx, "read failure", func(q querier) error {
		id, err = one(ctx, q, fmt.Sprintf("trouble %d", trouble), query, args, func(r *sql.Rows) (id agent.SessionID, err error) {
			err = r.Scan((*string)(&id))
			return id, err
		})
		return err
	})
	return id, err
}
