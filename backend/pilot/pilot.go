package pilot

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/policy/autoresume"
)

// Owners is how the pilot reaches the sessions.
type Owners interface {
	// Do hands an event to the owner of a session and returns when it has taken
	// effect, or was refused.
	Do(ctx context.Context, id agent.SessionID, ev agent.Event) error
	// Tell hands one over without waiting. Nobody may be there to take it.
	Tell(id agent.SessionID, ev agent.Event)
}

// Options are what a Pilot works with. All are needed, but Log.
type Options struct {
	Owners Owners
	Clock  agent.Clock
	Awake  func() time.Duration
	NewID  func() string
	// Keep stores what the policy must know of a session after a restart. It is
	// called from one goroutine, one call at a time, and may wait.
	Keep func(ctx context.Context, id agent.SessionID, state string) error
	Log  *slog.Logger
}

// patience bounds the asking of an owner.
const patience = time.Minute

// Pilot drives the policy. All methods are safe from any goroutine and none but
// Close and Complete waits.
type Pilot struct {
	o      Options
	inbox  inbox
	ctx    context.Context
	stop   context.CancelFunc
	done   chan struct{}
	errand sync.WaitGroup // owners that are being asked
	memory *memory
}

// Start begins to drive; nothing is driven yet.
func Start(o Options) (*Pilot, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	engine, err := autoresume.New(autoresume.Product(), autoresume.Caps{})
	if err != nil {
		return nil, err
	}
	p := &Pilot{o: o, inbox: inbox{wake: make(chan struct{}, 1)}, done: make(chan struct{}), memory: newMemory(o)}
	p.ctx, p.stop = context.WithCancel(context.Background())
	go (&wheel{p: p, engine: engine, driven: map[agent.SessionID]*driven{}, words: autoresume.Wording()}).run()
	return p, nil
}

// Take hears what the sessions tell.
func (p *Pilot) Take(entries []agent.Entry) { p.inbox.put(letter{entries: entries}) }

// Setting is what the user has chosen for a session, and what is known of it.
type Setting struct {
	Options autoresume.Options // Enabled false: it is not driven
	Wording map[autoresume.Kind]string
	State   string // what Keep was given earlier; taken up when the session is first driven
	Fresh   bool   // its owner is new: Turn and Epoch count from here
	Turn    agent.Generation
	Epoch   uint64
	Running bool // a turn is open; what it has done so far is not known
	Model   string
	Yields  bool // somebody else of the same purpose acts in it: nothing is done
}

// Set drives a session from here on, drives it differently, or no longer.
func (p *Pilot) Set(id agent.SessionID, s Setting) { p.inbox.put(letter{id: id, set: &s}) }

// Hear is told what the user does to a session: Typing, Cancelled, Dismissed.
func (p *Pilot) Hear(id agent.SessionID, ev autoresume.Event) { p.inbox.put(letter{id: id, ev: ev}) }

// Switch stops all automation, or allows it again. What is pending is dropped.
func (p *Pilot) Switch(on bool) { p.inbox.put(letter{ev: autoresume.Switched{On: on}}) }

// Answer is what a call of task_complete gets.
type Answer struct {
	Result autoresume.Result
	Open   []string // entries of the plan that are not done, for Blocked
}

// Complete takes a call of task_complete. It returns when the policy has answered
// or ctx ends.
func (p *Pilot) Complete(ctx context.Context, id agent.SessionID) Answer {
	reply := make(chan Answer, 1)
	p.inbox.put(letter{id: id, ev: autoresume.Completed{}, reply: reply})
	select {
	case a := <-reply:
		return a
	case <-ctx.Done():
	case <-p.done:
	}
	return Answer{Result: autoresume.ReplyError}
}

// Close stops driving. What is being asked of owners ends with it.
func (p *Pilot) Close() {
	p.stop()
	<-p.done
	p.errand.Wait()
	p.memory.close()
}
