package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// pruneStep is how many parts are dropped in one transaction, so that what
// arrives meanwhile is not kept waiting.
const pruneStep = 2000

// Prune drops what is beyond the limits: first it purges deleted tasks, then old
// transcripts, the oldest first, until the database is small enough. Sessions that
// a program holds or that run are never touched. The rest of a session, its turns
// and outcomes, stays. Call it now and then, never from two goroutines at once.
func (s *Store) Prune(ctx context.Context, l Limits) (Pruned, error) {
	var out Pruned
	err := s.purge(ctx, l, &out)
	if err == nil {
		err = s.pruneTranscripts(ctx, l, &out)
	}
	return out, err
}

// idle is true of sessions that nobody holds.
const idle = "s.owner IS NULL AND s.state NOT IN ('running', 'opening')"

// purge removes deleted tasks for good.
func (s *Store) purge(ctx context.Context, l Limits, out *Pruned) error {
	if l.Undo <= 0 {
		return nil
	}
	old := s.clock.Now().Add(-l.Undo).UnixMilli()
	for {
		var task string
		err := s.act(ctx, "purge deleted task", func(p *pen) error {
			task = ""
			err := p.row(`SELECT t.id FROM tasks t WHERE t.deleted_at IS NOT NULL AND t.deleted_at <= ?
				AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.task = t.id AND NOT (`+idle+`)) LIMIT 1`,
				[]any{old}, &task)
			if errors.Is(err, sql.ErrNoRows) {
				return nil
			}
			if err == nil {
				_, err = p.exec("DELETE FROM tasks WHERE id = ?", task)
			}
			return err
		})
		if err != nil || task == "" {
			return err
		}
		out.Tasks++
	}
}

// pruneTranscripts drops transcripts by age and then by size.
func (s *Store) pruneTranscripts(ctx context.Context, l Limits, out *Pruned) error {
	for {
		size, err := s.used(ctx)
		if err != nil {
			return err
		}
		out.Bytes = size
		old := int64(-1)
		if l.Age > 0 {
			old = s.clock.Now().Add(-l.Age).UnixMilli()
		}
		found, err := s.dropOldest(ctx, old, l.Bytes > 0 && size > l.Bytes)
		if err != nil || !found {
			return err
		}
		out.Transcripts++
	}
}

// dropOldest drops the transcript of the session that is longest without change,
// if that was before old or any age will do.
func (s *Store) dropOldest(ctx context.Context, old int64, young bool) (found bool, err error) {
	args := []any{old, young}
	for more := true; more; {
		err := s.act(ctx, "drop transcript", func(p *pen) error {
			var num int64
			more, found = false, false
			err := p.row(`SELECT s.num FROM sessions s WHERE s.pruned_at IS NULL AND `+idle+`
				AND (s.updated_at <= ? OR ?) ORDER BY s.updated_at, s.num LIMIT 1`, args, &num)
			if errors.Is(err, sql.ErrNoRows) {
				return nil
			}
			if err != nil {
				return err
			}
			found = true
			more, err = dropParts(p, num, s.clock.Now())
			return err
		})
		if err != nil {
			return false, err
		}
	}
	return found, nil
}

// dropParts drops some parts of a session, and, with the last of them, marks the
// session and gives the room back to the disk.
func dropParts(p *pen, num int64, now time.Time) (more bool, err error) {
	_, err = p.exec(`DELETE FROM tails WHERE part IN
		(SELECT id FROM parts WHERE state IN (0, 2) AND id BETWEEN ? AND ?)`, low(num), high(num))
	if err != nil {
		return false, err
	}
	n, err := p.exec(`DELETE FROM parts WHERE id IN
		(SELECT id FROM parts WHERE id BETWEEN ? AND ? LIMIT ?)`, low(num), high(num), pruneStep)
	if err != nil {
		return false, fmt.Errorf("drop parts: %w", err)
	}
	if n == pruneStep {
		return true, nil
	}
	if _, err = p.exec("UPDATE sessions SET pruned_at = ? WHERE num = ?", millis(now), num); err != nil {
		return false, err
	}
	return false, p.rows("PRAGMA incremental_vacuum", nil, func(*sql.Rows) error { return nil })
}

// used is how many bytes of the database are in use.
func (s *Store) used(ctx context.Context) (bytes int64, err error) {
	err = s.read(ctx, "measure history", func(q querier) error {
		bytes, err = one(ctx, q, "size", `SELECT (page_count - freelist_count) * page_size
			FROM pragma_page_count, pragma_freelist_count, pragma_page_size`, nil,
			func(r *sql.Rows) (n int64, err error) {
				err = r.Scan(&n)
				return n, err
			})
		return err
	})
	return bytes, err
}
