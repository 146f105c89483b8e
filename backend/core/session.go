package core

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/oklog/ulid/v2"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
	"turnwatch/backend/managed"
	"turnwatch/backend/policy/autoresume"
	"turnwatch/backend/supervise"
	"turnwatch/backend/turn"
)

// ErrClosed says that everything is being closed.
var ErrClosed = errors.New("turnwatch is closing")

// NewTask says what a task is to be: a folder and an agent.
type NewTask struct {
	Title   string
	Dir     string // absolute
	Kind    agent.Kind
	Command []string          // the user's own command line; nil for an agent known by its kind
	Options map[string]string // wanted values by option id or category
}

// Ref names a task and the session in it.
type Ref struct {
	Task    agent.TaskID
	Session agent.SessionID
}

// slot is a session that is being taken up, or supervised: owned is set once it
// has an owner.
type slot struct {
	once  sync.Once
	owned atomic.Pointer[supervise.Session]
	err   error // valid after once
	tap   tap
}

// NewTask stores a task with one session. It is durable when the call returns;
// no agent is started yet. A folder that can't be worked in is a *agent.Failure.
func (c *Core) NewTask(ctx context.Context, n NewTask) (Ref, error) {
	if err := checkFolder(n.Dir); err != nil {
		return Ref{}, err
	}
	now := c.o.Clock.Now()
	ref := Ref{Task: agent.TaskID(c.newID()), Session: agent.SessionID(c.newID())}
	err := c.store.CreateTask(ctx, history.Task{ID: ref.Task, Title: n.Title, Dir: n.Dir, CreatedAt: now})
	if err != nil {
		return Ref{}, fmt.Errorf("create task: %w", err)
	}
	err = c.store.CreateSession(ctx, history.NewSession{
		ID: ref.Session, Task: ref.Task, Kind: n.Kind, Command: n.Command,
		Dir: n.Dir, Options: n.Options, CreatedAt: now,
	})
	if err != nil {
		return Ref{}, fmt.Errorf("create session: %w", err)
	}
	return ref, nil
}

// StartFresh stores a new session in the task of an earlier one, with the same
// agent, folder and options, and lets the earlier one's agent go. Nothing is
// sent: the prompt that failed is the user's to send again.
func (c *Core) StartFresh(ctx context.Context, id agent.SessionID) (Ref, error) {
	old, err := c.store.Session(ctx, id)
	if err != nil {
		return Ref{}, fmt.Errorf("read session: %w", err)
	}
	if err := checkFolder(old.Dir); err != nil {
		return Ref{}, err
	}
	ref := Ref{Task: old.Task, Session: agent.SessionID(c.newID())}
	err = c.store.CreateSession(ctx, history.NewSession{
		ID: ref.Session, Task: old.Task, Kind: old.Kind, Command: old.Command,
		Dir: old.Dir, Options: old.Options, CreatedAt: c.o.Clock.Now(),
	})
	if err != nil {
		return Ref{}, fmt.Errorf("create session: %w", err)
	}
	return ref, c.letGo(ctx, id)
}

// letGo ends the supervision of a session and gives it back.
func (c *Core) letGo(ctx context.Context, id agent.SessionID) error {
	c.mu.Lock()
	s, ok := c.sessions[id]
	delete(c.sessions, id)
	c.mu.Unlock()
	if !ok {
		return nil
	}
	c.auto.release(id)
	if err := s.close(ctx); err != nil {
		return err
	}
	c.pulses.forget(id)
	if err := c.store.Release(ctx, id); err != nil {
		return fmt.Errorf("release session: %w", err)
	}
	return nil
}

// Submit hands a prompt to a session and returns when it is durable: dispatched
// next, or in the queue behind the turn in hand.
func (c *Core) Submit(ctx context.Context, id agent.SessionID, blocks []agent.Block) (agent.PromptID, error) {
	p := agent.Prompt{ID: agent.PromptID(c.newID()), Blocks: blocks, At: c.o.Clock.Now()}
	if err := c.Do(ctx, id, agent.Submit{Prompt: p}); err != nil {
		return "", fmt.Errorf("submit prompt: %w", err)
	}
	return p.ID, nil
}

