package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"golang.org/x/term"

	"turnwatch/backend/agent"
	"turnwatch/backend/cli/terminal"
	"turnwatch/backend/core"
	"turnwatch/backend/history"
	"turnwatch/backend/locale"
	"turnwatch/backend/settings"
	"turnwatch/backend/view"
)

// closeWait bounds the end of a run: agents stop in less, by their stop order.
// Where the history can't be written there is less to wait for.
const (
	closeWait     = 30 * time.Second
	sickCloseWait = 5 * time.Second
)

// perform runs one turn. Whatever happens, nothing of the agent is left running
// and what was recorded is stored when it returns.
func (a *app) perform(ctx context.Context, o order) error {
	signals, ignore := catch()
	defer ignore()
	began := time.Now()
	health := make(chan error, 4)
	c, err := a.open(ctx, signals, health, a.seated(o))
	if err != nil {
		return err
	}
	closed := false
	finish := func(wait time.Duration) error {
		if closed {
			return nil
		}
		closed = true
		bounded, stop := context.WithTimeout(context.WithoutCancel(ctx), wait)
		defer stop()
		return c.Close(bounded)
	}
	ref, err := c.NewTask(ctx, o.task)
	if err != nil {
		return errors.Join(err, finish(closeWait))
	}
	return a.lead(ctx, o, stage{core: c, ref: ref, began: began, signals: signals, health: health, finish: finish})
}

// stage is an opened core with the task of the run.
type stage struct {
	core    *core.Core
	ref     core.Ref
	began   time.Time
	signals <-chan os.Signal
	health  <-chan error
	finish  func(wait time.Duration) error
}

// lead conducts the turn, then closes, then tells how it ended.
func (a *app) lead(ctx context.Context, o order, s stage) error {
	w := s.core.Watch(s.ref.Session)
	defer w.Close()
	draw, asks := a.drawer(o, s.began)
	out := newOutbox(draw.err)
	c := &conductor{
		engine: s.core, watch: w, session: s.ref.Session, allow: o.allow,
		draw: draw, out: out, signals: s.signals, health: s.health, asks: asks,
	}
	for _, remark := range opened(s.core.Opened()) {
		c.remark(remark.key, remark.args)
	}
	c.run(ctx, []agent.Block{agent.TextBlock(o.prompt)})
	leaveNothing(c, s)
	if c.turn.End != nil {
		a.conclude(c, s)
	}
	wait := closeWait
	if c.state.trouble != nil {
		wait = sickCloseWait
	}
	ended := a.finish(c, s, wait)
	if c.turn.End == nil { // left before the end: closing made one
		rest, _ := w.Take()
		c.take(func(agent.Event) {}, rest)
		a.conclude(c, s)
	}
	return a.verdict(c, ended)
}

// closeSay is how long closing may take without a word.
const closeSay = time.Second

// finish closes, and says what it waits for where that takes a while.
func (a *app) finish(c *conductor, s stage, wait time.Duration) error {
	ended := make(chan error, 1)
	go func() { ended <- s.finish(wait) }()
	select {
	case err := <-ended:
		return err
	case <-time.After(closeSay):
	}
	select {
	case <-c.out.over: // nobody draws any more
		c.draw.remark("run.ending", nil)
	default:
		c.remark("run.ending", nil)
	}
	return <-ended
}

// conclude has the end of the run drawn.
func (a *app) conclude(c *conductor, s stage) {
	final, f := c.final()
	final.Task, final.Session = s.ref.Task, s.ref.Session
	if c.state.err == nil {
		took := time.Since(s.began)
		if end := c.turn.End; end != nil && !c.turn.Started.IsZero() {
			took = end.At.Sub(c.turn.Started)
		}
		c.out.put(func() { c.draw.end(final, f, took) })
	}
	c.out.close()
	select {
	case <-c.out.over:
	case <-c.signals: // nobody takes the output; leave it
	}
}

