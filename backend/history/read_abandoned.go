package history

import (
	"context"
	"database/sql"

	"turnwatch/backend/agent"
)

// Abandoned lists the turns that stand open in the record though the program that
// ran them is gone: what the next one to open the history will make interrupted.
// It only looks, also in a reader; nothing is recovered.
func (s *Store) Abandoned(ctx context.Context) ([]Recovered, error) {
	open, err := s.openTurns(ctx)
	if err != nil || len(open) == 0 {
		return nil, err
	}
	dead := map[string]bool{}
	for _, t := range open {
		if _, asked := dead[t.owner]; !asked {
			dead[t.owner] = !s.folder.alive(t.owner)
		}
	}
	// An owner that has settled its turn and left meanwhile abandoned nothing.
	if open, err = s.openTurns(ctx); err != nil {
		return nil, err
	}
	var out []Recovered
	for _, t := range open {
		if dead[t.owner] {
			out = append(out, t.Recovered)
		}
	}
	return out, nil
}

// openTurn is a turn without an outcome, and the program that it belongs to.
type openTurn struct {
	Recovered
	owner string
}

func (s *Store) openTurns(ctx context.Context) (out []openTurn, err error) {
	err = s.read(ctx, "read open turns", func(q querier) error {
		out, err = list(ctx, q, `SELECT s.task, s.id, t.generation, coalesce(s.owner, t.owner, '')
			FROM turns t JOIN sessions s ON s.num = t.session
			WHERE t.outcome IS NULL ORDER BY t.session, t.generation`, nil, func(r *sql.Rows) (t openTurn, err error) {
			var g int64
			err = r.Scan((*string)(&t.Task), (*string)(&t.Session), &g, &t.owner)
			t.Generation = agent.Generation(g)
			return t, err
		})
		return err
	})
	return out, err
}