// Do hands an event of the user to a session and returns when it has taken
// effect. An agent.Reason says why nothing changed.
func (c *Core) Do(ctx context.Context, id agent.SessionID, ev agent.Event) error {
	if _, ok := ev.(agent.CancelTurn); ok {
		c.auto.hear(id, autoresume.Cancelled{})
	}
	s, err := c.session(ctx, id)
	if err != nil {
		return err
	}
	return s.Do(ctx, ev)
}

// View is where a session stands that this program supervises.
func (c *Core) View(id agent.SessionID) (turn.View, bool) {
	c.mu.Lock()
	s, ok := c.sessions[id]
	c.mu.Unlock()
	if !ok {
		return turn.View{}, false
	}
	owned := s.owned.Load()
	if owned == nil {
		return turn.View{}, false
	}
	return owned.View(), true
}

// session finds the owner of a session, or takes the session up from the history.
func (c *Core) session(ctx context.Context, id agent.SessionID) (*supervise.Session, error) {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return nil, ErrClosed
	}
	s, ok := c.sessions[id]
	if !ok {
		s = &slot{}
		c.sessions[id] = s
	}
	c.mu.Unlock()

	s.once.Do(func() {
		owned, err := c.takeUp(ctx, id, &s.tap)
		s.err = err
		s.owned.Store(owned)
	})
	if s.err != nil {
		c.mu.Lock()
		if c.sessions[id] == s {
			delete(c.sessions, id)
		}
		c.mu.Unlock()
	}
	return s.owned.Load(), s.err
}

// takeUp claims a session and starts its owner with what the history knows.
func (c *Core) takeUp(ctx context.Context, id agent.SessionID, t *tap) (*supervise.Session, error) {
	if err := c.store.Claim(ctx, id); err != nil {
		return nil, fmt.Errorf("claim session: %w", err)
	}
	past, err := c.store.Restore(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("restore session: %w", err)
	}
	row := past.Session
	kept, err := c.store.Auto(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("restore session: %w", err)
	}
	policy := c.o.Policy
	if c.o.Keep != nil {
		policy.Idle = c.o.Keep().IdleWait()
	}
	policy.Again = c.again()
	t.Connector = c.connector(row, kept)
	s := supervise.Start(supervise.Options{
		Task: row.Task, Session: id, Dir: row.Dir, Wanted: row.Options,
		Connector: t, Recorder: c.store,
		Clock: c.o.Clock, Awake: c.o.Awake, Log: c.o.Log, Policy: policy, Publish: c.publish,
		State: turn.Restore(turn.Past{
			Session: row.State, Task: past.Task, Generation: row.Generation, Parts: row.LastSeq,
			Info: row.Info, Queue: past.Queue, Held: row.Held, Again: c.waiting(past),
		}),
	})
	if c.auto != nil {
		c.auto.drive(row, kept, s.View(), true)
	}
	if past.Failed != nil {
		s.Post(agent.Rearm{})
	}
	return s, nil
}

// publish hands on what the sessions tell. It never waits for anybody.
func (c *Core) publish(entries []agent.Entry) {
	c.pulses.take(entries)
	if c.auto != nil {
		c.auto.pilot.Take(entries)
	}
	c.hub.publish(entries)
}

func (c *Core) connector(row history.Session, kept history.Auto) agent.Connector {
	if c.o.Connect != nil {
		return c.o.Connect(row.Kind, row.Command)
	}
	return managed.New(managed.Target{Kind: row.Kind, Command: row.Command, Tools: c.auto.tools(row, kept)}, c.launch())
}

func (s *slot) close(ctx context.Context) error {
	s.once.Do(func() { s.err = ErrClosed })
	owned := s.owned.Load()
	if owned == nil {
		return nil
	}
	if err := owned.Close(ctx); err != nil {
		return fmt.Errorf("close session: %w", err)
	}
	return nil
}

// newID makes a name that is unique for ever and sorts by time.
func (c *Core) newID() string {
	return ulid.MustNew(ulid.Timestamp(c.o.Clock.Now()), rand.Reader).String()
}
