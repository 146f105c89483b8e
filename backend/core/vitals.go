package core

import (
	"context"
	"fmt"
	"sync"
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/supervise"
	"turnwatch/backend/view"
)

// Vitals is what can be seen of a session beside its transcript. It informs and
// changes nothing.
type Vitals struct {
	At        time.Time // of this look
	Pace      Pace
	Processes Processes
	Earlier   Earlier
}

// Pace is what was heard of the turn in hand, or of the last one. Times are zero
// where the thing has not happened, or was not seen by this program.
type Pace struct {
	Generation agent.Generation // 0 where there was no turn yet
	Sent       time.Time
	First      time.Time // first genuine event
	Last       time.Time // latest genuine event
	Quiet      time.Time // nothing genuine since then; zero while the clock of silence stands
	Settled    time.Time
	Strip      view.Strip
}

// Earlier is what finished runs of the tool that is waited for tell: in Runs
// earlier runs of the same agent's tool it was quiet for up to Longest and then
// finished. Zero where no tool is waited for or none is known to have finished.
type Earlier struct {
	Tool    string // by its public name
	Runs    int
	Longest time.Duration
}

// Vitals looks at a session. It reads the process table at most once a second for
// a session, and only when it is called, so it is for what somebody looks at. It
// may wait for the disk.
func (c *Core) Vitals(ctx context.Context, id agent.SessionID) (Vitals, error) {
	row, err := c.store.Session(ctx, id)
	if err != nil {
		return Vitals{}, fmt.Errorf("read session: %w", err)
	}
	c.mu.Lock()
	s := c.sessions[id]
	c.mu.Unlock()
	v := Vitals{At: c.o.Clock.Now()}
	if s != nil {
		if owned := s.owned.Load(); owned != nil {
			v.Pace, v.Earlier.Tool = c.pace(owned, id)
			v.Processes = s.tap.look(c.o.Clock.Now())
		}
	}
	if v.Pace.Generation == 0 {
		v.Pace, err = c.pastPace(ctx, id)
	}
	if err == nil && v.Earlier.Tool != "" {
		v.Earlier.Runs, v.Earlier.Longest, err = c.store.ToolQuiet(ctx, row.Kind, v.Earlier.Tool)
	}
	return v, err
}

// pace is what this program has heard of a session that it supervises, and the
// tool that is waited for.
func (c *Core) pace(owned *supervise.Session, id agent.SessionID) (Pace, string) {
	awake, now := c.o.Awake(), c.o.Clock.Now()
	p, tool := c.pulses.read(id, awake)
	v := owned.View()
	if p.Generation == 0 || v.Generation != p.Generation {
		return p, ""
	}
	if !v.Up && p.First.IsZero() {
		p.Sent = time.Time{} // it waits for the agent
	}
	if quiet := awake - v.Since; v.Watched && quiet > 0 {
		p.Quiet = now.Add(-quiet)
	}
	return p, tool
}

// pastPace is what the history knows of the last turn of a session.
func (c *Core) pastPace(ctx context.Context, id agent.SessionID) (Pace, error) {
	turns, err := c.store.Turns(ctx, id, 0, 1)
	if err != nil || len(turns) == 0 {
		return Pace{}, err
	}
	p := Pace{Generation: turns[0].Generation, Sent: turns[0].StartedAt}
	if end := turns[0].End; end != nil {
		p.Settled = end.At
	}
	return p, nil
}

// pulses folds what is published into one pulse for each session. It never waits
// for anybody.
type pulses struct {
	awake func() time.Duration

	mu  sync.Mutex
	all map[agent.SessionID]*view.Pulse
}

func newPulses(awake func() time.Duration) *pulses {
	return &pulses{awake: awake, all: map[agent.SessionID]*view.Pulse{}}
}

func (p *pulses) take(entries []agent.Entry) {
	awake := p.awake()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range entries {
		pulse, ok := p.all[e.Session]
		if !ok {
			pulse = &view.Pulse{}
			p.all[e.Session] = pulse
		}
		pulse.Apply(e, awake)
	}
}

func (p *pulses) read(id agent.SessionID, awake time.Duration) (Pace, string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	x, ok := p.all[id]
	if !ok {
		return Pace{}, ""
	}
	return Pace{
		Generation: x.Generation, Sent: x.Sent, First: x.First, Last: x.Last,
		Settled: x.Settled, Strip: x.Strip(awake),
	}, x.Tool()
}

func (p *pulses) forget(id agent.SessionID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.all, id)
}
