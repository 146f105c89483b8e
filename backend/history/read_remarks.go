package history

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"turnwatch/backend/agent"
)

// Asks reads the requests of a session, oldest first.
func (s *Store) Asks(ctx context.Context, id agent.SessionID) (out []Ask, err error) {
	err = s.read(ctx, "read requests", func(q querier) error {
		out, err = readAsks(ctx, q, "s.id = ? ORDER BY a.id", string(id))
		return err
	})
	return out, err
}

func readAsks(ctx context.Context, q querier, where string, args ...any) ([]Ask, error) {
	const query = `SELECT s.id, a.generation, a.ask, a.opened_at, a.closed_at, a.option, a.decided_by, a.ask_json
		FROM asks a JOIN sessions s ON s.num = a.session WHERE `
	return list(ctx, q, query+where, args, func(r *sql.Rows) (a Ask, err error) {
		var generation int64
		var id, form string
		var d agent.Decision
		err = r.Scan((*string)(&a.Session), &generation, &id, instant{&a.OpenedAt}, instant{&a.ClosedAt},
			text{&d.Option}, text{(*string)(&d.By)}, &form)
		if err != nil {
			return a, err
		}
		a.Generation = agent.Generation(generation)
		if !a.ClosedAt.IsZero() {
			a.Decision = &d
		}
		a.Ask, err = askIn(id, form)
		return a, err
	})
}

// Notices reads the notices of a session, oldest first.
func (s *Store) Notices(ctx context.Context, id agent.SessionID) (out []Notice, err error) {
	const query = `SELECT s.id, n.generation, n.at, n.kind, n.args_json
		FROM notices n JOIN sessions s ON s.num = n.session WHERE s.id = ? ORDER BY n.id`
	err = s.read(ctx, "read notices", func(q querier) error {
		out, err = list(ctx, q, query, []any{string(id)}, func(r *sql.Rows) (n Notice, err error) {
			var generation int64
			var args string
			err = r.Scan((*string)(&n.Session), &generation, instant{&n.At}, &n.Notice.Kind, &args)
			if err != nil {
				return n, err
			}
			n.Generation = agent.Generation(generation)
			return n, read(args, &n.Notice.Args, "notice")
		})
		return err
	})
	return out, err
}

const selectFailure = `SELECT f.id, s.id, f.generation, f.at, f.failure_kind, f.code, f.rule_id, f.source,
	f.error_output, f.hint, f.args_json, f.provider_name, f.model_id, f.occurred_at, f.reset_at, f.remediation_url,
	f.confidence, f.retry_after_ms
	FROM failures f JOIN sessions s ON s.num = f.session WHERE `

// Failures reads the failures of a session, oldest first.
func (s *Store) Failures(ctx context.Context, id agent.SessionID) (out []Failure, err error) {
	err = s.read(ctx, "read failures", func(q querier) error {
		out, err = list(ctx, q, selectFailure+"s.id = ? ORDER BY f.id", []any{string(id)}, scanFailure)
		return err
	})
	return out, err
}

func scanFailure(r *sql.Rows) (f Failure, err error) {
	var generation, wait int64
	var args, reset string
	v := &f.Failure
	err = r.Scan(&f.ID, (*string)(&f.Session), &generation, instant{&f.At}, &f.Kind, (*string)(&v.Code), &v.Rule,
		&v.Source, &v.Message, &v.Hint, &args, &v.Provider, &v.Model, instant{&v.OccurredAt}, text{&reset}, &v.Link,
		&v.Confidence, &wait)
	if err != nil {
		return f, err
	}
	f.Generation, v.RetryAfter = agent.Generation(generation), time.Duration(wait)*time.Millisecond
	if reset != "" {
		at, err := time.Parse(time.RFC3339, reset)
		if err != nil {
			return f, fmt.Errorf("read reset time: %w", &Error{Kind: ErrDamaged, Hint: HintDamaged, Err: err})
		}
		v.ResetAt = at.UTC()
	}
	return f, read(args, &v.Args, name("failure", uint64(f.ID)))
}
