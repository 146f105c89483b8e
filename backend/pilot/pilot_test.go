package pilot_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/pilot"
	"turnwatch/backend/policy/autoresume"
)

// bench is a pilot with owners that the test plays, at virtual time.
type bench struct {
	*pilot.Pilot
	t     *testing.T
	began time.Time

	mu     sync.Mutex
	steps  []agent.AutoStep
	asked  []agent.Event
	refuse error
	kept   map[agent.SessionID]string
}

func newBench(t *testing.T) *bench {
	b := &bench{t: t, began: time.Now(), kept: map[agent.SessionID]string{}}
	p, err := pilot.Start(pilot.Options{
		Owners: b, Clock: agent.SystemClock{}, Awake: func() time.Duration { return time.Since(b.began) },
		NewID: func() string { return "auto" },
		Keep: func(_ context.Context, id agent.SessionID, state string) error {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.kept[id] = state
			return nil
		},
	})
	require.NoError(t, err)
	b.Pilot = p
	return b
}

func (b *bench) Do(_ context.Context, _ agent.SessionID, ev agent.Event) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.asked = append(b.asked, ev)
	if p, ok := ev.(agent.AutoPrompt); ok && b.refuse == nil {
		b.Take([]agent.Entry{{Session: "s1", At: time.Now(), Fact: agent.TurnStarted{Generation: p.Turn + 1, Auto: &p.Auto}}})
	}
	return b.refuse
}

func (b *bench) asks() []agent.Event {
	synctest.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.asked
}

func (b *bench) refuses(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refuse = err
}

func (b *bench) Tell(_ agent.SessionID, ev agent.Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.steps = append(b.steps, ev.(agent.AutoTell).Step)
}

// said are the acts of the ledger, with what they are about.
func (b *bench) said() []string {
	synctest.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []string
	for _, s := range b.steps {
		what := s.Kind + s.Reason
		if s.Result != "" {
			what += "/" + s.Result
		}
		out = append(out, fmt.Sprintf("%s %s", s.Act, what))
	}
	return out
}

// full lets the policy do everything.
func full() autoresume.Options {
	o := autoresume.Product()
	o.Preset = autoresume.Full
	return o
}

// told hands facts of one session over, a second of virtual time apart.
func (b *bench) told(facts ...agent.Fact) {
	for _, f := range facts {
		b.Take([]agent.Entry{{Session: "s1", Generation: 1, Epoch: 3, At: time.Now(), Fact: f}})
		synctest.Wait()
		<-time.After(time.Second) // virtual time
	}
}

func pass(d time.Duration) {
	synctest.Wait()
	<-time.After(d) // virtual time
	synctest.Wait()
}

// intent is a turn that stops before what it announces.
func intent() []agent.Fact {
	return []agent.Fact{
		agent.TurnStarted{Generation: 1},
		agent.PartSet{Part: agent.Part{Seq: 2, Kind: agent.PartText, Text: "I have read the parser. Now I will write the tests:"}},
		agent.TurnSettled{Outcome: agent.Completed, Stop: agent.EndTurn},
	}
}

func TestATurnThatStopsInTheMiddleIsAnnouncedAndContinued(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.Close()
		b.Set("s1", pilot.Setting{Options: full()})
		b.told(intent()...)
		pass(4 * time.Second)
		require.Equal(t, []string{"announce action_intent"}, b.said())
		b.mu.Lock()
		left := time.Until(b.steps[0].Due)
		b.mu.Unlock()
		assert.Less(t, left, 10*time.Second, "ten seconds were announced")
		assert.Greater(t, left, 4*time.Second)
		assert.Empty(t, b.asks(), "nothing is done before")
		pass(11 * time.Second)
		assert.Equal(t, []string{"announce action_intent", "prompt action_intent", "outcome action_intent/accepted"}, b.said())
		require.Len(t, b.asks(), 1)
		ask := b.asks()[0].(agent.AutoPrompt)
		assert.Equal(t, agent.Auto{Kind: "action_intent", Count: 1}, ask.Auto)
		assert.Equal(t, agent.Generation(1), ask.Turn)
		assert.Equal(t, uint64(3), ask.Epoch)
		assert.NotEmpty(t, ask.Prompt.Blocks[0].Text)
	})
}

