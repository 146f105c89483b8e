package pilot_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/pilot"
	"turnwatch/backend/policy/autoresume"
	"turnwatch/backend/supervise"
	"turnwatch/backend/turn"
)

// hostile is an agent whose every turn provokes automation in another way, which
// goes on speaking after its turns, and ignores every second cancel.
type hostile struct {
	chance *rand.Rand
	asks   bool // the fourth turn asks something and waits for ever

	mu      sync.Mutex
	sink    agent.Sink
	turns   int
	cancels int
	stops   []context.CancelFunc // of its turns; it may have ended few of them
	work    sync.WaitGroup
}

func (h *hostile) Open(_ context.Context, _ agent.OpenRequest, sink agent.Sink) (agent.Conn, error) {
	h.sink = sink
	return h, nil
}

func (h *hostile) Info() agent.SessionInfo { return agent.SessionInfo{ID: "ses_1", Resumes: true} }

func (h *hostile) Prompt(_ context.Context, g agent.Generation, _ agent.Prompt) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	ctx, stop := context.WithCancel(context.Background())
	h.stops = append(h.stops, stop)
	h.turns++
	n, way := h.turns, h.chance.IntN(9)
	if h.asks && n == 4 {
		way = 9
	}
	h.work.Go(func() { h.play(ctx, n, way, g) })
	return nil
}

func (h *hostile) Cancel(context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cancels++
	if h.cancels%2 == 1 && len(h.stops) > 0 {
		h.stops[len(h.stops)-1]()
	}
	return nil
}

func (h *hostile) Decide(context.Context, agent.AskID, agent.Decision) error { return nil }
func (h *hostile) Choose(context.Context, string, string) ([]agent.Option, error) {
	return nil, nil
}
func (h *hostile) Close(context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, stop := range h.stops {
		stop()
	}
	return nil
}

// play is one turn. What never ends by itself ends with ctx.
func (h *hostile) play(ctx context.Context, n, way int, g agent.Generation) {
	after := func(d time.Duration) bool {
		select {
		case <-time.After(d): // virtual time
			return ctx.Err() == nil
		case <-ctx.Done():
			return false
		}
	}
	send := func(u agent.Update) { h.sink.Deliver(agent.Updated{Stamp: h.sink.Stamp(), Update: u}) }
	say := func(kind agent.UpdateKind, text string) {
		send(agent.Update{Kind: kind, MessageID: fmt.Sprint("m", n, kind), Block: agent.TextBlock(text)})
	}
	after(2 * time.Second)
	end := agent.Answered{Generation: g, Stop: agent.EndTurn}
	switch way {
	case 0:
		say(agent.MessageChunk, "Reading it.\n<function=read>\n<parameter=path>a.go</parameter>\n</function>")
	case 1:
		say(agent.MessageChunk, "I have read the parser. Now I will write the tests:")
	case 2:
		send(agent.Update{Kind: agent.PlanChanged, Plan: []agent.PlanEntry{{Content: "write", Status: "pending"}}})
		say(agent.MessageChunk, "It was quick.\n\nAll tasks are done!")
	case 3:
		for range 60 {
			say(agent.ThoughtChunk, "A year that four divides is a leap year. ")
		}
	case 4:
		say(agent.MessageChunk, "The parser")
		end.Failure = &agent.Failure{Code: "provider_overloaded"}
	case 5: // the same call for ever
		say(agent.MessageChunk, "Looking.")
		for i := 0; after(time.Second); i++ {
			call := agent.ToolCall{ID: fmt.Sprint("c", n, i), Name: "read", Status: agent.ToolPending, RawInput: []byte(`{"path":"a.go"}`)}
			send(agent.Update{Kind: agent.ToolCalled, Tool: call})
			call.Status = agent.ToolCompleted
			send(agent.Update{Kind: agent.ToolChanged, Tool: call})
		}
		end.Stop = agent.StopCancelled
	case 6: // silence
		say(agent.MessageChunk, "Looking.")
		<-ctx.Done()
		end.Stop = agent.StopCancelled
	case 7:
		say(agent.MessageChunk, "Everything is read.\n\nReady to continue with the next step.")
	case 8:
		end.Stop = agent.StopCancelled // that nobody asked for
	case 9:
		ask := agent.Ask{ID: "a1", Kind: agent.AskPermission, Options: []agent.AskOption{{ID: "once", Kind: "allow_once"}}}
		h.sink.Deliver(agent.Asked{Stamp: h.sink.Stamp(), Ask: ask})
		<-ctx.Done()
		end.Stop = agent.StopCancelled
	}
	h.sink.Deliver(end)
	after(time.Second)
	say(agent.MessageChunk, " Now the next step:") // late
	send(agent.Update{Kind: agent.ToolChanged, Tool: agent.ToolCall{ID: fmt.Sprint("c", n, 0), Name: "read", Status: agent.ToolFailed}})
}

