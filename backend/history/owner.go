package history

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// owner is this Store among all that write into the folder. While it lives it
// holds a lock that the system takes from it when it dies, however it dies.
type owner struct {
	id   string
	lock *flock.Flock
}

func (f folder) takeOwner(now time.Time) (*owner, error) {
	id := fmt.Sprintf("%012x-", now.UnixMilli()) + random()
	lock := flock.New(f.lock(id), flock.SetPermissions(fileMode))
	ok, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock owner: %w", err)
	}
	if !ok {
		return nil, fmt.Errorf("lock owner: %s is taken", id)
	}
	return &owner{id, lock}, nil
}

func random() string {
	b := make([]byte, 8)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// release gives the lock up and removes its file.
func (o *owner) release() error {
	err := o.lock.Unlock()
	if rm := os.Remove(o.lock.Path()); rm != nil && !errors.Is(rm, fs.ErrNotExist) {
		err = errors.Join(err, rm)
	}
	if err != nil {
		return fmt.Errorf("release owner: %w", err)
	}
	return nil
}

// alive reports whether the program behind an owner id still runs. One whose
// lock cannot be looked at counts as alive: better a turn that stays open than
// one that is taken from a living program.
func (f folder) alive(id string) bool {
	if id == "" || id != filepath.Base(id) {
		return false
	}
	lock := flock.New(f.lock(id), flock.SetFlag(os.O_RDWR))
	ok, err := lock.TryRLock() // shared: two that look at once do not see each other
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false
	case err != nil || !ok:
		return true
	}
	return lock.Unlock() != nil
}

// lockFiles lists the owner ids that have a lock file, dead ones included.
func (f folder) lockFiles() ([]string, error) {
	entries, err := os.ReadDir(f.owners())
	if err != nil {
		return nil, fmt.Errorf("list owners: %w", err)
	}
	var ids []string
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), ".lock"); ok {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// othersAlive reports whether any other program has the history open.
func (f folder) othersAlive() (bool, error) {
	ids, err := f.lockFiles()
	if err != nil {
		return false, err
	}
	for _, id := range ids {
		if f.alive(id) {
			return true, nil
		}
	}
	return false, nil
}
