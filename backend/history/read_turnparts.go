package history

import (
	"context"

	"turnwatch/backend/agent"
)

// TurnParts reads the parts of one turn, in order; at most n, 1 to 5,000, 0
// means 2,000. ErrNotFound where there is no such turn.
func (s *Store) TurnParts(ctx context.Context, id agent.SessionID, g agent.Generation, n int) (out []agent.Part, err error) {
	err = s.read(ctx, "read transcript", func(q querier) error {
		turns, err := list(ctx, q, selectTurn+"s.id = ? AND t.generation = ?", []any{string(id), int64(g)}, scanTurn)
		if err == nil && len(turns) == 0 {
			err = ErrNotFound
		}
		if err != nil {
			return err
		}
		num := turns[0].session
		out, err = list(ctx, q, selectPart+"WHERE p.id BETWEEN ? AND ? AND p.generation = ? ORDER BY p.id LIMIT ?",
			[]any{low(num), high(num), int64(g), limit(n, 2000, 5000)}, scanPart)
		return err
	})
	return out, err
}

// Prompts reads the texts that the user has asked in a session, newest first,
// each once; at most n, 1 to 500, 0 means 100.
func (s *Store) Prompts(ctx context.Context, id agent.SessionID, n int) (out []string, err error) {
	err = s.read(ctx, "read prompts", func(q querier) error {
		turns, err := readTurns(ctx, q, "s.id = ? ORDER BY t.generation DESC LIMIT ?", string(id), limit(n, 100, 500))
		seen := map[string]bool{}
		for _, t := range turns {
			for _, b := range t.Prompt.Blocks {
				if b.Kind == agent.BlockText && b.Text != "" {
					if !seen[b.Text] {
						out = append(out, b.Text)
					}
					seen[b.Text] = true
					break
				}
			}
		}
		return err
	})
	return out, err
}
