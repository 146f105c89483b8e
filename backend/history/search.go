package history

import (
	"context"
	"database/sql"
	"strings"
	"unicode"

	"turnwatch/backend/agent"
)

// Bounds of a search, so that no text can make it expensive.
const (
	mostTerms = 16
	mostTerm  = 64 // runes
)

// The marks around a match. An agent that writes them can only mislead about
// what is printed bold; they never leave this room.
const (
	markOpen  = "\x02"
	markClose = "\x03"
)

const selectHit = `SELECT t.id, CASE t.title WHEN '' THEN t.agent_title ELSE t.title END, s.id,
	p.generation, p.id & 4294967295, p.kind, p.at, snippet(parts_fts, -1, '` + markOpen + `', '` + markClose + `', '…', 12)
	FROM parts_fts JOIN parts p ON p.id = parts_fts.rowid
	JOIN sessions s ON s.num = parts_fts.rowid >> 32 JOIN tasks t ON t.id = s.task
	WHERE parts_fts MATCH ? AND t.deleted_at IS NULL
	ORDER BY parts_fts.rowid DESC LIMIT ?`

// Search finds parts by the words in them, those of the newest sessions first;
// the last word may be the beginning of one. Any text is a valid search; one
// without a letter or digit finds nothing. Deleted tasks are left out. n is 1 to
// 200; 0 means 50.
func (s *Store) Search(ctx context.Context, words string, n int) (out []Hit, err error) {
	match := matchQuery(words)
	if match == "" {
		return nil, nil
	}
	err = s.read(ctx, "search history", func(q querier) error {
		out, err = list(ctx, q, selectHit, []any{match, limit(n, 50, 200)}, scanHit)
		return err
	})
	return out, err
}

func scanHit(r *sql.Rows) (h Hit, err error) {
	var seq, generation int64
	var snippet string
	err = r.Scan((*string)(&h.Task), &h.Title, (*string)(&h.Session), &generation, &seq, (*string)(&h.Kind),
		instant{&h.At}, text{&snippet})
	h.Seq, h.Generation, h.Snippet = uint64(seq), agent.Generation(generation), spans(snippet)
	return h, err
}

// matchQuery turns what a person typed into an FTS5 query: every word quoted, so
// that nothing in it is an operator, all of them wanted, and the last one open at
// its end unless a blank follows it. "" where there is nothing to look for.
func matchQuery(typed string) string {
	var terms []string
	for _, word := range strings.Fields(strings.ToValidUTF8(typed, " ")) {
		word = strings.ReplaceAll(word, "\x00", "")
		if runes := []rune(word); len(runes) > mostTerm {
			word = string(runes[:mostTerm])
		}
		if strings.ContainsFunc(word, inWord) && len(terms) < mostTerms {
			terms = append(terms, `"`+strings.ReplaceAll(word, `"`, `""`)+`"`)
		}
	}
	if len(terms) == 0 {
		return ""
	}
	query := strings.Join(terms, " ")
	if last := []rune(typed); !unicode.IsSpace(last[len(last)-1]) {
		query += "*"
	}
	return query
}

// inWord reports whether the tokenizer sees a rune as part of a word. A term
// without one would match nothing at all.
func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// spans cuts a marked snippet into pieces.
func spans(marked string) []Span {
	var out []Span
	add := func(s string, match bool) {
		s = strings.ReplaceAll(strings.ReplaceAll(s, markOpen, ""), markClose, "")
		if s != "" {
			out = append(out, Span{s, match})
		}
	}
	for marked != "" {
		before, rest, found := strings.Cut(marked, markOpen)
		add(before, false)
		if !found {
			break
		}
		match, after, _ := strings.Cut(rest, markClose)
		add(match, true)
		marked = after
	}
	return out
}
