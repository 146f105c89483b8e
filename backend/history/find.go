package history

import (
	"context"
	"database/sql"
	"strings"
	"unicode/utf8"

	"turnwatch/backend/agent"
)

// around is how much of a text is shown on each side of a match, in bytes.
const around = 60

// Find looks for a text in one transcript, as it stands, upper and lower case
// of ASCII letters alike, in what was asked, said, thought and in the titles of
// tools. Hits are in the order of the transcript. n is 1 to 500; 0 means 200.
func (s *Store) Find(ctx context.Context, id agent.SessionID, wanted string, n int) (out []Hit, err error) {
	if wanted == "" {
		return nil, nil
	}
	like := "%" + likeEscape.Replace(wanted) + "%"
	err = s.read(ctx, "search transcript", func(q querier) error {
		out, err = list(ctx, q, `SELECT task, title, session, generation, seq, kind, at, name, text FROM (
			SELECT t.id AS task, CASE t.title WHEN '' THEN t.agent_title ELSE t.title END AS title, s.id AS session,
				p.generation AS generation, p.id & 4294967295 AS seq, p.kind AS kind, p.at AS at, p.title AS name,
				CASE WHEN p.state NOT IN (0, 2) THEN p.text ELSE p.text || coalesce(
					(SELECT group_concat(x.text, '' ORDER BY x.n) FROM tails x WHERE x.part = p.id), '') END AS text
			FROM sessions s JOIN tasks t ON t.id = s.task
			JOIN parts p ON p.id BETWEEN s.num << 32 AND (s.num << 32) + 4294967295
			WHERE s.id = ? ORDER BY p.id)
			WHERE text LIKE ? ESCAPE '\' OR name LIKE ? ESCAPE '\' LIMIT ?`,
			[]any{string(id), like, like, limit(n, 200, 500)}, func(r *sql.Rows) (h Hit, err error) {
				var seq, generation int64
				var name, body string
				err = r.Scan((*string)(&h.Task), &h.Title, (*string)(&h.Session), &generation, &seq, (*string)(&h.Kind),
					instant{&h.At}, &name, &body)
				h.Seq, h.Generation = uint64(seq), agent.Generation(generation)
				if h.Snippet = clip(body, wanted); h.Snippet == nil {
					h.Snippet = clip(name, wanted)
				}
				return h, err
			})
		return err
	})
	return out, err
}

// clip cuts a text to what is around its first match; nil where there is none.
func clip(body, wanted string) []Span {
	at := strings.Index(lower(body), lower(wanted))
	if at < 0 {
		return nil
	}
	from, to, end := max(0, at-around), at+len(wanted), min(len(body), at+len(wanted)+around)
	for from > 0 && !utf8.RuneStart(body[from]) {
		from--
	}
	for end < len(body) && !utf8.RuneStart(body[end]) {
		end++
	}
	var out []Span
	add := func(s string, match bool) {
		if s != "" {
			out = append(out, Span{Text: s, Match: match})
		}
	}
	before, after := body[from:at], body[to:end]
	if from > 0 {
		before = "…" + before
	}
	if end < len(body) {
		after += "…"
	}
	add(before, false)
	add(body[at:to], true)
	add(after, false)
	return out
}

// lower folds ASCII letters only, so that no byte moves.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
