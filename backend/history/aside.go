package history

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// dated is how a time is written into a file name.
const dated = "20060102T150405Z"

// setAside moves a damaged database and its companions to a dated name and
// returns that name. Nothing is deleted. The caller holds the gate and has made
// sure that no living program has the database open.
func (f folder) setAside(now time.Time) (string, error) {
	stem := filepath.Join(f.dir, "history.damaged-"+now.UTC().Format(dated))
	name := stem + ".db"
	for n := 2; taken(name); n++ {
		name = stem + "-" + strconv.Itoa(n) + ".db"
	}
	// The log goes first: a database that lost its log can be seen to be old, a
	// log that lost its database would be taken for the new one's.
	for _, suffix := range []string{"-wal", "-shm", ""} {
		err := os.Rename(f.database()+suffix, name+suffix)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("set damaged database aside: %w", err)
		}
	}
	if err := os.Remove(f.suspect()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("set damaged database aside: %w", err)
	}
	return name, nil
}

func taken(name string) bool {
	for _, suffix := range companions() {
		if _, err := os.Lstat(name + suffix); err == nil {
			return true
		}
	}
	return false
}

// suspectDamage leaves a mark, so that the next start reads the whole database
// before it trusts it.
func (f folder) suspectDamage() error {
	file, err := os.OpenFile(f.suspect(), os.O_CREATE|os.O_WRONLY, fileMode)
	if err != nil {
		return fmt.Errorf("mark database as suspect: %w", err)
	}
	return file.Close()
}
