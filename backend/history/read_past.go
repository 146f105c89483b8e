package history

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"turnwatch/backend/agent"
)

// Past is one turn in a list of all turns.
type Past struct {
	Task    agent.TaskID
	Title   string // the task's, or else the agent's
	Session agent.SessionID
	Kind    agent.Kind
	Turn    agent.Generation
	Prompt  string // its text, cut to 400 characters
	Started time.Time
	Ended   time.Time
	Outcome agent.Outcome // "" while it is open
	Code    agent.Code
}

// PastFilter chooses turns. The zero value means the newest.
type PastFilter struct {
	Before  time.Time // started before; zero for no bound
	Agent   agent.Kind
	Outcome agent.Outcome
	Text    string // in the prompt or a title, or words in the newest 5000 parts that have them
	Limit   int    // 1 to 500; 0 means 100
}

// PastTurns reads turns of all tasks that are not deleted, newest first.
func (s *Store) PastTurns(ctx context.Context, f PastFilter) (out []Past, err error) {
	where, args := f.where()
	args = append(args, limit(f.Limit, 100, 500))
	err = s.read(ctx, "read turns", func(q querier) error {
		out, err = list(ctx, q, `SELECT t.id, CASE t.title WHEN '' THEN t.agent_title ELSE t.title END, s.id, s.kind,
			u.generation, u.started_at, u.ended_at, coalesce(u.outcome, ''), coalesce(f.code, ''),
			coalesce((SELECT substr(p.text, 1, 400) FROM parts p WHERE p.id BETWEEN s.num << 32 AND (s.num << 32) + 4294967295
				AND p.generation = u.generation AND p.kind = 'prompt' LIMIT 1), '')
			FROM turns u JOIN sessions s ON s.num = u.session JOIN tasks t ON t.id = s.task
			LEFT JOIN failures f ON f.id = u.failure
			WHERE `+where+` ORDER BY u.started_at DESC, u.session DESC, u.generation DESC LIMIT ?`, args, scanPast)
		return err
	})
	return out, err
}

// saidInTurn adds the turns in which something was said. A word that is everywhere
// must not make a list of everything.
const saidInTurn = ` OR (u.session, u.generation) IN (SELECT p.id >> 32, p.generation FROM parts_fts
	JOIN parts p ON p.id = parts_fts.rowid WHERE parts_fts MATCH ? ORDER BY parts_fts.rowid DESC LIMIT 5000)`

func (f PastFilter) where() (string, []any) {
	terms, args := []string{"t.deleted_at IS NULL"}, []any{}
	add := func(term string, v ...any) { terms, args = append(terms, term), append(args, v...) }
	if !f.Before.IsZero() {
		add("u.started_at < ?", f.Before.UnixMilli())
	}
	if f.Agent != "" {
		add("s.kind = ?", string(f.Agent))
	}
	if f.Outcome != "" {
		add("u.outcome = ?", string(f.Outcome))
	}
	if words := strings.TrimSpace(f.Text); words != "" {
		like := "%" + likeEscape.Replace(words) + "%"
		term := `t.title LIKE ? ESCAPE '\' OR t.agent_title LIKE ? ESCAPE '\' OR u.prompt_json LIKE ? ESCAPE '\'`
		of := []any{like, like, like}
		if match := matchQuery(words); match != "" {
			term, of = term+saidInTurn, append(of, match)
		}
		add("("+term+")", of...)
	}
	return strings.Join(terms, " AND "), args
}

func scanPast(r *sql.Rows) (p Past, err error) {
	var turn int64
	err = r.Scan((*string)(&p.Task), &p.Title, (*string)(&p.Session), (*string)(&p.Kind), &turn,
		instant{&p.Started}, instant{&p.Ended}, (*string)(&p.Outcome), (*string)(&p.Code), &p.Prompt)
	p.Turn = agent.Generation(turn)
	return p, err
}
