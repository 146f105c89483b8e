package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/gofrs/flock"

	"turnwatch/backend/agent"
)

// gateWait bounds how long Open waits for another program that is just opening.
const gateWait = 30 * time.Second

// readConns is how many readers may read at once.
const readConns = 4

// Open opens the history in o.Dir for writing and makes what is missing. It sets
// a damaged database aside, migrates an old one after a copy, and makes turns of
// dead owners interrupted. Several programs may have one history open. Close it.
func Open(ctx context.Context, o Options) (*Store, Opened, error) {
	o = o.withDefaults()
	f, err := newFolder(o.Dir)
	if err != nil {
		return nil, Opened{}, err
	}
	s, opened, err := openWriter(ctx, f, o)
	if err != nil {
		return nil, opened, fmt.Errorf("open history: %w", f.trouble(err))
	}
	return s, opened, nil
}

func openWriter(ctx context.Context, f folder, o Options) (*Store, Opened, error) {
	var opened Opened
	if err := f.prepare(); err != nil {
		return nil, opened, err
	}
	unlock, err := f.enter(ctx)
	if err != nil {
		return nil, opened, err
	}
	defer unlock()
	version, err := f.ready(ctx, o.Clock.Now(), &opened)
	if err != nil {
		return nil, opened, err
	}
	if version < latest() {
		if opened.Backup, err = f.migrate(ctx, version, o.Clock.Now()); err != nil {
			return nil, opened, err
		}
		opened.Migrated = version > 0
	}
	s, err := f.start(o, &opened)
	return s, opened, err
}

// enter takes the gate: one program at a time checks, migrates and recovers.
func (f folder) enter(ctx context.Context) (unlock func(), err error) {
	gate := flock.New(f.gate(), flock.SetPermissions(fileMode))
	ctx, cancel := context.WithTimeout(ctx, gateWait)
	defer cancel()
	ok, err := gate.TryLockContext(ctx, 20*time.Millisecond)
	if errors.Is(err, context.DeadlineExceeded) || err == nil && !ok {
		return nil, newError(ErrLocked, f.dir, err)
	}
	if err != nil {
		return nil, fmt.Errorf("lock folder: %w", err)
	}
	return func() { _ = gate.Unlock() }, nil
}

// ready makes sure that there is a database that can be used, if need be a new
// one, and tells its schema version.
func (f folder) ready(ctx context.Context, now time.Time, opened *Opened) (int64, error) {
	version, err := f.inspect(ctx)
	var bad *damage
	if errors.As(err, &bad) {
		others, err := f.othersAlive()
		if err != nil {
			return 0, err
		}
		if others { // it would go on writing into what we moved away
			return 0, newError(ErrDamaged, f.dir, bad)
		}
		if opened.SetAside, err = f.setAside(now); err != nil {
			return 0, err
		}
		return 0, f.prepareFile()
	}
	if err != nil {
		return 0, err
	}
	if know := latest(); version > know {
		return 0, tooNew(f.dir, version, know)
	}
	if err := os.Remove(f.suspect()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("clear mark: %w", err)
	}
	return version, f.prepareFile()
}

func tooNew(dir string, have, know int64) error {
	e := newError(ErrTooNew, dir, nil)
	e.Args["have"], e.Args["know"] = fmt.Sprint(have), fmt.Sprint(know)
	return e
}

// start recovers what dead owners left and starts the writer. The caller holds
// the gate.
func (f folder) start(o Options, opened *Opened) (s *Store, err error) {
	me, err := f.takeOwner(o.Clock.Now())
	if err != nil {
		return nil, err
	}
	p := &pen{}
	var readers *sql.DB
	defer func() {
		if err != nil {
			p.drop()
			closePool(p.db)
			closePool(readers)
			err = errors.Join(err, me.release())
		}
	}()
	if p.db, err = open(f.database(), modeWrite, 1); err != nil {
		return nil, err
	}
	if readers, err = open(f.database(), modeRead, readConns); err != nil {
		return nil, err
	}
	if opened.Recovered, err = f.enrol(p, me, o.Clock.Now()); err != nil {
		return nil, err
	}
	f.dropDeadLocks()
	s = &Store{folder: f, clock: o.Clock, log: o.Log, owner: me, readers: readers}
	s.writer = newWriter(place{f, me.id, o.Clock, o.Log}, p, o.OnHealth)
	go s.writer.run()
	return s, nil
}

// enrol recovers and writes this owner down, in one transaction.
func (f folder) enrol(p *pen, me *owner, now time.Time) (out []Recovered, err error) {
	if err := p.begin(); err != nil {
		return nil, err
	}
	if out, err = recoverDead(p, f, now); err != nil {
		return nil, err
	}
	_, err = p.exec("INSERT INTO owners (id, pid, started_at) VALUES (?, ?, ?)", me.id, os.Getpid(), millis(now))
	if err != nil {
		return nil, fmt.Errorf("enrol owner: %w", err)
	}
	return out, p.commit()
}

// dropDeadLocks removes the lock files of owners whose rows are recovered. What
// cannot be removed does no harm.
func (f folder) dropDeadLocks() {
	ids, err := f.lockFiles()
	if err != nil {
		return
	}
	for _, id := range ids {
		if !f.alive(id) {
			_ = os.Remove(f.lock(id))
		}
	}
}

func newWriter(at place, p *pen, tell func(Health)) *writer {
	return &writer{
		place: at, pen: p, inbox: newInbox(at.clock), health: &health{tell: tell},
		known: map[agent.SessionID]known{}, behind: true,
		retry: make(chan struct{}, 1), giveUp: make(chan struct{}), ended: make(chan struct{}),
	}
}
