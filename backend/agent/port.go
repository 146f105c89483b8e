package agent

import (
	"context"
	"errors"
	"time"
)

// Connector brings an agent to where it can be spoken to. It is safe for use
// from several goroutines.
type Connector interface {
	// Open starts or joins the agent and makes one provider session ready: a new
	// one, or Resume where the request names one. It blocks until the agent has
	// answered or ctx ends, so it is never called by an owner. An error that a
	// person can act on is a *Failure. When Open returns an error nothing of the
	// agent is left running.
	Open(ctx context.Context, req OpenRequest, sink Sink) (Conn, error)
}

// OpenRequest says what is wanted of a session.
type OpenRequest struct {
	Session SessionID
	Dir     string            // absolute, existing
	Resume  ProviderSession   // "" for a new session
	Options map[string]string // by option id or category ("model", "mode"): values to set once open
}

// Conn is one open session with an agent.
type Conn interface {
	// Info is what the agent said when the session was opened.
	Info() SessionInfo
	// Prompt hands a prompt to the pipe and returns; it does not wait for the
	// answer. The answer, an error of the agent or its loss is delivered to the
	// sink as one Answered with this generation, after everything that the agent
	// sent before it, however late it comes. When Prompt itself returns an error
	// nothing was sent and no Answered follows.
	Prompt(ctx context.Context, g Generation, p Prompt) error
	// Cancel sends session/cancel. It returns when the line was handed to the
	// pipe or ctx ended; it waits for no answer. ErrCancelRefused says that this
	// agent takes no cancel.
	Cancel(ctx context.Context) error
	// Decide answers a request. One that is not open any more is no error.
	Decide(ctx context.Context, id AskID, d Decision) error
	// Choose sets an option and blocks for the answer.
	Choose(ctx context.Context, id, value string) ([]Option, error)
	// Close stops the agent by the stop order, whatever it takes, and returns
	// when nothing of it is left or ctx ended. It may be called more than once.
	Close(ctx context.Context) error
}

// ErrCancelRefused says that an agent does not take a cancel.
var ErrCancelRefused = errors.New("agent takes no cancel")

// Sink is where a connection puts what it reads. The owner of the session stands
// behind it.
type Sink interface {
	// Stamp tells the generation in force and the time. Call it where the byte is
	// read. It never blocks.
	Stamp() Stamp
	// Deliver hands an event over, in order, and blocks while the owner is
	// behind: that is the back-pressure on the agent. It returns at once, and
	// the event is dropped, when the session is gone.
	Deliver(Event)
	// Offer hands an event over without ever blocking; false says that there was
	// no room. For evidence read from a pipe that must be drained.
	Offer(Event) bool
}

// Clock tells the time and wakes its caller. It is injected everywhere, so that
// tests run at virtual time.
type Clock interface {
	Now() time.Time
	AfterFunc(d time.Duration, f func()) (stop func() bool)
}

// SystemClock is the real clock.
type SystemClock struct{}

// Now tells the time, with Go's monotonic reading in it.
func (SystemClock) Now() time.Time { return time.Now() }

// AfterFunc calls f in its own goroutine after d.
func (SystemClock) AfterFunc(d time.Duration, f func()) func() bool {
	return time.AfterFunc(d, f).Stop
}

// Moment is a point in time in two ways: Wall is for people and for what others
// announce, Awake is what silence is measured with. Awake is monotonic, counts
// from an arbitrary start and stands while the computer sleeps.
type Moment struct {
	Wall  time.Time
	Awake time.Duration
}
