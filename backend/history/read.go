package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// querier is a read transaction: all that is read in it belongs together.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// read runs f in a read transaction on a connection of its own. It may wait for
// one to be free.
func (s *Store) read(ctx context.Context, what string, f func(querier) error) error {
	tx, err := s.readers.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err == nil {
		defer func() { _ = tx.Rollback() }()
		err = f(tx)
	}
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", what, ctx.Err())
	case errors.Is(err, sql.ErrConnDone), errors.Is(err, sql.ErrTxDone):
		return fmt.Errorf("%s: %w", what, ErrClosed)
	}
	return fmt.Errorf("%s: %w", what, s.folder.trouble(err))
}

// list reads all rows of a query.
func list[T any](ctx context.Context, q querier, query string, args []any, scan func(*sql.Rows) (T, error)) ([]T, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	var out []T
	err = drain(rows, func(r *sql.Rows) error {
		v, err := scan(r)
		out = append(out, v)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// one reads the only row of a query.
func one[T any](ctx context.Context, q querier, what, query string, args []any, scan func(*sql.Rows) (T, error)) (T, error) {
	all, err := list(ctx, q, query, args, scan)
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("%s: %w", what, ErrNotFound)
	}
	if err != nil {
		var zero T
		return zero, err
	}
	return all[0], nil
}

// limit keeps the size of a page within reason.
func limit(n, usual, most int) int {
	if n <= 0 {
		return usual
	}
	return min(n, most)
}

// instant reads a stored time into t; NULL is the zero time.
type instant struct{ t *time.Time }

// Scan implements sql.Scanner.
func (i instant) Scan(v any) error {
	switch v := v.(type) {
	case nil:
		*i.t = time.Time{}
	case int64:
		*i.t = time.UnixMilli(v).UTC()
	default:
		return fmt.Errorf("read time: %T", v)
	}
	return nil
}

// text reads a text that may be NULL.
type text struct{ s *string }

// Scan implements sql.Scanner.
func (t text) Scan(v any) error {
	switch v := v.(type) {
	case nil:
		*t.s = ""
	case string:
		*t.s = v
	case []byte:
		*t.s = string(v)
	default:
		return fmt.Errorf("read text: %T", v)
	}
	return nil
}
