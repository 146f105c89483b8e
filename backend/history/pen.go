package history

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
)

// pen is the one connection that writes, with its statements. Only the writer
// goroutine uses it. Its calls take no context: a transaction is short, and one
// that is broken off would only have to be done again.
type pen struct {
	db    *sql.DB
	conn  *sql.Conn
	stmts map[string]*sql.Stmt
}

// begin starts a transaction that may write. Another program that writes is
// waited for, as long as the busy timeout says.
func (p *pen) begin() error {
	if p.conn == nil {
		conn, err := p.db.Conn(context.Background())
		if err != nil {
			return fmt.Errorf("open database: %w", err)
		}
		p.conn, p.stmts = conn, map[string]*sql.Stmt{}
	}
	if _, err := p.exec("BEGIN IMMEDIATE"); err != nil {
		return fmt.Errorf("begin transaction: %w", err)
	}
	return nil
}

func (p *pen) commit() error {
	if _, err := p.exec("COMMIT"); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// rollback drops what was written since begin. Where even that fails the
// connection is given up, which has the same effect.
func (p *pen) rollback() {
	if p.conn == nil {
		return
	}
	if _, err := p.exec("ROLLBACK"); err != nil {
		p.drop()
	}
}

// drop closes the connection; the next begin opens another. An open transaction
// is rolled back by SQLite.
func (p *pen) drop() {
	if p.conn == nil {
		return
	}
	for _, s := range p.stmts {
		s.Close()
	}
	// ErrBadConn makes the pool close the connection instead of keeping it.
	_ = p.conn.Raw(func(any) error { return driver.ErrBadConn })
	p.conn.Close()
	p.conn, p.stmts = nil, nil
}

// exec runs a statement and tells how many rows it changed.
func (p *pen) exec(query string, args ...any) (int64, error) {
	result, err := p.run(query, args)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// insert runs a statement and tells the id of the new row.
func (p *pen) insert(query string, args ...any) (int64, error) {
	result, err := p.run(query, args)
	if err != nil {
		return 0, err
	}
	return result.LastInsertId()
}

func (p *pen) run(query string, args []any) (sql.Result, error) {
	stmt, err := p.prepare(query)
	if err != nil {
		return nil, err
	}
	return stmt.ExecContext(context.Background(), args...)
}

// row reads one row into dest; sql.ErrNoRows where there is none.
func (p *pen) row(query string, args []any, dest ...any) error {
	stmt, err := p.prepare(query)
	if err != nil {
		return err
	}
	return stmt.QueryRowContext(context.Background(), args...).Scan(dest...)
}

// rows calls scan for each row. It reads them all before the next statement may
// run on the connection.
func (p *pen) rows(query string, args []any, scan func(*sql.Rows) error) error {
	stmt, err := p.prepare(query)
	if err != nil {
		return err
	}
	rows, err := stmt.QueryContext(context.Background(), args...)
	if err != nil {
		return err
	}
	return drain(rows, scan)
}

func (p *pen) prepare(query string) (*sql.Stmt, error) {
	if s, ok := p.stmts[query]; ok {
		return s, nil
	}
	s, err := p.conn.PrepareContext(context.Background(), query)
	if err != nil {
		return nil, err
	}
	p.stmts[query] = s
	return s, nil
}

// drain calls scan for each row and closes them.
func drain(rows *sql.Rows, scan func(*sql.Rows) error) error {
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
