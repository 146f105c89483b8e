package cli

import (
	"context"
	"errors"
	"os"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"turnwatch/backend/agent"
	"turnwatch/backend/locale"
	"turnwatch/backend/view"
)

// stand plays the core: it hands out facts and keeps what it is told to do.
type stand struct {
	mu     sync.Mutex
	facts  []agent.Entry
	did    []agent.Event
	ready  chan struct{}
	submit error
	ended  bool
}

func newStand() *stand { return &stand{ready: make(chan struct{}, 1)} }

func (s *stand) Submit(context.Context, agent.SessionID, []agent.Block) (agent.PromptID, error) {
	return "p", s.submit
}

func (s *stand) Do(_ context.Context, _ agent.SessionID, ev agent.Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.did = append(s.did, ev)
	return nil
}

func (s *stand) Ready() <-chan struct{} { return s.ready }

func (s *stand) Take() ([]agent.Entry, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	facts := s.facts
	s.facts = nil
	return facts, len(facts) > 0 || !s.ended
}

func (s *stand) tell(facts ...agent.Fact) {
	s.mu.Lock()
	for _, f := range facts {
		s.facts = append(s.facts, agent.Entry{At: time.Now(), Fact: f})
	}
	s.mu.Unlock()
	select {
	case s.ready <- struct{}{}:
	default:
	}
	synctest.Wait()
}

// sheet keeps what would be drawn.
type sheet struct {
	seen    []agent.Fact
	remarks []string
	fails   error
}

func (s *sheet) entries(entries []agent.Entry) {
	for _, e := range entries {
		s.seen = append(s.seen, e.Fact)
	}
}
func (s *sheet) ask(agent.Ask)                                 {}
func (s *sheet) keys(agent.Ask)                                {}
func (s *sheet) answer(agent.Ask, agent.Decision)              {}
func (s *sheet) tick(time.Time)                                {}
func (s *sheet) remark(key string, _ locale.Args)              { s.remarks = append(s.remarks, key) }
func (s *sheet) end(view.Final, *agent.Failure, time.Duration) {}
func (s *sheet) err() error                                    { return s.fails }

// bench is a conductor at work in a bubble of its own time.
type bench struct {
	*conductor
	stand   *stand
	sheet   *sheet
	signals chan os.Signal
	health  chan error
	over    chan struct{}
}

func conduct(t *testing.T, prepare func(*bench), play func(*bench)) *bench {
	t.Helper()
	var b *bench
	synctest.Test(t, func(t *testing.T) {
		b = &bench{stand: newStand(), sheet: &sheet{}, signals: make(chan os.Signal, 4), health: make(chan error, 4), over: make(chan struct{})}
		b.conductor = &conductor{engine: b.stand, watch: b.stand, draw: b.sheet, signals: b.signals, health: b.health}
		prepare(b)
		b.out = newOutbox(b.sheet.err)
		go func() {
			defer close(b.over)
			b.run(t.Context(), []agent.Block{agent.TextBlock("hi")})
		}()
		synctest.Wait()
		play(b)
		<-b.over
		b.out.close()
		<-b.out.over
	})
	return b
}

func started() agent.Fact { return agent.TurnStarted{Generation: 1} }

func settled(o agent.Outcome) []agent.Fact {
	return []agent.Fact{agent.TurnSettled{Outcome: o}, agent.StateSet{Session: agent.SessionWaiting, Task: agent.TaskDone}}
}

func nothing(*bench) {}

func TestARunEndsWithTheStateAfterItsTurn(t *testing.T) {
	b := conduct(t, nothing, func(b *bench) {
		b.stand.tell(started(), agent.StateSet{Session: agent.SessionRunning})
		b.stand.tell(settled(agent.Completed)[0])
		b.stand.tell(settled(agent.Completed)[1], agent.UsageSet{})
	})
	assert.Equal(t, agent.Completed, b.turn.End.Outcome)
	assert.Len(t, b.sheet.seen, 4, "what comes after the state is no part of the run")
}

func TestARunDoesNotWaitForAStateThatDoesNotCome(t *testing.T) {
	began := time.Time{}
	b := conduct(t, nothing, func(b *bench) {
		began = time.Now()
		b.stand.tell(started(), settled(agent.Failed)[0])
		<-b.over
		assert.Equal(t, stateWait, time.Since(began))
	})
	assert.Equal(t, agent.Failed, b.turn.End.Outcome)
}

func TestSignals(t *testing.T) {
	cancel := []agent.Event{agent.CancelTurn{}}
	tests := []struct {
		name string
		play func(*bench)
		did  []agent.Event
		said []string
	}{
		{"before the turn: leave", func(b *bench) { b.signals <- os.Interrupt }, nil, nil},
		{"once: cancel, and the turn settles", func(b *bench) {
			b.stand.tell(started())
			b.signals <- os.Interrupt
			synctest.Wait()
			b.stand.tell(settled(agent.Cancelled)...)
		}, cancel, []string{"run.cancelling"}},
		{"twice: leave at once", func(b *bench) {
			b.stand.tell(started())
			b.signals <- os.Interrupt
			synctest.Wait()
			b.signals <- syscall.SIGTERM
		}, cancel, []string{"run.cancelling"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := conduct(t, nothing, tt.play)
			assert.Equal(t, tt.did, b.stand.did)
			assert.Equal(t, tt.said, b.sheet.remarks)
			assert.NoError(t, b.state.err)
		})
	}
}

