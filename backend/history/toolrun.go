package history

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"turnwatch/backend/agent"
)

// Bounds of what is kept of tools. An agent may make up names without end.
const (
	mostTools    = 500 // of one agent; those that ran longest ago go first
	longestNamed = 200 // bytes of a name
)

// toolFinished counts a run of a tool.
func (g *group) toolFinished(s *session, e agent.Entry, f agent.ToolFinished) error {
	name, at := toolName(f.Name), millis(e.At)
	n, err := g.pen.exec(`UPDATE tool_runs SET runs = runs + 1, longest_ms = max(longest_ms, ?1), last_at = max(last_at, ?2)
		WHERE agent = (SELECT kind FROM sessions WHERE num = ?3) AND tool = ?4`, f.Quiet.Milliseconds(), at, s.num, name)
	if err != nil || n > 0 {
		return err
	}
	_, err = g.pen.exec(`INSERT INTO tool_runs (agent, tool, runs, longest_ms, last_at)
		SELECT kind, ?, 1, ?, ? FROM sessions WHERE num = ?`, name, f.Quiet.Milliseconds(), at, s.num)
	if err != nil {
		return err
	}
	_, err = g.pen.exec(`DELETE FROM tool_runs WHERE agent = (SELECT kind FROM sessions WHERE num = ?1) AND tool IN
		(SELECT tool FROM tool_runs WHERE agent = (SELECT kind FROM sessions WHERE num = ?1)
			ORDER BY last_at DESC, tool LIMIT -1 OFFSET ?2)`, s.num, mostTools)
	return err
}

// ToolQuiet tells how many runs of a tool of an agent came to their own good end
// and how long one of them was quiet at most before it did: awake time between
// two of its updates. The name is a public one. No runs is no error.
func (s *Store) ToolQuiet(ctx context.Context, kind agent.Kind, tool string) (runs int, longest time.Duration, err error) {
	err = s.read(ctx, "read runs of a tool", func(q querier) error {
		_, err := list(ctx, q, "SELECT runs, longest_ms FROM tool_runs WHERE agent = ? AND tool = ?",
			[]any{string(kind), toolName(tool)}, func(r *sql.Rows) (struct{}, error) {
				var ms int64
				err := r.Scan(&runs, &ms)
				longest = time.Duration(ms) * time.Millisecond
				return struct{}{}, err
			})
		return err
	})
	return runs, longest, err
}

// toolName cuts a name to what is kept of it.
func toolName(s string) string {
	if len(s) > longestNamed {
		s = s[:longestNamed]
	}
	return strings.ToValidUTF8(s, "")
}
