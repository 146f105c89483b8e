package core

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
	"turnwatch/backend/managed"
	"turnwatch/backend/mcp"
	"turnwatch/backend/pilot"
	"turnwatch/backend/policy/autoresume"
	"turnwatch/backend/settings"
	"turnwatch/backend/supervise"
	"turnwatch/backend/turn"
)

// automation is auto-resume: the pilot, what the user has chosen, and the post
// that hears task_complete. The post is opened when the first agent is given it.
type automation struct {
	c      *Core
	chosen func() settings.Auto
	pilot  *pilot.Pilot

	mu     sync.Mutex
	post   *mcp.Post
	driven map[agent.SessionID]bool // where anything may be done by itself
}

// automate starts auto-resume; nil where nobody can have chosen it.
func (c *Core) automate() (*automation, error) {
	if c.o.Auto == nil {
		return nil, nil
	}
	a := &automation{c: c, chosen: c.o.Auto, driven: map[agent.SessionID]bool{}}
	p, err := pilot.Start(pilot.Options{
		Owners: owners{c}, Clock: c.o.Clock, Awake: c.o.Awake, NewID: c.newID, Keep: c.store.KeepAuto, Log: c.o.Log,
	})
	if err != nil {
		return nil, fmt.Errorf("start auto-resume: %w", err)
	}
	a.pilot = p
	p.Switch(!a.chosen().Stopped)
	return a, nil
}

// owners reaches the sessions that are supervised; for the others there is nothing
// to do.
type owners struct{ c *Core }

func (o owners) Do(ctx context.Context, id agent.SessionID, ev agent.Event) error {
	if s := o.c.owner(id); s != nil {
		return s.Do(ctx, ev)
	}
	return agent.NotOpen
}

func (o owners) Tell(id agent.SessionID, ev agent.Event) {
	if s := o.c.owner(id); s != nil {
		s.Post(ev)
	}
}

// owner finds a session that is supervised; nil where it is not.
func (c *Core) owner(id agent.SessionID) *supervise.Session {
	c.mu.Lock()
	s := c.sessions[id]
	c.mu.Unlock()
	if s == nil {
		return nil
	}
	return s.owned.Load()
}

// drive tells the pilot how a session is to be driven. fresh: its owner is new.
func (a *automation) drive(row history.Session, kept history.Auto, v turn.View, fresh bool) {
	choice := a.chosen().Of(settings.Choice(kept.Choice), row.Dir)
	o, wording, err := a.chosen().Policy(choice)
	if err != nil { // the settings were checked; there is nothing to go by
		a.c.o.Log.Warn("auto-resume is off: its options cannot be read", "err", err)
		o.Enabled = false
	}
	set := pilot.Setting{
		Options: o, Wording: wording, State: kept.State, Fresh: fresh,
		Turn: row.Generation, Epoch: v.Epoch, Running: v.Generation != 0, Model: agent.ModelOf(row.Info.Options),
	}
	if v.Generation != 0 {
		set.Turn = v.Generation
	}
	if o.Enabled && managed.Rival(row.Kind, row.Dir, a.c.o.Environ) {
		a.c.o.Log.Info("auto-resume only watches: the agent loads a plugin of the same purpose", "session", row.ID)
		set.Yields = true
	}
	a.mu.Lock()
	delete(a.driven, row.ID)
	if o.Enabled {
		a.driven[row.ID] = true
	}
	a.mu.Unlock()
	a.pilot.Set(row.ID, set)
}

// tools are the MCP servers of a session's agent: task_complete, where the session
// is driven when the agent is started.
func (a *automation) tools(row history.Session, kept history.Auto) []managed.Tool {
	if a == nil || a.chosen().Of(settings.Choice(kept.Choice), row.Dir) == settings.AutoOff {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.post == nil {
		post, err := mcp.Open(a.c.o.Dir, a.complete)
		if err != nil {
			a.c.o.Log.Warn("task_complete cannot be offered", "err", err)
			return nil
		}
		a.post = post
	}
	return []managed.Tool{{Name: "turnwatch", Command: a.c.o.Self, Args: []string{"mcp"}, Env: a.post.Admit(row.ID)}}
}

func (a *automation) complete(ctx context.Context, id agent.SessionID) mcp.Reply {
	got := a.pilot.Complete(ctx, id)
	return mcp.Reply{Result: mcp.Result(got.Result), Open: got.Open}
}

// release forgets a session that is not supervised any more.
func (a *automation) release(id agent.SessionID) {
	if a == nil {
		return
	}
	a.pilot.Set(id, pilot.Setting{})
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.driven, id)
}

