package history

import (
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
)

// Modes of a connection.
const (
	modeWrite     = "write"     // the writer: creates the file
	modeRead      = "read"      // a reader beside a writer
	modeLook      = "look"      // tw history: the file is opened read-only
	modeImmutable = "immutable" // the same on media where not even a lock can be taken
)

// dsn holds the pragmas, so that every pooled connection has them.
func dsn(file, mode string) string {
	q := url.Values{}
	q.Set("_busy_timeout", "5000")
	q.Set("_foreign_keys", "on")
	switch mode {
	case modeWrite:
		q.Set("mode", "rwc")
		q.Set("_txlock", "immediate")
		q.Set("_journal_mode", "WAL")
		q.Set("_synchronous", "FULL")
		q.Set("_auto_vacuum", "incremental")
		q.Set("_cache_size", "-16384")
	case modeRead:
		q.Set("mode", "rw")
		q.Set("_query_only", "on")
	case modeLook:
		q.Set("mode", "ro")
		q.Set("_query_only", "on")
	case modeImmutable:
		q.Set("mode", "ro")
		q.Set("immutable", "1")
		q.Set("_query_only", "on")
	}
	path := filepath.ToSlash(file)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	u := url.URL{Scheme: "file", Path: path, RawQuery: q.Encode()}
	return u.String()
}

// open opens a pool of at most n connections. Nothing is touched before the
// first use.
func open(file, mode string, n int) (*sql.DB, error) {
	db, err := sql.Open("sqlite3", dsn(file, mode))
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return db, nil
}
