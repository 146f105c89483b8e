package autoresume_test

import (
	"fmt"
	"math/rand/v2"
	"time"

	"turnwatch/backend/policy/autoresume"
)

// stream is a random course of events over two families of sessions, and a model
// of what the user and the agents have done: what may never be is judged by it
// and not by the Engine.
type stream struct {
	dice    *rand.Rand
	engine  *autoresume.Engine
	options autoresume.Options
	now     time.Duration
	ledger  autoresume.Ledger
	did     []autoresume.Action
	wrong   string // the first breach

	open, cancelled, off, gone, compacting map[string]bool
	asks, tools                            map[string]map[string]bool
	announced                              map[string]uint64
	gap                                    map[string]bool
	sent                                   []time.Duration // prompts of family A
	rows                                   map[uint64]bool
}

var family = map[string]string{"A": "", "B": "", "C": "A", "D": "C"}

func newStream(seed uint64) *stream {
	s := &stream{
		dice: rand.New(rand.NewPCG(seed, 7)), options: autoresume.Defaults(), ledger: autoresume.Ledger{Most: 100_000},
		open: map[string]bool{}, cancelled: map[string]bool{}, off: map[string]bool{}, gone: map[string]bool{}, compacting: map[string]bool{},
		asks: map[string]map[string]bool{}, tools: map[string]map[string]bool{}, announced: map[string]uint64{}, gap: map[string]bool{}, rows: map[uint64]bool{},
	}
	o := &s.options
	o.Caps.WindowBudget = 1 + s.dice.IntN(6)
	o.Caps.LoopMax = 1 + s.dice.IntN(8)
	o.Caps.Retries = s.dice.IntN(6)
	o.Timing.Countdown = time.Duration(s.dice.IntN(2)*s.dice.IntN(12)) * sec
	o.Stall.Strategy = pick(s, autoresume.StallContinue, autoresume.StallAbort)
	caps := autoresume.Caps{PromptWhileBusy: s.dice.IntN(3) > 0, PromptChild: s.dice.IntN(3) > 0, Status: s.dice.IntN(2) > 0}
	s.engine, _ = autoresume.New(*o, caps)
	return s
}

func pick[T any](s *stream, of ...T) T { return of[s.dice.IntN(len(of))] }

// run lets so many events happen.
func (s *stream) run(events int) {
	s.take(s.engine.Step("C", autoresume.Opened{Parent: "A"}, 0))
	s.take(s.engine.Step("D", autoresume.Opened{Parent: "C"}, 0))
	for range events {
		s.pass(s.now + time.Duration(pick(s, 1, 10, 400, 1000, 3000, 5000, 20_000, 60_000))*ms)
		s.happen(pick(s, "A", "A", "A", "B", "C", "C", "D"), s.event())
		if s.wrong != "" {
			return
		}
	}
	s.pass(s.now + 200*sec)
}

func (s *stream) pass(to time.Duration) {
	for {
		next, ok := s.engine.Next()
		if !ok || next > to {
			break
		}
		s.now = max(s.now, next)
		s.take(s.engine.Wake(s.now))
	}
	s.now = to
}

func (s *stream) event() autoresume.Event {
	switch s.dice.IntN(22) {
	case 0, 1:
		return autoresume.TurnStarted{Origin: pick(s, autoresume.ByUser, autoresume.ByExternal, autoresume.ByAgent, autoresume.ByAgent, autoresume.ByUnknown)}
	case 2, 3, 4:
		tokens := int64(s.dice.IntN(400))
		return autoresume.TurnEnded{
			Stop: pick(s, "end_turn", "end_turn", "end_turn", "error", "max_tokens", "refusal", "cancelled"), OutTokens: &tokens,
			Fault: pick(s, nil, &autoresume.Fault{Name: "StreamError", Message: "stream failed"}, &autoresume.Fault{Code: "quota_limited"}),
		}
	case 5, 6, 7:
		return says(pick(s, leak, "Task done.", "Next I will edit the file:", "Ready to continue with task 2.", "Which one?", "All done 🎉", "Hm."))
	case 8:
		return autoresume.Thought{Text: pick(s, leak, "hm")}
	case 9, 10:
		return autoresume.ToolStarted{ID: fmt.Sprint("t", s.dice.IntN(3)), Name: "read", Spawns: pick(s, "", "", "", "C")}
	case 11, 12, 13:
		return autoresume.ToolEnded{ID: fmt.Sprint("t", s.dice.IntN(3)), OK: s.dice.IntN(2) > 0, Err: pick(s, "", "unknown_tool"), Name: "read"}
	case 14:
		return autoresume.Planned{Entries: []autoresume.Entry{{Status: pick(s, "pending", "completed")}, {Status: pick(s, "pending", "completed")}}}
	case 15:
		return autoresume.AskOpened{ID: fmt.Sprint(s.dice.IntN(2))}
	case 16, 17:
		return autoresume.AskClosed{ID: fmt.Sprint(s.dice.IntN(2))}
	case 18:
		return pick[autoresume.Event](s, autoresume.Cancelled{}, autoresume.Typing{}, autoresume.Dismissed{}, autoresume.Exited{}, autoresume.Switched{On: s.dice.IntN(3) > 0})
	case 19:
		return pick[autoresume.Event](s, autoresume.Stirred{}, autoresume.Compacting{On: s.dice.IntN(4) == 0}, autoresume.Used{Used: 9, Size: 10}, autoresume.Completed{})
	case 20:
		return pick[autoresume.Event](s, autoresume.Retrying{Attempt: 1, Wait: 30 * sec}, autoresume.Probed{State: pick(s, "idle", "busy", "?")}, autoresume.Opened{Busy: true})
	}
	return autoresume.Fault{Name: pick(s, "StreamError", "MessageAbortedError", "x"), Message: "stream failed"}
}