// Whatever the user does while something is announced wins at once.
func TestTheUserStopsWhatIsAnnounced(t *testing.T) {
	for name, act := range map[string]func(b *bench){
		"typing":                  func(b *bench) { b.Hear("s1", autoresume.Typing{}) },
		"a cancel":                func(b *bench) { b.Hear("s1", autoresume.Cancelled{}) },
		"cancel on the countdown": func(b *bench) { b.Hear("s1", autoresume.Dismissed{}) },
		"a prompt":                func(b *bench) { b.told(agent.TurnStarted{Generation: 2}) },
		"stop all":                func(b *bench) { b.Switch(false) },
		"the switch of the task":  func(b *bench) { b.Set("s1", pilot.Setting{}) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				defer b.Close()
				b.Set("s1", pilot.Setting{Options: full()})
				b.told(intent()...)
				pass(4 * time.Second)
				require.Equal(t, []string{"announce action_intent"}, b.said())
				act(b)
				pass(9 * time.Second)
				assert.Contains(t, b.said(), "withdraw action_intent")
				assert.Empty(t, b.asks())
			})
		})
	}
}

func TestNothingIsDrivenThatNobodyHasSwitchedOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.Close()
		b.told(intent()...)
		pass(time.Hour)
		assert.Empty(t, b.said())
		assert.Equal(t, pilot.Answer{Result: autoresume.Ack}, b.Complete(t.Context(), "s1"))
	})
}

func TestWhatAnOwnerRefusesIsWrittenDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.Close()
		b.refuses(agent.Stale)
		b.Set("s1", pilot.Setting{Options: full()})
		b.told(intent()...)
		pass(20 * time.Second)
		assert.Equal(t, []string{"announce action_intent", "prompt action_intent", "outcome action_intent/refused"}, b.said())
	})
}

// A silent turn is cancelled first and then continued; a cancel that the owner
// refuses leaves the turn alone.
func TestASilentTurnIsCancelledFirst(t *testing.T) {
	for _, tt := range []struct {
		name   string
		refuse error
		want   []string
	}{
		{"taken", nil, []string{"announce continuestall", "cancel stall", "prompt continue", "outcome continue/accepted"}},
		{"refused", agent.Stale, []string{"announce continuestall", "cancel stall"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				defer b.Close()
				o := full()
				o.Stall.Strategy = autoresume.StallAbort
				b.Set("s1", pilot.Setting{Options: o})
				b.told(intent()[:2]...)
				b.refuses(tt.refuse)
				pass(195 * time.Second)
				if tt.refuse == nil {
					b.told(agent.CancelStepped{Step: agent.CancelSent, Auto: true}, agent.TurnSettled{Outcome: agent.Cancelled})
				}
				pass(20 * time.Second)
				said := b.said()
				require.GreaterOrEqual(t, len(said), len(tt.want))
				assert.Equal(t, tt.want, said[:len(tt.want)])
				assert.NotContains(t, said, "give_up cancel_timeout")
			})
		})
	}
}

func TestLatchesSurviveARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.Set("s1", pilot.Setting{Options: full()})
		b.told(intent()[0], agent.CancelStepped{Step: agent.CancelSent}, agent.TurnSettled{Outcome: agent.Cancelled})
		b.Close()
		require.NotEmpty(t, b.kept["s1"])

		again := newBench(t)
		defer again.Close()
		again.Set("s1", pilot.Setting{Options: full(), State: b.kept["s1"], Turn: 1})
		again.told(agent.TurnStarted{Generation: 2, Again: 1}) // nothing that the user has said
		again.told(intent()[1:]...)
		pass(time.Minute)
		assert.Empty(t, again.said(), "the user had cancelled")
		again.told(intent()...)
		pass(5 * time.Second)
		assert.Equal(t, []string{"announce action_intent"}, again.said(), "until he speaks again")
	})
}

