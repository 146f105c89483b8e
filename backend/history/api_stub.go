package history

import (
	"context"
	"errors"

	"turnwatch/backend/agent"
)

var errSoon = errors.New("not written yet")

type folder struct{}
type writer struct{}
type owner struct{}

// Open opens the history in o.Dir for writing and makes what is missing. It sets
// a damaged database aside, migrates an old one after a copy, and makes turns of
// dead owners interrupted. Close it.
func Open(ctx context.Context, o Options) (*Store, Opened, error) { return nil, Opened{}, errSoon }

// OpenReader opens the history for reading only: it makes, migrates and recovers
// nothing. ErrNothing where there is no history yet.
func OpenReader(ctx context.Context, o Options) (*Store, error) { return nil, errSoon }

// Record hands entries over to be stored, in the order of the calls. It never
// blocks. done, which may be nil, is called once, from the writer goroutine, and
// must return at once: with nil after the commit or with an error when the batch
// is not stored and never will be. A must batch is kept and tried again about
// each second until it is stored; the caller bounds how much of that there can
// be. It is refused only when it can never be stored (ErrRefused, ErrNotFound,
// ErrBusy, ErrClosed). Either all of a batch is stored or nothing of it.
func (s *Store) Record(entries []agent.Entry, must bool, done func(error)) {}

// Flush waits until everything recorded before is stored or refused.
func (s *Store) Flush(ctx context.Context) error { return errSoon }

// Close stores what waits, gives the sessions back and stops the writer. When
// ctx ends first the rest is refused and the error says how much.
func (s *Store) Close(ctx context.Context) error { return errSoon }

// Health tells how the writer fares.
func (s *Store) Health() Health { return Health{} }

// CreateTask stores a new task; it is durable when the call returns. An empty
// State means waiting, a zero CreatedAt now.
func (s *Store) CreateTask(ctx context.Context, t Task) error { return errSoon }

// RenameTask sets the user's title; "" goes back to the agent's.
func (s *Store) RenameTask(ctx context.Context, id agent.TaskID, title string) error { return errSoon }

// ArchiveTask puts a task away, or brings it back.
func (s *Store) ArchiveTask(ctx context.Context, id agent.TaskID, away bool) error { return errSoon }

// DeleteTask marks a task as deleted; Prune removes it for good later.
func (s *Store) DeleteTask(ctx context.Context, id agent.TaskID) error { return errSoon }

// UndeleteTask takes a deletion back.
func (s *Store) UndeleteTask(ctx context.Context, id agent.TaskID) error { return errSoon }

// CreateSession stores a new session of a task and claims it. It is durable when
// the call returns.
func (s *Store) CreateSession(ctx context.Context, n NewSession) error { return errSoon }

// Claim makes this program the owner of a session, before its agent is started.
// A turn that a dead owner left open becomes interrupted first. *BusyError when
// another living program owns it.
func (s *Store) Claim(ctx context.Context, id agent.SessionID) error { return errSoon }

// Release gives a session back, so that another program may claim it.
func (s *Store) Release(ctx context.Context, id agent.SessionID) error { return errSoon }

// Restore reads what the machine needs to take a session up again.
func (s *Store) Restore(ctx context.Context, id agent.SessionID) (Snapshot, error) {
	return Snapshot{}, errSoon
}

// Tasks reads a page of tasks, the latest change first.
func (s *Store) Tasks(ctx context.Context, f TaskFilter) ([]Task, error) { return nil, errSoon }

// Task reads one task, deleted or not.
func (s *Store) Task(ctx context.Context, id agent.TaskID) (Task, error) { return Task{}, errSoon }

// Sessions reads the sessions of a task, oldest first.
func (s *Store) Sessions(ctx context.Context, id agent.TaskID) ([]Session, error) {
	return nil, errSoon
}

// Session reads one session.
func (s *Store) Session(ctx context.Context, id agent.SessionID) (Session, error) {
	return Session{}, errSoon
}

// Queue reads the prompts of a session that wait, in order.
func (s *Store) Queue(ctx context.Context, id agent.SessionID) ([]agent.Prompt, error) {
	return nil, errSoon
}

// Turns reads turns of a session, newest first: those before the generation
// before, or from the newest on where it is 0. limit is 1 to 500; 0 means 50.
func (s *Store) Turns(ctx context.Context, id agent.SessionID, before agent.Generation, limit int) ([]Turn, error) {
	return nil, errSoon
}

// Turn reads one turn.
func (s *Store) Turn(ctx context.Context, id agent.SessionID, g agent.Generation) (Turn, error) {
	return Turn{}, errSoon
}

// Parts reads a page of a transcript. Text that still streams is there as far
// as it is stored.
func (s *Store) Parts(ctx context.Context, q PartQuery) ([]agent.Part, error) { return nil, errSoon }

// Asks reads the requests of a session, oldest first.
func (s *Store) Asks(ctx context.Context, id agent.SessionID) ([]Ask, error) { return nil, errSoon }

// Notices reads the notices of a session, oldest first.
func (s *Store) Notices(ctx context.Context, id agent.SessionID) ([]Notice, error) {
	return nil, errSoon
}

// Failures reads the failures of a session, oldest first.
func (s *Store) Failures(ctx context.Context, id agent.SessionID) ([]Failure, error) {
	return nil, errSoon
}

// Search finds parts by the words in them, newest first; the last word may be
// the beginning of one. Any text is a valid search; one without a letter or
// digit finds nothing. limit is 1 to 200; 0 means 50.
func (s *Store) Search(ctx context.Context, text string, limit int) ([]Hit, error) {
	return nil, errSoon
}

// Prune drops what is beyond the limits: first purges deleted tasks, then old
// transcripts, never one of a session that a living program holds or that runs.
func (s *Store) Prune(ctx context.Context, l Limits) (Pruned, error) { return Pruned{}, errSoon }
