package history

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

const (
	applicationID = 0x54774869
	magic         = "SQLite format 3\x00"
	// smallFile is read through whenever it is opened; a larger one only after
	// the writer found it malformed.
	smallFile = 2 << 20
)

// damage is why a database is not fit for use.
type damage struct{ reason string }

func (d *damage) Error() string { return "damaged database: " + d.reason }

// inspect looks at the database without changing it and tells its schema
// version, 0 where there is none yet. A *damage says that it cannot be used.
func (f folder) inspect(ctx context.Context) (version int64, err error) {
	size, err := f.checkHeader()
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
	if kindOf(err) == ErrDamaged {
		return 0, &damage{err.Error()}
	}
	return version, err
}

// checkHeader looks at the first bytes and the length of the file. A missing or
// empty file is new.
func (f folder) checkHeader() (size int64, err error) {
	wal := int64(0)
	if info, err := os.Stat(f.database() + "-wal"); err == nil {
		wal = info.Size()
	}
	file, err := os.Open(f.database())
	if errors.Is(err, fs.ErrNotExist) {
		if wal > 0 {
			return 0, &damage{"the log is there and the database is not"}
		}
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read database: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return 0, fmt.Errorf("read database: %w", err)
	}
	if info.Size() == 0 {
		if wal > 0 {
			return 0, &damage{"empty, with a log"}
		}
		return 0, nil
	}
	head := make([]byte, 100)
	if _, err := io.ReadFull(file, head); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return 0, &damage{"shorter than a header"}
		}
		return 0, fmt.Errorf("read database: %w", err)
	}
	return info.Size(), headerDamage(head, info.Size(), wal > 0)
}

// headerDamage judges the 100 bytes that a database starts with. With a log
// beside it the length says nothing.
func headerDamage(head []byte, size int64, log bool) error {
	if !bytes.HasPrefix(head, []byte(magic)) {
		return &damage{"not a database"}
	}
	page := int64(binary.BigEndian.Uint16(head[16:]))
	if page == 1 {
		page = 65536
	}
	if page < 512 || page&(page-1) != 0 {
		return &damage{"impossible page size"}
	}
	if pages := int64(binary.BigEndian.Uint32(head[28:])); !log && size < pages*page {
		return &damage{"cut short"}
	}
	return nil
}

// checkContents reads the schema, the ends of the big tables and, when deep,
// every page.
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
