package cli

import (
	"context"
	"os"
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/cli/terminal"
	"turnwatch/backend/locale"
	"turnwatch/backend/view"
)

// Bounds of a run. After a turn has settled its state follows at once; an answer
// to a request and a cancel are bounded by the backend itself.
const (
	stateWait = 500 * time.Millisecond
	tickEvery = time.Second
)

// engine is what a run needs of the core.
type engine interface {
	Submit(context.Context, agent.SessionID, []agent.Block) (agent.PromptID, error)
	Do(context.Context, agent.SessionID, agent.Event) error
}

// watch is the stream of facts of the session.
type watch interface {
	Ready() <-chan struct{}
	Take() ([]agent.Entry, bool)
}

// conductor leads one turn from its prompt to its end. Its goroutine never
// blocks: what may block runs beside it and reports.
type conductor struct {
	engine  engine
	watch   watch
	session agent.SessionID
	allow   allowed
	draw    drawer
	out     *outbox
	signals <-chan os.Signal
	health  <-chan error // trouble of the history, nil when it is over

	sick  <-chan time.Time // when a history that can't be written ends the run
	turn  view.Turn
	asks  *asks // nil where there is nobody to ask
	early early
	state verdict
}

// verdict is what a run has come to.
type verdict struct {
	denied     bool  // a request found nobody
	interrupts int   // signals so far
	stated     bool  // the state after the end has come
	trouble    error // what keeps the history from being written
	err        error
}

// report is what a call beside the conductor came back with.
type report struct {
	err   error
	fatal bool
}

// run submits the prompt and returns when the turn has settled, when the user
// leaves or when there is no more use in going on. ctx bounds the calls beside;
// it is ended when run returns.
func (c *conductor) run(ctx context.Context, prompt []agent.Block) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	reports := make(chan report)
	call := func(fatal bool, f func() error) {
		go func() {
			r := report{err: f(), fatal: fatal}
			select {
			case reports <- r:
			case <-ctx.Done():
			}
		}()
	}
	do := func(ev agent.Event) {
		call(false, func() error { return c.engine.Do(ctx, c.session, ev) })
	}
	call(true, func() error {
		_, err := c.engine.Submit(ctx, c.session, prompt)
		return err
	})
	ticker := time.NewTicker(tickEvery)
	defer ticker.Stop()
	defer c.asks.close()
	c.loop(ctx, do, reports, ticker.C)
}

func (c *conductor) loop(ctx context.Context, do func(agent.Event), reports <-chan report, tick <-chan time.Time) {
	var settled <-chan time.Time
	for {
		select {
		case <-c.watch.Ready():
			entries, open := c.watch.Take()
			c.take(do, entries)
			if c.state.stated || !open {
				return
			}
			switch {
			case c.turn.End == nil, c.turn.Again != nil: // it goes on
				settled = nil
			case settled == nil:
				settled = time.After(stateWait)
			}
		case r := <-reports:
			if r.err != nil && r.fatal && c.turn.End == nil {
				c.state.err = r.err
				return
			}
		case <-c.signals:
			if c.interrupt(do) {
				return
			}
		case id := <-c.asks.drawn():
			if !c.asks.listen(id) { // no keys can be read: nobody is there
				c.state.denied = true
				do(nobody(id))
			}
		case k, ok := <-c.asks.pressed():
			c.key(do, k, ok)
		case err := <-c.health:
			c.ill(err)
		case <-c.sick:
			c.state.err = c.state.trouble
			return
		case now := <-tick:
			c.show(c.early.overdue(now))
			c.out.put(func() { c.draw.tick(now) })
		case <-c.out.over:
			c.state.err = c.draw.err()
			return
		case <-settled:
			return
		case <-ctx.Done():
			return
		}
	}
}

// take has entries drawn and answers what they ask. What comes after the end is
// no longer part of the run.
func (c *conductor) take(do func(agent.Event), entries []agent.Entry) {
	for i, e := range entries {
		c.turn.Apply(e)
		switch f := e.Fact.(type) {
		case agent.AskOpened:
			c.asked(do, f.Ask)
		case agent.AskClosed:
			c.next(c.asks.closed(f.ID))
		case agent.StateSet:
			if c.turn.End != nil && c.turn.Again == nil {
				entries = entries[:i+1]
				c.state.stated = true
			}
		case agent.RetryPlanned:
			c.asks.open()
		case agent.RetryDropped, agent.TurnStarted:
			c.asks.rest()
		case agent.OpenRefused:
			c.state.stated = true
		}
		if c.state.stated {
			break
		}
	}
	c.show(c.early.order(entries))
}

func (c *conductor) show(entries []agent.Entry) {
	if len(entries) > 0 {
		c.out.put(func() { c.draw.entries(entries) })
	}
}

// asked answers a request by what was allowed beforehand, or has it asked, or
// tells the agent that nobody is there.
func (c *conductor) asked(do func(agent.Event), a agent.Ask) {
	if d, ok := c.allow.decide(a); ok {
		do(agent.Decide{Ask: a.ID, Decision: d})
		return
	}
	if c.asks == nil {
		c.state.denied = true
		do(nobody(a.ID))
		return
	}
	c.next(c.asks.add(a))
}

// next has a request drawn, if there is one.
func (c *conductor) next(a *agent.Ask) {
	if a == nil {
		return
	}
	ask, show := *a, c.asks.shown
	c.out.put(func() {
		c.draw.ask(ask)
		show(ask.ID)
	})
}

// key takes a key for the request in hand. A terminal that is gone is nobody.
func (c *conductor) key(do func(agent.Event), k terminal.Key, ok bool) {
	a := c.asks.current()
	if a == nil {
		c.hurry(do, k, ok)
		return
	}
	d, valid := agent.Decision{By: agent.ByNobody}, true
	if ok {
		d, valid = terminal.OptionFor(*a, k)
	} else {
		c.state.denied = true
	}
	ask := *a
	if !valid {
		if c.asks.explain() {
			c.out.put(func() { c.draw.keys(ask) })
		}
		return
	}
	c.out.put(func() { c.draw.answer(ask, d) })
	do(agent.Decide{Ask: ask.ID, Decision: d})
	c.next(c.asks.closed(ask.ID))
}

// interrupt takes a signal: the first cancels the turn, the next leaves. It
// reports whether to leave.
func (c *conductor) interrupt(do func(agent.Event)) bool {
	c.state.interrupts++
	if c.state.interrupts > 1 || c.turn.Started.IsZero() {
		return true
	}
	c.remark("run.cancelling", nil)
	do(agent.CancelTurn{})
	return false
}

// sickWait is how long a run waits for a history that can't be written: time to
// make room on a disk, not for ever.
const sickWait = 10 * time.Second

// ill tells that the history cannot be written, and when it can again.
func (c *conductor) ill(err error) {
	c.state.trouble = err
	if err == nil {
		c.sick = nil
		c.remark("run.history_well", nil)
		return
	}
	if c.sick == nil {
		c.sick = time.After(sickWait)
	}
	c.remark("run.history_ill", locale.Args{"error": err.Error()})
}

func (c *conductor) remark(key string, args locale.Args) {
	c.out.put(func() { c.draw.remark(key, args) })
}

func nobody(id agent.AskID) agent.Event {
	return agent.Decide{Ask: id, Decision: agent.Decision{By: agent.ByNobody}}
}