// archive keeps what the owners write down.
type archive struct {
	mu      sync.Mutex
	entries []agent.Entry
}

func (a *archive) Record(entries []agent.Entry, _ bool, done func(error)) {
	a.mu.Lock()
	a.entries = append(a.entries, entries...)
	a.mu.Unlock()
	done(nil)
}

// scene is a pilot with real owners in memory, at virtual time.
type scene struct {
	archive
	pilot    *pilot.Pilot
	sessions map[agent.SessionID]*supervise.Session
	agents   map[agent.SessionID]*hostile
}

func (s *scene) Do(ctx context.Context, id agent.SessionID, ev agent.Event) error {
	return s.sessions[id].Do(ctx, ev)
}
func (s *scene) Tell(id agent.SessionID, ev agent.Event) { s.sessions[id].Post(ev) }

func newScene(t *testing.T, seed uint64, asks bool, ids ...agent.SessionID) *scene {
	began, n := time.Now(), 0
	awake := func() time.Duration { return time.Since(began) }
	s := &scene{sessions: map[agent.SessionID]*supervise.Session{}, agents: map[agent.SessionID]*hostile{}}
	p, err := pilot.Start(pilot.Options{
		Owners: s, Clock: agent.SystemClock{}, Awake: awake,
		NewID: func() string { n++; return fmt.Sprint("auto", n) },
		Keep:  func(context.Context, agent.SessionID, string) error { return nil },
	})
	require.NoError(t, err)
	s.pilot = p
	o := full()
	o.Stall.Strategy = "abort"
	for i, id := range ids {
		s.agents[id] = &hostile{chance: rand.New(rand.NewPCG(seed, uint64(i))), asks: asks}
		s.sessions[id] = supervise.Start(supervise.Options{
			Task: "task", Session: id, Dir: "/", Connector: s.agents[id], Recorder: s, Publish: p.Take,
			Clock: agent.SystemClock{}, Awake: awake, State: turn.New(),
		})
		p.Set(id, pilot.Setting{Options: o, Fresh: true})
	}
	return s
}

func (s *scene) close(t *testing.T) {
	s.pilot.Close()
	for id, owner := range s.sessions {
		require.NoError(t, owner.Close(t.Context()))
		s.agents[id].work.Wait()
	}
}

func (s *scene) say(t *testing.T, id agent.SessionID) {
	require.NoError(t, s.Do(t.Context(), id, agent.Submit{Prompt: agent.Prompt{ID: agent.PromptID(fmt.Sprint("u", time.Now().UnixNano())), Blocks: []agent.Block{agent.TextBlock("go on")}}}))
}

// round is what a session did by itself between two words of the user.
type round struct {
	prompts          []time.Time
	announced, rows  int // announcements, and rows about prompts
	cancelled, asked bool
	late             int // prompts after a cancel of the user, or while something is asked
}

