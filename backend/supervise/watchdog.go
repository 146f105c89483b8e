package supervise

import (
	"sync"
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/turn"
)

// Tick is how often the watchdog looks.
const Tick = time.Minute

// Watchdog looks at all sessions at every tick and hands a snapshot to the owner
// of each turn that has been silent for the threshold. It decides nothing: the
// owner drops a snapshot that is stale. Sessions whose turns have no answer to
// wait for are looked at like any other.
type Watchdog struct {
	clock    agent.Clock
	sessions func() []*Session

	mu      sync.Mutex
	stop    func() bool
	stopped bool
}

// Watch starts a watchdog over the sessions that the function lists. The function
// is called at every tick and must not block.
func Watch(clock agent.Clock, sessions func() []*Session) *Watchdog {
	w := &Watchdog{clock: clock, sessions: sessions}
	w.arm()
	return w
}

// Stop ends the watchdog. A tick under way may still hand over its snapshots.
func (w *Watchdog) Stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stopped = true
	w.stop()
}

func (w *Watchdog) arm() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.stopped {
		w.stop = w.clock.AfterFunc(Tick, w.tick)
	}
}

func (w *Watchdog) tick() {
	for _, s := range w.sessions() {
		s.check()
	}
	w.arm()
}

// check hands a snapshot to the owner when the turn in hand has been silent.
func (s *Session) check() {
	v := s.View()
	if v.Watched && s.o.Awake()-v.Since >= turn.Threshold {
		s.box.post(letter{event: agent.Checked{Session: s.o.Session, Generation: v.Generation, Epoch: v.Epoch}})
	}
}

// now is the present in both ways of telling it.
func (s *Session) now() agent.Moment {
	return agent.Moment{Wall: s.o.Clock.Now(), Awake: s.o.Awake()}
}
