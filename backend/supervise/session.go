package supervise

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/turn"
)

// Recorder is the history as an owner sees it.
type Recorder interface {
	// Record takes entries in order and never blocks. A must batch is kept until
	// it is stored. done is called once, from any goroutine and soon: with nil
	// when the batch is on disk, else with why it was refused.
	Record(entries []agent.Entry, must bool, done func(error))
}

// Options say whose session it is and what it works with. All are needed, but
// Log, Publish and Policy.
type Options struct {
	Task      agent.TaskID
	Session   agent.SessionID
	Dir       string
	Wanted    map[string]string // option values to set when the agent is up
	Connector agent.Connector
	Recorder  Recorder
	Clock     agent.Clock
	Awake     func() time.Duration // nil is agent.Awake
	Log       *slog.Logger
	Policy    turn.Policy
	State     *turn.State
	// Publish is told every fact: parts of the transcript at once, decisions when
	// they are on disk. It is called from several goroutines and must not block.
	Publish func([]agent.Entry)
}

// ErrClosed says that the session is not supervised any more.
var ErrClosed = errors.New("session is closed")

// Session is a supervised session. All methods are safe from any goroutine.
type Session struct {
	o     Options
	box   *mailbox
	hands *hands
	count agent.Counter
	view  atomic.Pointer[turn.View]
	over  chan struct{} // closed when the owner has gone
}

// Start begins to supervise a session. The owner runs until Close.
func Start(o Options) *Session {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Awake == nil {
		o.Awake = agent.Awake
	}
	if o.Publish == nil {
		o.Publish = func([]agent.Entry) {}
	}
	s := &Session{o: o, box: newMailbox(), over: make(chan struct{})}
	v := o.State.View()
	s.view.Store(&v)
	s.hands = newHands(s)
	go newOwner(s, o.State).run()
	return s
}

// Do hands an event of the user to the owner and returns when it has taken
// effect: what had to be written is on disk. A *Reason says why nothing changed.
// When ctx ends first the event may still take effect.
func (s *Session) Do(ctx context.Context, ev agent.Event) error {
	reply := make(chan error, 1)
	if !s.box.post(letter{event: ev, reply: reply}) {
		return ErrClosed
	}
	select {
	case err := <-reply:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Post hands an event over without waiting for what comes of it.
func (s *Session) Post(ev agent.Event) { s.box.post(letter{event: ev}) }

// View is where the session stands. It lags behind Do by nothing and behind the
// agent by what waits in the mailbox.
func (s *Session) View() turn.View { return *s.view.Load() }

// Over is closed when the owner has gone and nothing of the agent is left.
func (s *Session) Over() <-chan struct{} { return s.over }

// Close interrupts a turn in hand, stops the agent and ends the owner. It returns
// when nothing of the agent is left and everything is on disk, or when ctx ends.
func (s *Session) Close(ctx context.Context) error {
	s.box.post(letter{event: agent.Closed{}})
	select {
	case <-s.over:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
