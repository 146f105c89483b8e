package proc

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// Ledger is a folder in which every launch is written down before it starts, so
// that what a killed Turnwatch left running can be found and ended by the next
// one. Each running Turnwatch is an owner: it holds a lock on a file of its own
// for as long as it lives, and the system lets go of that lock whatever way it
// dies. Two owners on one folder never touch each other's launches.
//
// The files are not synced to the disk: they are of use only while the machine
// runs that the processes run on. Ledger is safe for use from several goroutines;
// a nil *Ledger writes nothing.
type Ledger struct {
	dir, owner string
	lock       *flock.Flock
	self       ident
	boot       string
}

// OpenLedger opens the folder, makes it (mode 0700) where it is missing, and
// locks the owner's file. Owner is a name that no other running Turnwatch has: 1
// to 64 of a-z, 0-9 and hyphen; "" chooses a random one. It waits for nobody.
func OpenLedger(dir, owner string) (*Ledger, error) {
	if owner == "" {
		owner = newID()
	}
	if !validOwner(owner) {
		return nil, fmt.Errorf("open ledger: owner %q is no name of a-z, 0-9 and hyphens", owner)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("open ledger: %w", err)
	}
	self, ok := lookup(os.Getpid())
	if !ok {
		return nil, errors.New("open ledger: this process is not in the process table")
	}
	l := &Ledger{dir: dir, owner: owner, self: self.ident, boot: boot()}
	lock, err := lockOwner(l.path(filed{owner: owner, ext: lockExt}))
	if err != nil {
		return nil, fmt.Errorf("open ledger: %w", err)
	}
	l.lock = lock
	return l, nil
}

// Owner is the name of this Turnwatch in the ledger.
func (l *Ledger) Owner() string { return l.owner }

// Close lets go of the owner's lock. Launches that are still written down are
// left to the next Reap.
func (l *Ledger) Close() error {
	files, err := l.files()
	if err != nil {
		return err
	}
	for _, f := range files {
		if f.owner == l.owner && f.launch != "" {
			if err := l.lock.Unlock(); err != nil {
				return fmt.Errorf("close ledger: %w", err)
			}
			return nil
		}
	}
	if err := dropLock(l.lock); err != nil {
		return fmt.Errorf("close ledger: %w", err)
	}
	return nil
}

// begin writes a launch down that is about to start.
func (l *Ledger) begin(launch string) error { return l.write(launch, ident{}) }

// complete adds the program to a launch that has started.
func (l *Ledger) complete(launch string, root ident) error { return l.write(launch, root) }

func (l *Ledger) write(launch string, root ident) error {
	if l == nil {
		return nil
	}
	raw, err := json.Marshal(record{
		Version: recordVersion, Launch: launch, Owner: l.owner,
		OwnerPID: l.self.pid, OwnerStart: l.self.start, Boot: l.boot,
		PID: root.pid, Start: root.start,
	})
	if err != nil {
		return fmt.Errorf("write launch record: %w", err)
	}
	f := filed{owner: l.owner, launch: launch, ext: draftExt}
	draft := l.path(f)
	f.ext = recordExt
	err = os.WriteFile(draft, raw, 0o600)
	if err == nil {
		err = os.Rename(draft, l.path(f))
	}
	if err != nil {
		_ = os.Remove(draft)
		return fmt.Errorf("write launch record: %w", err)
	}
	return nil
}

// forget takes out a launch of which nothing is left.
func (l *Ledger) forget(launch string) {
	if l != nil {
		_ = os.Remove(l.path(filed{owner: l.owner, launch: launch, ext: recordExt}))
	}
}

func (l *Ledger) path(f filed) string {
	name := f.owner + f.ext
	if f.launch != "" {
		name = f.owner + "." + f.launch + f.ext
	}
	return filepath.Join(l.dir, name)
}

// files lists what in the folder is named like a file of the ledger.
func (l *Ledger) files() ([]filed, error) {
	names, err := os.ReadDir(l.dir)
	if err != nil {
		return nil, fmt.Errorf("read ledger: %w", err)
	}
	var out []filed
	for _, n := range names {
		if f, ok := parseName(n.Name()); ok {
			out = append(out, f)
		}
	}
	return out, nil
}

// lockOwner makes and locks an owner's file. Somebody who reaps may just be
// taking a new file for one of the dead and remove it: then it is made anew.
func lockOwner(path string) (*flock.Flock, error) {
	for range 10 {
		lock, err := tryLock(path)
		if err != nil {
			return nil, err
		}
		if lock == nil {
			continue
		}
		held, err1 := lock.Stat()
		named, err2 := os.Lstat(path)
		if err1 == nil && err2 == nil && os.SameFile(held, named) {
			return lock, nil
		}
		_ = lock.Close()
	}
	return nil, fmt.Errorf("lock owner file: %s is held by somebody else", filepath.Base(path))
}

// tryLock locks a file, which is made where it is missing. Nil and no error says
// that somebody holds it. Anything but a regular file is refused.
func tryLock(path string) (*flock.Flock, error) {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("lock owner file: %s is not a regular file", filepath.Base(path))
	}
	lock := flock.New(path)
	ok, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock owner file: %w", err)
	}
	if !ok {
		_ = lock.Close()
		return nil, nil
	}
	return lock, nil
}

// dropLock removes a locked file, while it is locked where the system allows
// that, and unlocks it.
func dropLock(lock *flock.Flock) error {
	first := os.Remove(lock.Path())
	if err := lock.Unlock(); err != nil {
		return fmt.Errorf("unlock owner file: %w", err)
	}
	if first != nil && !errors.Is(first, os.ErrNotExist) {
		if err := os.Remove(lock.Path()); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("remove owner file: %w", err)
		}
	}
	return nil
}