func TestRequestsWithoutATerminal(t *testing.T) {
	tests := []struct {
		name   string
		allow  allowed
		kind   string
		want   agent.Decision
		denied bool
	}{
		{"nobody is there", nil, "execute", agent.Decision{By: agent.ByNobody}, true},
		{"another kind was allowed", allowed{"reads": true}, "execute", agent.Decision{By: agent.ByNobody}, true},
		{"this kind was allowed", allowed{"commands": true}, "execute", agent.Decision{Option: "o", By: agent.ByFlag}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := conduct(t, func(b *bench) { b.allow = tt.allow }, func(b *bench) {
				b.stand.tell(started(), agent.AskOpened{Ask: ask(tt.kind, once, reject)})
				b.stand.tell(settled(agent.Completed)...)
			})
			assert.Equal(t, []agent.Event{agent.Decide{Ask: "a", Decision: tt.want}}, b.stand.did)
			assert.Equal(t, tt.denied, b.state.denied)
		})
	}
}

func TestTheAgentIsNamedBeforeItSpeaks(t *testing.T) {
	said := agent.PartSet{Part: agent.Part{Seq: 2, Kind: agent.PartText, Text: "a"}}
	more := agent.PartAppended{Seq: 2, Text: "b"}
	ready := agent.SessionReady{}
	b := conduct(t, nothing, func(b *bench) {
		b.stand.tell(started(), said)
		assert.Equal(t, []agent.Fact{started()}, b.sheet.seen)
		b.stand.tell(more, ready)
		assert.Equal(t, []agent.Fact{started(), ready, said, more}, b.sheet.seen)
		b.stand.tell(settled(agent.Completed)...)
	})
	assert.Len(t, b.sheet.seen, 6)
}

func TestAnAgentThatIsSlowToComeIsNamedBeforeItSpeaks(t *testing.T) {
	said := agent.PartSet{Part: agent.Part{Seq: 2, Kind: agent.PartText, Text: "a"}}
	ready := agent.SessionReady{}
	conduct(t, nothing, func(b *bench) {
		b.stand.tell(started())
		<-time.After(3*tickEvery + tickEvery/2)
		b.stand.tell(said)
		<-time.After(tickEvery - tickEvery/4) // a tick falls into the wait
		b.stand.tell(ready)
		assert.Equal(t, []agent.Fact{started(), ready, said}, b.sheet.seen)
		b.stand.tell(settled(agent.Completed)...)
	})
}

func TestWhatTheAgentSaysIsNotHeldForLong(t *testing.T) {
	said := agent.PartSet{Part: agent.Part{Seq: 2, Kind: agent.PartText, Text: "a"}}
	conduct(t, nothing, func(b *bench) {
		b.stand.tell(started(), said)
		<-time.After(tickEvery + time.Millisecond)
		synctest.Wait()
		assert.Equal(t, []agent.Fact{started(), said}, b.sheet.seen)
		b.stand.tell(settled(agent.Completed)...)
	})
}

func TestAPromptThatIsRefusedEndsTheRun(t *testing.T) {
	refused := errors.New("refused")
	b := conduct(t, func(b *bench) { b.stand.submit = refused }, nothing)
	assert.ErrorIs(t, b.state.err, refused)
}

func TestAReaderThatIsGoneEndsTheRun(t *testing.T) {
	gone := errors.New("gone")
	b := conduct(t, nothing, func(b *bench) {
		b.sheet.fails = gone
		b.stand.tell(started())
	})
	assert.ErrorIs(t, b.state.err, gone)
}

func TestTroubleOfTheHistoryIsTold(t *testing.T) {
	b := conduct(t, nothing, func(b *bench) {
		b.health <- errors.New("disk is full")
		synctest.Wait()
		b.health <- nil
		synctest.Wait()
		b.stand.tell(append([]agent.Fact{started()}, settled(agent.Completed)...)...)
	})
	assert.Equal(t, []string{"run.history_ill", "run.history_well"}, b.sheet.remarks)
}

// A terminal that takes nothing does not keep a signal from being heard.
func TestADrawerThatIsStuckHoldsNobodyUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck := make(chan struct{})
		s := newStand()
		signals := make(chan os.Signal, 2)
		c := &conductor{engine: s, watch: s, draw: &sheet{}, signals: signals}
		c.out = newOutbox(c.draw.err)
		c.out.put(func() { <-stuck })
		over := make(chan struct{})
		go func() { c.run(t.Context(), nil); close(over) }()
		synctest.Wait()
		for range 1000 {
			s.tell(started(), agent.PartAppended{Seq: 1, Text: "x"})
		}
		signals <- os.Interrupt
		signals <- os.Interrupt
		<-over
		close(stuck)
		c.out.close()
		<-c.out.over
	})
}
