package history

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// copies is how many copies from before a migration are kept.
const copies = 3

// latest is the schema version that this program knows.
func latest() int64 {
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return 0
	}
	var top int64
	for _, name := range names {
		number, _, _ := strings.Cut(filepath.Base(name), "_")
		if n, err := strconv.ParseInt(number, 10, 64); err == nil && n > top {
			top = n
		}
	}
	return top
}

// migrate brings the schema up to date. Where there was one before, a copy of
// the database is kept first; its name is returned. Nothing is migrated without
// the copy. The caller holds the gate.
func (f folder) migrate(ctx context.Context, from int64, now time.Time) (backup string, err error) {
	db, err := open(f.database(), modeWrite, 2)
	if err != nil {
		return "", err
	}
	defer db.Close()
	if from > 0 {
		if backup, err = f.backup(ctx, db, from, now); err != nil {
			return "", err
		}
	}
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return "", fmt.Errorf("migrate database: %w", err)
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return "", fmt.Errorf("migrate database: %w", err)
	}
	if _, err := provider.Up(ctx); err != nil {
		return "", fmt.Errorf("migrate database from version %d: %w", from, err)
	}
	return backup, nil
}

// backup writes a copy of the database and drops the oldest ones.
func (f folder) backup(ctx context.Context, db *sql.DB, version int64, now time.Time) (string, error) {
	name := filepath.Join(f.backups(), fmt.Sprintf("history-%s-v%d.db", now.UTC().Format(dated), version))
	file, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, fileMode)
	if err != nil {
		return "", fmt.Errorf("copy database: %w", err)
	}
	if err := file.Close(); err != nil {
		return "", fmt.Errorf("copy database: %w", err)
	}
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?", name); err != nil {
		return "", errors.Join(fmt.Errorf("copy database: %w", err), os.Remove(name))
	}
	return name, f.dropOldCopies()
}

func (f folder) dropOldCopies() error {
	entries, err := os.ReadDir(f.backups()) // by name, and the date comes first in it
	if err != nil {
		return fmt.Errorf("list copies: %w", err)
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		return !strings.HasPrefix(e.Name(), "history-") || !strings.HasSuffix(e.Name(), ".db")
	})
	for len(entries) > copies {
		if err := os.Remove(filepath.Join(f.backups(), entries[0].Name())); err != nil {
			return fmt.Errorf("drop old copy: %w", err)
		}
		entries = entries[1:]
	}
	return nil
}