// final is the outcome of the run. A run that was left before its turn began is
// cancelled.
func (c *conductor) final() (view.Final, *agent.Failure) {
	end := c.turn.End
	if end == nil {
		return view.Final{Outcome: agent.Cancelled, Denied: c.state.denied}, nil
	}
	final := view.Final{
		Outcome: end.Outcome, Stop: end.Stop, ByAgent: end.ByAgent,
		Denied: c.state.denied, Failure: view.Show(end.Failure),
	}
	if end.Usage != (agent.Usage{}) {
		final.Usage = &end.Usage
	}
	return final, end.Failure
}

// verdict gives the exit status. What could not be stored or drawn outranks how
// the turn ended; a reader that left is no error to speak of.
func (a *app) verdict(c *conductor, ended error) error {
	switch {
	case c.state.trouble != nil:
		return c.state.trouble
	case ended != nil:
		return fmt.Errorf("close: %w", ended)
	case c.state.err != nil && hungUp(c.state.err):
		return quit(StatusError)
	case c.state.err != nil:
		return c.state.err
	case c.draw.err() != nil && !hungUp(c.draw.err()):
		return fmt.Errorf("write result: %w", c.draw.err())
	case c.draw.err() != nil:
		return quit(StatusError)
	}
	final, f := c.final()
	if final.Outcome == agent.Interrupted && c.state.interrupts > 0 {
		return quit(StatusCancelled)
	}
	return quit(statusOf(final.Outcome, f, final.Denied))
}

// drawer chooses how the run is shown, and whether there is somebody to ask: a
// terminal to read keys from and one to show the request on, and no program that
// reads the result.
func (a *app) drawer(o order, began time.Time) (drawer, *asks) {
	side := terminal.NewPrinter(a.env.Err, terminal.LookOf(a.env.Err, a.env.Getenv), a.words)
	if o.json {
		return newJSONDrawer(a.env.Out, side, began), nil
	}
	look := terminal.LookOf(a.env.Out, a.env.Getenv)
	d := &textDrawer{
		page: terminal.NewPrinter(a.env.Out, look, a.words), side: side,
		width: func() int { return terminal.LookOf(a.env.Out, a.env.Getenv).Width },
	}
	d.asks = d.page
	if !term.IsTerminal(int(a.env.Out.Fd())) {
		d.asks = side
	}
	if !a.seated(o) {
		return d, nil
	}
	return d, newAsks(a.env.In)
}

// said is a sentence by key.
type said struct {
	key  string
	args locale.Args
}

// opened tells what opening had to do that a person should know of.
func opened(o core.Opened) []said {
	var list []said
	if o.History.SetAside != "" {
		list = append(list, said{"run.history_set_aside", locale.Args{"file": o.History.SetAside}})
	}
	if n := len(o.Reaped); n > 0 {
		list = append(list, said{"run.reaped", locale.Args{"count": fmt.Sprint(n)}})
	}
	return list
}

// open opens the core. A signal ends the attempt. Seated says that somebody is there.
func (a *app) open(ctx context.Context, signals <-chan os.Signal, health chan<- error, seated bool) (*core.Core, error) {
	dir, err := a.folder()
	if err != nil {
		return nil, err
	}
	log, err := a.logger()
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find own program: %w", err)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	opening := make(chan struct{})
	defer close(opening)
	interrupted := make(chan struct{})
	go func() {
		select {
		case <-signals:
			close(interrupted)
			stop()
		case <-opening:
		}
	}()
	c, err := core.Open(ctx, core.Options{
		Dir: dir, Self: self, Retries: seated, Version: version(), Log: log, Keep: keepIn(dir, log),
		OnHealth: func(h history.Health) {
			err := h.Err
			if err != nil {
				err = errors.New(a.explain(err))
			}
			select {
			case health <- err:
			default:
			}
		},
	})
	select {
	case <-interrupted:
		if err == nil {
			err = c.Close(context.WithoutCancel(ctx))
		}
		return nil, &statusError{status: StatusCancelled, err: err}
	default:
	}
	return c, err
}

// keepIn reads how much of a data folder's history is kept.
func keepIn(dir string, log *slog.Logger) func() settings.Keep {
	chosen, err := settings.Open(dir)
	if err != nil {
		log.Warn("settings could not be read or kept", "err", err)
	}
	return func() settings.Keep { return chosen.Get().Keep }
}
