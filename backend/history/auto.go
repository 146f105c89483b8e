package history

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"turnwatch/backend/agent"
)

// AutoStep is a row of the auto-resume policy's ledger.
type AutoStep struct {
	ID         int64 // counts up over all sessions and runs
	Task       agent.TaskID
	Session    agent.SessionID
	Generation agent.Generation // the turn in hand then, or the last one
	At         time.Time
	agent.AutoStep
}

// autoStepped writes a row of the ledger.
func (g *group) autoStepped(s *session, e agent.Entry, f agent.AutoStep) error {
	var due any
	if !f.Due.IsZero() {
		due = millis(f.Due)
	}
	_, err := g.pen.exec(`INSERT INTO auto_steps (session, generation, at, row_id, of_row, act, kind, reason, result,
		due_at, count, rule, silent_ms, figure, code) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		s.num, int64(e.Generation), millis(e.At), int64(f.Row), int64(f.Of), f.Act, f.Kind, f.Reason, f.Result,
		due, f.Count, f.Rule, f.Silent.Milliseconds(), f.Figure, string(f.Code))
	return err
}

// AutoSteps reads the ledger, newest first: of one session, or of all where id is
// "". Those before the row before, or from the newest on where it is 0. n is 1 to
// 500; 0 means 100.
func (s *Store) AutoSteps(ctx context.Context, id agent.SessionID, before int64, n int) (out []AutoStep, err error) {
	where, args := "?1 = '' OR s.id = ?1", []any{string(id), before, limit(n, 100, 500)}
	err = s.read(ctx, "read ledger", func(q querier) error {
		out, err = list(ctx, q, `SELECT a.id, s.task, s.id, a.generation, a.at, a.row_id, a.of_row, a.act, a.kind, a.reason, a.result,
			a.due_at, a.count, a.rule, a.silent_ms, a.figure, a.code
			FROM auto_steps a JOIN sessions s ON s.num = a.session
			WHERE (`+where+`) AND (?2 = 0 OR a.id < ?2) ORDER BY a.id DESC LIMIT ?3`, args, scanAutoStep)
		return err
	})
	return out, err
}

func scanAutoStep(r *sql.Rows) (a AutoStep, err error) {
	var generation, row, of, silent int64
	err = r.Scan(&a.ID, (*string)(&a.Task), (*string)(&a.Session), &generation, instant{&a.At}, &row, &of, &a.Act, &a.Kind, &a.Reason, &a.Result,
		instant{&a.Due}, &a.Count, &a.Rule, &silent, &a.Figure, (*string)(&a.Code))
	a.Generation, a.Row, a.Of = agent.Generation(generation), uint64(row), uint64(of)
	a.Silent = time.Duration(silent) * time.Millisecond
	return a, err
}

// Auto is what is kept of the auto-resume policy for a session.
type Auto struct {
	Choice string // what the user has chosen for it; "" where the folder's choice holds
	State  string // what the policy must know after a restart, in its own form; "" for nothing
}

// Auto reads what is kept of the auto-resume policy for a session.
func (s *Store) Auto(ctx context.Context, id agent.SessionID) (out Auto, err error) {
	err = s.read(ctx, "read auto-resume", func(q querier) error {
		out, err = one(ctx, q, "session "+string(id), "SELECT auto_choice, auto_json FROM sessions WHERE id = ?",
			[]any{string(id)}, func(r *sql.Rows) (a Auto, err error) {
				err = r.Scan(&a.Choice, &a.State)
				return a, err
			})
		return err
	})
	return out, err
}

// ChooseAuto keeps what the user has chosen for a session.
func (s *Store) ChooseAuto(ctx context.Context, id agent.SessionID, choice string) error {
	return s.changeAuto(ctx, "UPDATE sessions SET auto_choice = ? WHERE id = ?", id, choice)
}

// KeepAuto keeps what the policy must know of a session after a restart.
func (s *Store) KeepAuto(ctx context.Context, id agent.SessionID, state string) error {
	return s.changeAuto(ctx, "UPDATE sessions SET auto_json = ? WHERE id = ?", id, state)
}

func (s *Store) changeAuto(ctx context.Context, query string, id agent.SessionID, v string) error {
	return s.act(ctx, "change auto-resume", func(p *pen) error {
		n, err := p.exec(query, v, string(id))
		if err == nil && n == 0 {
			return fmt.Errorf("session %s: %w", id, ErrNotFound)
		}
		return err
	})
}

// auto marks a turn that the policy has begun; nil for any other.
func auto(kind string, count int) *agent.Auto {
	if kind == "" {
		return nil
	}
	return &agent.Auto{Kind: kind, Count: count}
}