func (a *automation) close() error {
	if a == nil {
		return nil
	}
	a.pilot.Close()
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.post == nil {
		return nil
	}
	return a.post.Close()
}

// hear passes on what the user does, before it takes effect: the user wins.
func (a *automation) hear(id agent.SessionID, ev autoresume.Event) {
	if a != nil {
		a.pilot.Hear(id, ev)
	}
}

// Typing says that the user writes into a session: nothing is sent by itself just
// then.
func (c *Core) Typing(id agent.SessionID) { c.auto.hear(id, autoresume.Typing{}) }

// DismissAuto takes back what auto-resume has announced for a session, and leaves
// the turn alone.
func (c *Core) DismissAuto(id agent.SessionID) { c.auto.hear(id, autoresume.Dismissed{}) }

// Auto is what holds for a session.
type Auto struct {
	Choice settings.Choice // of the task; "" where its folder's holds
	Folder settings.Choice // of the folder; "" where none was made
	Now    settings.Choice // what holds
}

// Automated says whether anything may be done by itself in a session that is
// supervised: there is automation that can be stopped.
func (c *Core) Automated() bool {
	if c.auto == nil {
		return false
	}
	c.auto.mu.Lock()
	defer c.auto.mu.Unlock()
	return len(c.auto.driven) > 0
}

// AutoOf reads what holds for a session.
func (c *Core) AutoOf(ctx context.Context, id agent.SessionID) (Auto, error) {
	if c.auto == nil {
		return Auto{Now: settings.AutoOff}, nil
	}
	row, kept, err := c.autoRow(ctx, id)
	if err != nil {
		return Auto{}, err
	}
	choice, chosen := settings.Choice(kept.Choice), c.auto.chosen()
	return Auto{Choice: choice, Folder: chosen.Folders[row.Dir], Now: chosen.Of(choice, row.Dir)}, nil
}

func (c *Core) autoRow(ctx context.Context, id agent.SessionID) (history.Session, history.Auto, error) {
	row, err := c.store.Session(ctx, id)
	if err != nil {
		return row, history.Auto{}, fmt.Errorf("read session: %w", err)
	}
	kept, err := c.store.Auto(ctx, id)
	return row, kept, err
}

// ChooseAuto chooses for one session; "" lets its folder's choice hold again. It
// takes effect at once.
func (c *Core) ChooseAuto(ctx context.Context, id agent.SessionID, choice settings.Choice) error {
	if c.auto == nil {
		return errors.New("auto-resume is not available here")
	}
	if err := c.store.ChooseAuto(ctx, id, string(choice)); err != nil {
		return fmt.Errorf("choose auto-resume: %w", err)
	}
	return c.redrive(ctx, id)
}

// AutoChanged takes up what the user has changed in the settings, for all sessions
// that are supervised. With everything stopped, what is pending is dropped first.
func (c *Core) AutoChanged(ctx context.Context) error {
	if c.auto == nil {
		return nil
	}
	c.auto.pilot.Switch(!c.auto.chosen().Stopped)
	c.mu.Lock()
	ids := make([]agent.SessionID, 0, len(c.sessions))
	for id := range c.sessions {
		ids = append(ids, id)
	}
	c.mu.Unlock()
	var errs []error
	for _, id := range ids {
		errs = append(errs, c.redrive(ctx, id))
	}
	return errors.Join(errs...)
}

func (c *Core) redrive(ctx context.Context, id agent.SessionID) error {
	s := c.owner(id)
	if s == nil {
		return nil // it is driven when it is taken up
	}
	row, kept, err := c.autoRow(ctx, id)
	if err == nil {
		c.auto.drive(row, kept, s.View(), false)
	}
	return err
}

// AutoSteps reads the ledger of auto-resume, newest first: see history.
func (c *Core) AutoSteps(ctx context.Context, id agent.SessionID, before int64, n int) ([]history.AutoStep, error) {
	return c.store.AutoSteps(ctx, id, before, n)
}