func TestTheToolIsAnsweredWithWhatIsOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.Close()
		b.Set("s1", pilot.Setting{Options: full()})
		b.told(agent.TurnStarted{Generation: 1}, agent.PartSet{Part: agent.Part{Seq: 2, Kind: agent.PartPlan, Plan: []agent.PlanEntry{
			{Content: "look", Status: "completed"}, {Content: "write", Status: "in_progress"}, {Content: "drop", Status: "cancelled"},
		}}})
		assert.Equal(t, pilot.Answer{Result: autoresume.Blocked, Open: []string{"write"}}, b.Complete(t.Context(), "s1"))
		b.told(agent.PartSet{Part: agent.Part{Seq: 2, Kind: agent.PartPlan, Plan: []agent.PlanEntry{{Content: "write", Status: "completed"}}}})
		assert.Equal(t, pilot.Answer{Result: autoresume.Ack}, b.Complete(t.Context(), "s1"))
		assert.Equal(t, pilot.Answer{Result: autoresume.RepeatWarning}, b.Complete(t.Context(), "s1"))
	})
}

// While the agent asks the user nothing is done, however long it takes.
func TestNothingIsDoneWhileTheUserIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.Close()
		b.Set("s1", pilot.Setting{Options: full()})
		b.told(intent()[0], intent()[1], agent.AskOpened{Ask: agent.Ask{ID: "a1"}})
		pass(2 * time.Hour)
		assert.Empty(t, b.said())
		assert.Empty(t, b.asks())
	})
}

// A session in which nothing was done is forgotten after ten minutes; what the user
// has chosen for it is not.
func TestAChoiceOutlastsALongRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.Close()
		o := full()
		o.Timing.Countdown = 5 * time.Second
		b.Set("s1", pilot.Setting{Options: o})
		pass(time.Hour)
		b.told(intent()...)
		pass(20 * time.Second)
		assert.Equal(t, []string{"announce action_intent", "prompt action_intent", "outcome action_intent/accepted"}, b.said())
	})
}

// Where another of the same purpose acts nothing is done, before and after a rest.
func TestTwoNeverActInOneSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.Close()
		b.Set("s1", pilot.Setting{Options: full(), Yields: true})
		for range 2 {
			b.told(intent()...)
			pass(time.Hour)
		}
		assert.Empty(t, b.said())
		b.Set("s1", pilot.Setting{Options: full()})
		b.told(intent()...)
		pass(20 * time.Second)
		assert.Contains(t, b.said(), "prompt action_intent", "it has left")
	})
}

// What the machine sends again by itself is no failure of the policy's: its budget
// is untouched when the tries have come to nothing.
func TestRetriesOfAPromptAreNotCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.Close()
		b.Set("s1", pilot.Setting{Options: full()})
		fails := agent.TurnSettled{Outcome: agent.Failed, Failure: &agent.Failure{Code: "provider_overloaded"}}
		b.told(agent.TurnStarted{Generation: 1})
		for try := 1; try <= 5; try++ {
			b.told(fails, agent.RetryPlanned{Try: try, Most: 5, At: time.Now().Add(time.Minute)}, agent.StateSet{})
			pass(30 * time.Second)
			b.told(agent.TurnStarted{Generation: 1, Again: 1, Try: try})
		}
		require.Empty(t, b.said())
		b.told(fails, agent.RetryDropped{Why: agent.DropExhausted, Try: 5}, agent.StateSet{})
		pass(20 * time.Second)
		assert.Equal(t, []string{"announce stream_failure", "prompt stream_failure", "outcome stream_failure/accepted"}, b.said())
	})
}

// With a new owner the turn that the last one had in hand is over: nothing is
// cancelled in it.
func TestATurnEndsWithItsOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.Close()
		b.Set("s1", pilot.Setting{Options: full()})
		b.told(intent()[:2]...)
		b.Set("s1", pilot.Setting{Options: full(), Fresh: true, Turn: 1})
		pass(time.Hour)
		assert.Empty(t, b.said())
		b.told(intent()...)
		pass(20 * time.Second)
		assert.Contains(t, b.said(), "prompt action_intent")
	})
}

// A turn that has done nothing yet is not silent, whatever the agent says of itself:
// it is a matter of the machine, which ends it as never started.
func TestATurnThatHasNotBegunIsLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.Close()
		o := full()
		o.Stall.Strategy = autoresume.StallAbort
		b.Set("s1", pilot.Setting{Options: o})
		b.told(agent.TurnStarted{Generation: 1}, agent.SessionReady{}, agent.CommandsSet{}, agent.UsageSet{})
		pass(time.Hour)
		assert.Empty(t, b.said())
		b.told(intent()[1])
		pass(185 * time.Second)
		assert.Equal(t, []string{"announce continuestall"}, b.said())
	})
}
