package history

import (
	"context"
	"database/sql"

	"turnwatch/backend/agent"
)

const selectPart = `SELECT p.id & 4294967295, p.generation, p.kind, p.key, p.at, p.late, p.marked, p.body_json, p.raw,
	CASE WHEN p.state NOT IN (0, 2) THEN p.text ELSE p.text || coalesce(
		(SELECT group_concat(t.text, '' ORDER BY t.n) FROM tails t WHERE t.part = p.id), '') END
	FROM parts p `

// Parts reads a page of a transcript. Text that still streams is there as far as
// it is stored.
func (s *Store) Parts(ctx context.Context, query PartQuery) (out []agent.Part, err error) {
	err = s.read(ctx, "read transcript", func(q querier) error {
		num, err := one(ctx, q, "session "+string(query.Session), "SELECT num FROM sessions WHERE id = ?",
			[]any{string(query.Session)}, func(r *sql.Rows) (n int64, err error) {
				err = r.Scan(&n)
				return n, err
			})
		if err != nil {
			return err
		}
		from, to, order := low(num), high(num), "ASC"
		if query.Backwards {
			order = "DESC"
			if query.From > 0 {
				to = partID(num, min(query.From, maxSeq))
			}
		} else {
			from = partID(num, min(query.From, maxSeq))
		}
		out, err = list(ctx, q, selectPart+"WHERE p.id BETWEEN ? AND ? ORDER BY p.id "+order+" LIMIT ?",
			[]any{from, to, limit(query.Limit, 200, 1000)}, scanPart)
		return err
	})
	return out, err
}

func scanPart(r *sql.Rows) (p agent.Part, err error) {
	var seq, generation int64
	var body string
	err = r.Scan(&seq, &generation, (*string)(&p.Kind), &p.Key, instant{&p.At}, &p.Late, &p.Marked,
		text{&body}, &p.Raw, &p.Text)
	if err != nil {
		return p, err
	}
	p.Seq, p.Generation = uint64(seq), agent.Generation(generation)
	return p, bodyIn(body, &p)
}
