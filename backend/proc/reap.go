package proc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// Reaped is a launch of a former run whose remains were looked for.
type Reaped struct {
	Owner  string
	Launch string
	Ended  []Node // what was found of it and ended; empty where nothing was left
	Left   []Node // what could not be ended, or is this process's own ancestor
	Err    error  // set where nobody knows what is left: the process table could not be read
}

// Reap ends what owners that are gone left running, and takes their files out of
// the ledger. An owner is gone when its lock is free and its process does not
// live. A process belongs to a launch when the launch id stands in its
// environment, or when its pid and start time are those of the record, and so
// does what descends from it; nothing else is touched, least of all whoever got
// the pid later.
//
// It blocks for about 10 ms a launch, and for at most 5 s where the system does
// not carry out a kill. Files that are not what they should be are no obstacle:
// the error joins what was wrong, beside what could be done all the same. Call it
// once at start; two at a time do no harm.
func (l *Ledger) Reap(ctx context.Context) ([]Reaped, error) {
	files, err := l.files()
	if err != nil {
		return nil, err
	}
	var owners []string
	byOwner := map[string][]filed{}
	for _, f := range files {
		if f.owner == l.owner {
			continue
		}
		if _, ok := byOwner[f.owner]; !ok {
			owners = append(owners, f.owner)
		}
		byOwner[f.owner] = append(byOwner[f.owner], f)
	}
	var all []Reaped
	var wrong []error
	for _, owner := range owners {
		got, err := l.reapOwner(ctx, owner, byOwner[owner])
		all = append(all, got...)
		if err != nil {
			wrong = append(wrong, err)
		}
	}
	return all, errors.Join(wrong...)
}

// reapOwner handles one owner, whose lock it holds meanwhile.
func (l *Ledger) reapOwner(ctx context.Context, owner string, files []filed) ([]Reaped, error) {
	lock, err := tryLock(l.path(filed{owner: owner, ext: lockExt}))
	if err != nil || lock == nil {
		return nil, err
	}
	records := map[string]record{}
	var wrong []error
	for _, f := range files {
		if f.ext != recordExt {
			continue
		}
		r, err := l.read(f)
		if err != nil {
			wrong = append(wrong, err) // its name still tells the launch id
		}
		if lives(r.owner(l.boot)) {
			return nil, errors.Join(append(wrong, lock.Unlock())...)
		}
		records[f.launch] = r
	}
	var all []Reaped
	kept := false
	for launch, r := range records {
		if ctx.Err() != nil {
			wrong = append(wrong, fmt.Errorf("reap launches: %w", ctx.Err()))
			kept = true
			break
		}
		got := reapLaunch(ctx, launch, r.root(l.boot))
		got.Owner = owner
		all = append(all, got)
		if len(got.Left) > 0 || got.Err != nil {
			kept = true
			continue
		}
		wrong = append(wrong, l.remove(filed{owner: owner, launch: launch, ext: recordExt}))
	}
	for _, f := range files {
		if f.ext == draftExt {
			wrong = append(wrong, l.remove(f))
		}
	}
	if kept {
		return all, errors.Join(append(wrong, lock.Unlock())...)
	}
	return all, errors.Join(append(wrong, dropLock(lock))...)
}

// reapLaunch ends what is left of one launch.
func reapLaunch(ctx context.Context, launch string, root ident) Reaped {
	ctx, cancel := context.WithTimeout(ctx, killBound)
	defer cancel()
	f := &family{launch: launch, root: root}
	ended, left, err := f.end(ctx)
	return Reaped{Launch: launch, Ended: nodes(ended), Left: nodes(left), Err: err}
}

// read reads a record. It opens regular files only, and no more of one than a
// record can be long.
func (l *Ledger) read(f filed) (record, error) {
	path := l.path(f)
	info, err := os.Lstat(path)
	if err != nil {
		return record{}, fmt.Errorf("read launch record: %w", err)
	}
	if !info.Mode().IsRegular() {
		return record{}, fmt.Errorf("read launch record: %s is not a regular file", f.name)
	}
	file, err := os.Open(path)
	if err != nil {
		return record{}, fmt.Errorf("read launch record: %w", err)
	}
	defer func() { _ = file.Close() }()
	raw, err := io.ReadAll(io.LimitReader(file, recordLimit+1))
	if err != nil {
		return record{}, fmt.Errorf("read launch record: %w", err)
	}
	r, err := parseRecord(raw, f.owner, f.launch)
	if err != nil {
		return record{}, fmt.Errorf("%s: %w", f.name, err)
	}
	return r, nil
}

// remove takes a file out, the link itself where it is one. A folder stays.
func (l *Ledger) remove(f filed) error {
	path := l.path(f)
	info, err := os.Lstat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err == nil && info.IsDir() {
		err = fmt.Errorf("%s is a folder", f.name)
	}
	if err == nil {
		err = os.Remove(path)
	}
	if err != nil {
		return fmt.Errorf("remove launch record: %w", err)
	}
	return nil
}

// lives reports whether exactly this process lives.
func lives(id ident) bool {
	now, ok := lookup(id.pid)
	return ok && id.pid > 0 && now.ident == id && !now.dead
}