// happen keeps the model and steps the Engine.
func (s *stream) happen(id string, ev autoresume.Event) {
	switch ev := ev.(type) {
	case autoresume.TurnStarted:
		s.open[id] = true
		delete(s.gone, id)
		if ev.Origin == autoresume.ByUser || ev.Origin == autoresume.ByExternal {
			s.below(id, func(d string) { delete(s.cancelled, d) })
			delete(s.asks, id)
			delete(s.compacting, id)
			if id == "A" {
				s.sent = nil
			}
		}
		delete(s.gap, id)
	case autoresume.TurnEnded:
		delete(s.open, id)
		delete(s.tools, id)
	case autoresume.Opened:
		s.open[id] = s.open[id] || ev.Busy
		delete(s.gone, id)
	case autoresume.Exited:
		s.below(id, func(d string) {
			delete(s.open, d)
			delete(s.tools, d)
			delete(s.asks, d)
			s.gone[d] = true
		})
	case autoresume.Probed:
		if ev.State == "idle" {
			delete(s.open, id)
			delete(s.tools, id)
		}
	case autoresume.Compacting:
		s.compacting[id] = ev.On
	case autoresume.Switched:
		s.off[id] = !ev.On
	case autoresume.Cancelled:
		s.below(id, func(d string) { s.cancelled[d] = true })
	case autoresume.AskOpened:
		add(s.asks, id, ev.ID)
	case autoresume.AskClosed:
		delete(s.asks[id], ev.ID)
	case autoresume.ToolStarted:
		if ev.Spawns == "" {
			add(s.tools, id, ev.ID)
		} else {
			delete(s.tools[id], ev.ID)
		}
	case autoresume.ToolEnded:
		delete(s.tools[id], ev.ID)
	}
	s.take(s.engine.Step(id, ev, s.now))
}

func add(to map[string]map[string]bool, id, member string) {
	if to[id] == nil {
		to[id] = map[string]bool{}
	}
	to[id][member] = true
}

// below calls f for a session and its descendants.
func (s *stream) below(id string, f func(string)) {
	for d := range family {
		for p := d; p != ""; p = family[p] {
			if p == id {
				f(d)
				break
			}
		}
	}
}

// take judges actions and answers them as an agent may.
func (s *stream) take(actions []autoresume.Action) {
	s.ledger.Note(actions...)
	s.did = append(s.did, actions...)
	for _, a := range actions {
		s.judge(a)
		if s.wrong != "" {
			return
		}
		switch a.Act {
		case autoresume.Prompt:
			switch s.dice.IntN(4) {
			case 0:
				s.happen(a.Session, autoresume.Sent{})
			case 1:
				s.happen(a.Session, autoresume.Sent{OK: true})
			default:
				s.happen(a.Session, autoresume.Sent{OK: true})
				if !s.open[a.Session] {
					s.happen(a.Session, autoresume.TurnStarted{Origin: autoresume.BySupervisor})
				}
			}
		case autoresume.Cancel:
			if s.dice.IntN(4) > 0 {
				s.happen(a.Session, autoresume.TurnEnded{Stop: "cancelled"})
			}
		case autoresume.Poll:
			if s.dice.IntN(4) > 0 {
				s.happen(a.Session, autoresume.Probed{State: pick(s, "busy", "idle", "?")})
			}
		}
	}
}
