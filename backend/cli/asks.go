package cli

import (
	"os"
	"slices"

	"turnwatch/backend/agent"
	"turnwatch/backend/cli/terminal"
)

// asks are the requests that wait for a person at a terminal, one at a time: a
// request is drawn, and only then are keys read for it, so that nothing typed
// ahead can approve what was not seen. It belongs to the conductor, whose calls
// never block; shown alone is called by the drawing goroutine.
//
// A nil asks is a run without a terminal: nothing ever comes of it.
type asks struct {
	in    *os.File
	shows chan agent.AskID
	quit  chan struct{}

	queue     []agent.Ask // the first is in hand
	keys      *terminal.Keys
	explained bool // which keys answer the one in hand
}

func newAsks(in *os.File) *asks {
	return &asks{in: in, shows: make(chan agent.AskID), quit: make(chan struct{})}
}

// add queues a request and gives the one to be drawn now, if that is it.
func (a *asks) add(ask agent.Ask) *agent.Ask {
	a.queue = append(a.queue, ask)
	if len(a.queue) > 1 {
		return nil
	}
	return &ask
}

// closed takes a request out and gives the next one to be drawn, if it was the
// one in hand.
func (a *asks) closed(id agent.AskID) *agent.Ask {
	if a == nil {
		return nil
	}
	i := slices.IndexFunc(a.queue, func(x agent.Ask) bool { return x.ID == id })
	if i < 0 {
		return nil
	}
	a.queue = slices.Delete(a.queue, i, i+1)
	if i > 0 {
		return nil
	}
	a.release()
	a.explained = false
	return a.current()
}

// current is the request in hand.
func (a *asks) current() *agent.Ask {
	if a == nil || len(a.queue) == 0 {
		return nil
	}
	return &a.queue[0]
}

// explain reports whether to say which keys answer: once for a request.
func (a *asks) explain() bool {
	first := !a.explained
	a.explained = true
	return first
}

// shown tells the conductor that a request stands on the terminal.
func (a *asks) shown(id agent.AskID) {
	select {
	case a.shows <- id:
	case <-a.quit:
	}
}

// drawn gives the requests that stand on the terminal.
func (a *asks) drawn() <-chan agent.AskID {
	if a == nil {
		return nil
	}
	return a.shows
}

// listen begins to read keys for a request that was drawn. One that was closed
// meanwhile needs none. It is false where the terminal cannot be read.
func (a *asks) listen(id agent.AskID) bool {
	if c := a.current(); c == nil || c.ID != id || a.keys != nil {
		return true
	}
	keys, err := terminal.OpenKeys(a.in)
	if err != nil {
		return false
	}
	a.keys = keys
	return true
}

// pressed gives the keys.
func (a *asks) pressed() <-chan terminal.Key {
	if a == nil || a.keys == nil {
		return nil
	}
	return a.keys.C
}

// release gives the terminal back.
func (a *asks) release() {
	if a.keys != nil {
		_ = a.keys.Close() // what cannot be restored cannot be restored twice
		a.keys = nil
	}
}

// close ends everything. The drawing goroutine is let go.
func (a *asks) close() {
	if a != nil {
		close(a.quit)
		a.release()
	}
}
