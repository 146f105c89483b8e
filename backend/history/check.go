package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

const (
	applicationID = 0x54774869
	// smallFile is read through whenever it is opened; a larger one only after
	// the writer found it malformed.
	smallFile = 2 << 20
	leastFile = 512 // the smallest page there is
)

// damage is why a database is not fit for use.
type damage struct{ reason string }

func (d *damage) Error() string { return "damaged database: " + d.reason }

// inspect looks at the database without changing it and tells its schema
// version, 0 where there is none yet. A *damage says that it cannot be used. It
// looks through SQLite alone; see prepareFile for why.
func (f folder) inspect(ctx context.Context) (version int64, err error) {
	size, err := f.size()
	if err != nil || size == 0 {
		return 0, err
	}
	db, err := open(f.database(), modeLook, 1)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	_, suspect := os.Stat(f.suspect())
	version, err = checkContents(ctx, db, size <= smallFile || suspect == nil)
	if errors.Is(kindOf(err), ErrDamaged) {
		return 0, &damage{err.Error()}
	}
	return version, err
}

// size is the length of the database, 0 where it is new. One that is empty has
// no log; one with a log was not always empty.
func (f folder) size() (int64, error) {
	info, err := os.Stat(f.database())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("look at database: %w", err)
	}
	if err == nil && info.Size() >= leastFile {
		return info.Size(), nil
	}
	if err == nil && info.Size() > 0 { // SQLite would take it for empty
		return 0, &damage{"shorter than a page"}
	}
	if log, err := os.Stat(f.database() + "-wal"); err == nil && log.Size() > 0 {
		return 0, &damage{"the log is there and the database is not"}
	}
	return 0, nil
}

// checkContents reads the schema, the ends of the big tables and, when deep,
// every page. SQLite itself finds a wrong header and a file that was cut short.
func checkContents(ctx context.Context, db *sql.DB, deep bool) (version int64, err error) {
	var id, objects int64
	if err := db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return 0, fmt.Errorf("read application id: %w", err)
	}
	if err := db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&objects); err != nil {
		return 0, fmt.Errorf("read schema: %w", err)
	}
	if objects == 0 {
		return 0, nil
	}
	if version, err = schemaVersion(ctx, db); err != nil {
		return 0, err
	}
	if id != applicationID && version > 0 || version < 0 {
		return 0, &damage{"not a history"}
	}
	if version > latest() {
		return version, nil
	}
	return version, sane(ctx, db, version, deep)
}

// schemaVersion is -1 where the database is somebody else's.
func schemaVersion(ctx context.Context, db *sql.DB) (int64, error) {
	var there int
	err := db.QueryRowContext(ctx,
		"SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'goose_db_version'").Scan(&there)
	if err != nil {
		return 0, fmt.Errorf("read schema: %w", err)
	}
	if there == 0 {
		return -1, nil
	}
	var v sql.NullInt64
	err = db.QueryRowContext(ctx, "SELECT max(version_id) FROM goose_db_version").Scan(&v)
	if err != nil {
		return 0, fmt.Errorf("read schema version: %w", err)
	}
	return v.Int64, nil
}

func sane(ctx context.Context, db *sql.DB, version int64, deep bool) error {
	if version > 0 {
		var n sql.NullInt64
		for _, q := range []string{
			"SELECT max(num) FROM sessions", "SELECT max(id) FROM parts", "SELECT max(n) FROM tails",
			"SELECT count(*) FROM owners", "SELECT count(*) FROM turns WHERE outcome IS NULL",
		} {
			if err := db.QueryRowContext(ctx, q).Scan(&n); err != nil {
				return fmt.Errorf("read tables: %w", err)
			}
		}
	}
	if !deep {
		return nil
	}
	var verdict string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict); err != nil {
		return fmt.Errorf("check database: %w", err)
	}
	if verdict != "ok" {
		return &damage{verdict}
	}
	return nil
}
