package history

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// folder is the data folder and the names in it. Everything in it is the user's
// alone: files 0600, folders 0700.
type folder struct{ dir string }

const (
	fileMode = 0o600
	dirMode  = 0o700
)

func (f folder) database() string { return filepath.Join(f.dir, "history.db") }
func (f folder) gate() string     { return filepath.Join(f.dir, "history.lock") }
func (f folder) suspect() string  { return filepath.Join(f.dir, "history.suspect") }
func (f folder) backups() string  { return filepath.Join(f.dir, "backups") }
func (f folder) owners() string   { return filepath.Join(f.dir, "owners") }
func (f folder) lock(owner string) string {
	return filepath.Join(f.owners(), owner+".lock")
}

// trouble names this folder in what went wrong.
func (f folder) trouble(err error) error { return trouble(f.dir, err) }

// newFolder makes the path absolute; it touches nothing.
func newFolder(dir string) (folder, error) {
	if dir == "" {
		return folder{}, errors.New("open history: no data folder given")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return folder{}, fmt.Errorf("open history: %w", err)
	}
	return folder{abs}, nil
}

// prepare makes the folders, takes away what others may do with them, and makes
// sure that they can be written to: SQLite itself cannot tell a folder that may
// not be written to from one that is not there.
func (f folder) prepare() error {
	for _, dir := range []string{f.dir, f.owners(), f.backups()} {
		if err := os.MkdirAll(dir, dirMode); err != nil {
			return fmt.Errorf("make folder: %w", err)
		}
		if err := tighten(dir, dirMode); err != nil {
			return err
		}
	}
	probe, err := os.CreateTemp(f.dir, "history.probe-*")
	if err != nil {
		return fmt.Errorf("write to folder: %w", err)
	}
	if err := errors.Join(probe.Close(), os.Remove(probe.Name())); err != nil {
		return fmt.Errorf("write to folder: %w", err)
	}
	return nil
}

// prepareFile makes the database file where there is none, so that SQLite never
// makes it readable to others, and gives its companions the same mode. One that
// is there is not opened: SQLite's locks are the process's, and closing any
// descriptor of the file would drop those of a Store that has it open already.
func (f folder) prepareFile() error {
	if _, err := os.Stat(f.database()); errors.Is(err, fs.ErrNotExist) {
		file, err := os.OpenFile(f.database(), os.O_CREATE|os.O_EXCL|os.O_RDWR, fileMode)
		if err != nil {
			return fmt.Errorf("make database: %w", err)
		}
		if err := file.Close(); err != nil {
			return fmt.Errorf("make database: %w", err)
		}
	}
	for _, suffix := range companions() {
		err := tighten(f.database()+suffix, fileMode)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// companions are the endings of the files that make up a database.
func companions() []string { return []string{"", "-wal", "-shm"} }

// tighten sets the mode where it is looser.
func tighten(path string, mode fs.FileMode) error {
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("look at mode: %w", err)
	}
	if info.Mode().Perm()&^mode == 0 {
		return nil
	}
	if err := os.Chmod(path, mode); err != nil {
		return fmt.Errorf("set mode: %w", err)
	}
	return nil
}
