package history

import (
	"context"
	"database/sql"

	"turnwatch/backend/agent"
)

const selectTurn = `SELECT t.session, s.id, t.generation, t.started_at, t.ended_at, coalesce(t.outcome, ''), t.stop,
	t.by_agent, t.usage_json, t.retry_at, coalesce(t.retry_attempt, 0), t.retry_next,
	t.prompt_id, t.prompt_at, t.prompt_json, coalesce(t.failure, 0), t.again_of, t.try,
	t.auto_kind, t.auto_count
	FROM turns t JOIN sessions s ON s.num = t.session WHERE `

// Turns reads turns of a session, newest first: those before the generation
// before, or from the newest on where it is 0. limit is 1 to 500; 0 means 50.
func (s *Store) Turns(ctx context.Context, id agent.SessionID, before agent.Generation, n int) (out []Turn, err error) {
	where, args := "s.id = ?", []any{string(id)}
	if before > 0 {
		where, args = where+" AND t.generation < ?", append(args, int64(before))
	}
	args = append(args, limit(n, 50, 500))
	err = s.read(ctx, "read turns", func(q querier) error {
		out, err = readTurns(ctx, q, where+" ORDER BY t.generation DESC LIMIT ?", args...)
		return err
	})
	return out, err
}

// Turn reads one turn.
func (s *Store) Turn(ctx context.Context, id agent.SessionID, g agent.Generation) (out Turn, err error) {
	err = s.read(ctx, "read turn", func(q querier) error {
		all, err := readTurns(ctx, q, "s.id = ? AND t.generation = ?", string(id), int64(g))
		if err == nil && len(all) == 0 {
			err = ErrNotFound
		}
		if err == nil {
			out = all[0]
		}
		return err
	})
	return out, err
}

// turnRow is a turn with what is read from other tables.
type turnRow struct {
	Turn
	session int64
	failure int64
}

func readTurns(ctx context.Context, q querier, where string, args ...any) ([]Turn, error) {
	rows, err := list(ctx, q, selectTurn+where, args, scanTurn)
	if err != nil {
		return nil, err
	}
	out := make([]Turn, len(rows))
	for i, row := range rows {
		row.Cancel, err = list(ctx, q, "SELECT at, step FROM cancel_steps WHERE session = ? AND generation = ? ORDER BY id",
			[]any{row.session, int64(row.Generation)}, func(r *sql.Rows) (c CancelStage, err error) {
				err = r.Scan(instant{&c.At}, (*string)(&c.Step))
				return c, err
			})
		if err != nil {
			return nil, err
		}
		if row.failure != 0 && row.End != nil {
			f, err := one(ctx, q, "failure", selectFailure+"f.id = ?", []any{row.failure}, scanFailure)
			if err != nil {
				return nil, err
			}
			row.End.Failure = &f.Failure
		}
		if row.End != nil && row.End.Outcome == agent.Failed {
			if row.Again, err = readAgain(ctx, q, row.session, row.Generation); err != nil {
				return nil, err
			}
		}
		out[i] = row.Turn
	}
	return out, nil
}

func scanTurn(r *sql.Rows) (turnRow, error) {
	var t turnRow
	var end TurnEnd
	var retry Retry
	var generation, of int64
	var usage, prompt string
	var mark agent.Auto
	err := r.Scan(&t.session, (*string)(&t.Session), &generation, instant{&t.StartedAt}, instant{&end.At},
		(*string)(&end.Outcome), (*string)(&end.Stop), &end.ByAgent, &usage,
		instant{&retry.At}, &retry.Attempt, instant{&retry.Next},
		(*string)(&t.Prompt.ID), instant{&t.Prompt.At}, &prompt, &t.failure, &of, &t.Try, &mark.Kind, &mark.Count)
	if err != nil {
		return t, err
	}
	t.Auto = auto(mark.Kind, mark.Count)
	t.Generation, t.Of = agent.Generation(generation), agent.Generation(of)
	if !retry.At.IsZero() {
		t.Retry = &retry
	}
	what := name("turn", uint64(generation))
	if end.Outcome != "" {
		var u storedUsage
		if err := read(usage, &u, what); err != nil {
			return t, err
		}
		end.Usage = agent.Usage(u)
		t.End = &end
	}
	t.Prompt.Blocks, err = readBlocks(prompt, what)
	return t, err
}
