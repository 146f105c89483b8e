package core

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
	"turnwatch/backend/managed"
	"turnwatch/backend/proc"
	"turnwatch/backend/settings"
	"turnwatch/backend/supervise"
	"turnwatch/backend/turn"
)

// Options say where everything lives and what it works with.
type Options struct {
	Dir     string   // the data folder; made if it is missing
	Self    string   // the program that answers "demo-agent"
	Version string   // told to the agents
	Environ []string // what agents are found by and started with; nil is our own
	Clock   agent.Clock
	Awake   func() time.Duration // the clock of silence; nil is the system's
	Log     *slog.Logger
	Policy  turn.Policy
	// Retries says that failed prompts are sent again by themselves where that is
	// safe: somebody is there to see it and to stop it. What an earlier run has left
	// waiting is taken up by Rearm. Dice are numbers from 0 up to 1; nil is chance.
	Retries bool
	Dice    func() float64
	// Keep says how much of the history is kept and when an idle agent is
	// stopped; nil keeps everything and leaves Policy as it is. It is asked now
	// and again and must return at once.
	Keep func() settings.Keep
	// Auto is what the user has chosen about auto-resume; nil: there is none. It is
	// asked often and must return at once.
	Auto func() settings.Auto
	// Connect makes the connector of a session; nil launches a process.
	Connect func(kind agent.Kind, command []string) agent.Connector
	// OnHealth is told when the history can't be written and when it can again.
	// It must return at once.
	OnHealth func(history.Health)
}

// Opened says what had to be done to open everything.
type Opened struct {
	History history.Opened
	Reaped  []proc.Reaped // processes that an earlier run had left behind
}

// Core is everything, opened. All methods are safe from any goroutine.
type Core struct {
	o      Options
	store  *history.Store
	ledger *proc.Ledger
	hub    *hub
	pulses *pulses
	keeper *keeper
	auto   *automation // nil where there is none
	dog    *supervise.Watchdog
	opened Opened

	mu       sync.Mutex
	sessions map[agent.SessionID]*slot
	closed   bool
}

// Open opens the data folder. Turns and processes of programs that are gone are
// taken care of first: turns become interrupted, processes are ended.
func Open(ctx context.Context, o Options) (*Core, error) {
	o = o.withDefaults()
	store, opened, err := history.Open(ctx, history.Options{Dir: o.Dir, Clock: o.Clock, Log: o.Log, OnHealth: o.OnHealth})
	if err != nil {
		return nil, fmt.Errorf("open history: %w", err)
	}
	c := &Core{o: o, store: store, hub: newHub(), pulses: newPulses(o.Awake), sessions: map[agent.SessionID]*slot{}}
	c.opened.History = opened
	c.ledger, err = proc.OpenLedger(filepath.Join(o.Dir, "launches"), "")
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open launches: %w", err), store.Close(ctx))
	}
	c.opened.Reaped, err = c.ledger.Reap(ctx)
	if err != nil {
		o.Log.Warn("processes of an earlier run could not all be ended", "err", err)
	}
	if c.auto, err = c.automate(); err != nil {
		return nil, errors.Join(err, c.ledger.Close(), store.Close(ctx))
	}
	c.dog = supervise.Watch(o.Clock, c.supervised)
	c.keeper = keep(store, o)
	return c, nil
}

// supervised lists the sessions that have an owner.
func (c *Core) supervised() []*supervise.Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := make([]*supervise.Session, 0, len(c.sessions))
	for _, s := range c.sessions {
		if s := s.owned.Load(); s != nil {
			list = append(list, s)
		}
	}
	return list
}

func (o Options) withDefaults() Options {
	if o.Clock == nil {
		o.Clock = agent.SystemClock{}
	}
	if o.Awake == nil {
		o.Awake = agent.Awake
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	if o.Policy.Idle == 0 && !o.Policy.Unattended {
		o.Policy.Idle = turn.IdleWait
	}
	if o.Dice == nil {
		o.Dice = rand.Float64
	}
	return o
}

// Opened says what had to be done to open everything.
func (c *Core) Opened() Opened { return c.opened }

// History reads what was recorded.
func (c *Core) History() *history.Store { return c.store }

// Agents looks for the agents on this machine; it takes up to some seconds.
func (c *Core) Agents(ctx context.Context) []managed.Found {
	return managed.Find(ctx, c.launch())
}

// launch is what every agent is launched with.
func (c *Core) launch() managed.Options {
	return managed.Options{
		Self: c.o.Self, Version: c.o.Version, Environ: c.o.Environ,
		Ledger: c.ledger, Log: c.o.Log,
	}
}

// Close interrupts what runs, stops every agent and stores what is left. It
// returns when nothing is left or ctx ends.
func (c *Core) Close(ctx context.Context) error {
	c.dog.Stop()
	c.keeper.close()
	autoErr := c.auto.close() // nothing acts by itself from here on
	c.mu.Lock()
	c.closed = true
	slots := make([]*slot, 0, len(c.sessions))
	for _, s := range c.sessions {
		slots = append(slots, s)
	}
	c.mu.Unlock()

	errs := make([]error, len(slots), len(slots)+3)
	var all sync.WaitGroup
	for i, s := range slots {
		all.Go(func() { errs[i] = s.close(ctx) })
	}
	all.Wait()
	errs = append(errs, autoErr, c.closeStore(ctx), c.ledger.Close())
	c.hub.close()
	return errors.Join(errs...)
}

// closeStore gives the history a moment of its own: what an ended context could
// not wait for is still worth storing.
func (c *Core) closeStore(ctx context.Context) error {
	if ctx.Err() != nil {
		own, stop := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		defer stop()
		ctx = own
	}
	return c.store.Close(ctx)
}
