package history

import (
	"context"
	"database/sql"
	"strings"

	"turnwatch/backend/agent"
)

const selectTask = `SELECT t.id, t.title, t.agent_title, t.dir, t.state,
	coalesce((SELECT s.kind FROM sessions s WHERE s.task = t.id ORDER BY s.num DESC LIMIT 1), ''),
	t.created_at, t.updated_at, t.archived_at, t.deleted_at FROM tasks t `

// Tasks reads a page of tasks, the latest change first. The place to go on from
// is the UpdatedAt and ID of the last one. A task that changes meanwhile moves to
// the front and may be seen again.
func (s *Store) Tasks(ctx context.Context, f TaskFilter) (out []Task, err error) {
	err = s.read(ctx, "read tasks", func(q querier) error {
		where, args := f.where()
		args = append(args, limit(f.Limit, 50, 500))
		out, err = list(ctx, q, selectTask+where+" ORDER BY t.updated_at DESC, t.id DESC LIMIT ?", args, scanTask)
		return err
	})
	return out, err
}

// where writes the filter as SQL. The first terms choose the partial index.
func (f TaskFilter) where() (string, []any) {
	var args []any
	terms := []string{"t.archived_at IS NULL AND t.deleted_at IS NULL"}
	switch {
	case f.Deleted:
		terms[0] = "t.deleted_at IS NOT NULL"
	case f.Archived:
		terms[0] = "t.archived_at IS NOT NULL AND t.deleted_at IS NULL"
	}
	if !f.Before.UpdatedAt.IsZero() {
		terms = append(terms, "(t.updated_at, t.id) < (?, ?)")
		args = append(args, f.Before.UpdatedAt.UnixMilli(), string(f.Before.ID))
	}
	if len(f.States) > 0 {
		terms = append(terms, "t.state IN (?"+strings.Repeat(", ?", len(f.States)-1)+")")
		for _, s := range f.States {
			args = append(args, string(s))
		}
	}
	if f.Agent != "" {
		terms = append(terms, "EXISTS (SELECT 1 FROM sessions s WHERE s.task = t.id AND s.kind = ?)")
		args = append(args, string(f.Agent))
	}
	if words := strings.TrimSpace(f.Text); words != "" {
		like := "%" + likeEscape.Replace(words) + "%"
		term := `t.title LIKE ? ESCAPE '\' OR t.agent_title LIKE ? ESCAPE '\' OR t.dir LIKE ? ESCAPE '\'`
		args = append(args, like, like, like)
		if match := matchQuery(f.Text); match != "" {
			term += ` OR t.id IN (SELECT s.task FROM sessions s WHERE s.num IN
				(SELECT rowid >> 32 FROM parts_fts WHERE parts_fts MATCH ?))`
			args = append(args, match)
		}
		terms = append(terms, "("+term+")")
	}
	return "WHERE " + strings.Join(terms, " AND "), args
}

var likeEscape = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`, "\x00", "")

// Task reads one task, archived or deleted ones too.
func (s *Store) Task(ctx context.Context, id agent.TaskID) (out Task, err error) {
	err = s.read(ctx, "read task", func(q querier) error {
		out, err = readTask(ctx, q, id)
		return err
	})
	return out, err
}

func readTask(ctx context.Context, q querier, id agent.TaskID) (Task, error) {
	return one(ctx, q, "task "+string(id), selectTask+"WHERE t.id = ?", []any{string(id)}, scanTask)
}

func scanTask(r *sql.Rows) (t Task, err error) {
	err = r.Scan((*string)(&t.ID), &t.Title, &t.AgentTitle, &t.Dir, (*string)(&t.State), (*string)(&t.Kind),
		instant{&t.CreatedAt}, instant{&t.UpdatedAt}, instant{&t.ArchivedAt}, instant{&t.DeletedAt})
	return t, err
}
