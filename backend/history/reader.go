package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// OpenReader opens the history for reading only, for a program that looks and
// goes: it makes, migrates and recovers nothing. ErrNothing where there is no
// history yet; ErrTooNew and ErrDamaged as Open would find them. Close it.
func OpenReader(ctx context.Context, o Options) (*Store, error) {
	o = o.withDefaults()
	f, err := newFolder(o.Dir)
	if err != nil {
		return nil, err
	}
	db, err := f.look(ctx)
	if err != nil {
		return nil, fmt.Errorf("open history: %w", f.trouble(err))
	}
	return &Store{folder: f, clock: o.Clock, log: o.Log, readers: db}, nil
}

func (f folder) look(ctx context.Context) (*sql.DB, error) {
	size, err := f.size()
	var bad *damage
	if errors.As(err, &bad) {
		return nil, newError(ErrDamaged, f.dir, bad)
	}
	if err != nil {
		return nil, err
	}
	if size == 0 {
		return nil, newError(ErrNothing, f.dir, nil)
	}
	mode := modeLook
	db, err := open(f.database(), mode, readConns)
	if err != nil {
		return nil, err
	}
	version, err := schemaVersion(ctx, db)
	if err != nil && !errors.Is(kindOf(err), ErrDamaged) && f.still() {
		// No room for the companions of the log, and no log: it cannot change.
		closePool(db)
		if db, err = open(f.database(), modeImmutable, readConns); err != nil {
			return nil, err
		}
		version, err = schemaVersion(ctx, db)
	}
	if err == nil {
		err = readable(f.dir, version)
	}
	if err != nil {
		closePool(db)
		return nil, err
	}
	return db, nil
}

// still reports whether the database has no log beside it.
func (f folder) still() bool {
	info, err := os.Stat(f.database() + "-wal")
	return errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0
}

// readable judges whether this program can read a schema as it is. An older one
// is migrated by the next program that writes.
func readable(dir string, version int64) error {
	switch know := latest(); {
	case version > know:
		return tooNew(dir, version, know)
	case version == know:
		return nil
	case version < 0:
		return newError(ErrNothing, dir, nil)
	default:
		e := newError(ErrNothing, dir, fmt.Errorf("schema version %d is older than %d", version, know))
		e.Hint = HintOld
		return e
	}
}

func closePool(db *sql.DB) {
	if db != nil {
		_ = db.Close()
	}
}
