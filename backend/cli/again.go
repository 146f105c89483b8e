package cli

import (
	"context"
	"time"

	"golang.org/x/term"

	"turnwatch/backend/agent"
	"turnwatch/backend/cli/terminal"
)

// seated reports whether a person sits in front of the run who can see what happens
// and press a key. Only then is a failed prompt sent again by itself.
func (a *app) seated(o order) bool {
	is := func(fd uintptr) bool { return term.IsTerminal(int(fd)) }
	return !o.json && is(a.env.In.Fd()) && (is(a.env.Out.Fd()) || is(a.env.Err.Fd()))
}

// hurry takes a key while a failed prompt waits to be sent again: r sends it now, c
// and Escape stop it.
func (c *conductor) hurry(do func(agent.Event), k terminal.Key, ok bool) {
	switch {
	case !ok || c.turn.Again == nil:
	case k == 'r' || k == 'R':
		do(agent.RetryNow{})
	case k == 'c' || k == 'C' || k == terminal.KeyEscape:
		do(agent.CancelTurn{})
	}
}

// open begins to read keys without a request. Where the terminal cannot be read
// there are none: Ctrl-C is left.
func (a *asks) open() {
	if a == nil || a.keys != nil {
		return
	}
	if keys, err := terminal.OpenKeys(a.in); err == nil {
		a.keys = keys
	}
}

// rest gives the terminal back unless a request is in hand.
func (a *asks) rest() {
	if a != nil && a.current() == nil {
		a.release()
	}
}

// leaveNothing stops a prompt that waits to be sent again when the run is left: it is
// not to be sent by somebody else later.
func leaveNothing(c *conductor, s stage) {
	if c.turn.Again == nil {
		return
	}
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Second)
	defer stop()
	_ = s.core.Do(ctx, s.ref.Session, agent.CancelTurn{}) // closing comes next, whatever became of it
}