func (s *scene) rounds(id agent.SessionID) []round {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []round
	for _, e := range s.entries {
		if e.Session != id {
			continue
		}
		f, starts := e.Fact.(agent.TurnStarted)
		if starts && f.Auto == nil {
			out = append(out, round{})
		}
		if len(out) == 0 {
			continue
		}
		r := &out[len(out)-1]
		switch f := e.Fact.(type) {
		case agent.TurnStarted:
			if f.Auto != nil {
				r.prompts = append(r.prompts, e.At)
				if r.cancelled || r.asked {
					r.late++
				}
			}
		case agent.AutoStepped:
			switch f.Step.Act {
			case "announce":
				r.announced++
			case "prompt":
				r.rows++
			}
		case agent.CancelStepped:
			r.cancelled = r.cancelled || f.Step == agent.CancelSent && !f.Auto
		case agent.AskOpened:
			r.asked = true
		}
	}
	return out
}

// A hostile agent causes at most the ceiling of prompts: within any ten minutes,
// and until the user speaks; none after the user's cancel or while it asks
// something; each stands in the ledger. So it is with one session, with two that
// share the pilot, alone and with a user who speaks and cancels.
func TestAHostileAgentCausesAtMostTheCeiling(t *testing.T) {
	const hour, window = time.Hour, 10 * time.Minute
	for _, tt := range []struct {
		name  string
		ids   []agent.SessionID
		asks  bool
		every time.Duration // the user speaks; every third time he cancels what comes of it
	}{
		{"one session, nobody there", []agent.SessionID{"s1"}, false, 0},
		{"one that asks and is never answered", []agent.SessionID{"s1"}, true, 0},
		{"two sessions, a user who speaks", []agent.SessionID{"s1", "s2"}, false, 8 * time.Minute},
		{"two that ask, a user who speaks", []agent.SessionID{"s1", "s2"}, true, 8 * time.Minute},
	} {
		for seed := range uint64(6) {
			t.Run(fmt.Sprint(tt.name, seed), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := newScene(t, seed, tt.asks, tt.ids...)
					o := full()
					began := time.Now()
					for n := 1; time.Since(began) < hour; n++ {
						for _, id := range tt.ids {
							if n > 1 { // an open turn ends first: else the prompt waits
								s.pilot.Hear(id, autoresume.Cancelled{})
								require.NoError(t, s.Do(t.Context(), id, agent.CancelTurn{}))
								pass(10 * time.Second)
								_ = s.Do(t.Context(), id, agent.ReleaseQueue{})
							}
							s.say(t, id)
						}
						if tt.every == 0 {
							break
						}
						pass(time.Minute)
						if n%3 == 0 {
							for _, id := range tt.ids {
								s.pilot.Hear(id, autoresume.Cancelled{})
								require.NoError(t, s.Do(t.Context(), id, agent.CancelTurn{}))
							}
						}
						pass(tt.every)
					}
					pass(max(hour-time.Since(began), 0))
					sent := 0
					for _, id := range tt.ids {
						for _, r := range s.rounds(id) {
							sent += len(r.prompts)
							assert.LessOrEqual(t, len(r.prompts), o.Caps.RoundBudget)
							assert.Zero(t, r.late)
							assert.GreaterOrEqual(t, r.rows, len(r.prompts), "each stands in the ledger")
							assert.LessOrEqual(t, r.announced, 4*o.Caps.RoundBudget, "and the ledger is bounded, too")
							for i := o.Caps.WindowBudget; i < len(r.prompts); i++ {
								assert.GreaterOrEqual(t, r.prompts[i].Sub(r.prompts[i-o.Caps.WindowBudget]), window)
							}
						}
					}
					t.Logf("%d prompts in %d rounds", sent, len(s.rounds("s1")))
					if tt.every != 0 {
						assert.NotZero(t, sent, "it was provoked at all")
					}
					s.close(t)
				})
			})
		}
	}
}
