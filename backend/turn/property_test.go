package turn_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"turnwatch/backend/agent"
)

// TestEveryTurnHasOneOutcome feeds the machine random events of random
// generations, with the history answering early, late or with a refusal, and
// holds it to what may never be broken.
func TestEveryTurnHasOneOutcome(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := newRig(t)
		r.hold = true
		open := map[agent.Generation]bool{}
		stored := map[agent.Generation]bool{}
		done := map[agent.Generation]bool{}
		var top agent.Generation
		seen, sent := 0, 0
		type start struct {
			gen agent.Generation
			seq uint64
		}
		var starts []start
		for range rapid.IntRange(1, 80).Draw(rt, "length") {
			r.refuse = rapid.Bool().Draw(rt, "disk full")
			g := agent.Generation(rapid.Uint64Range(0, uint64(top)+1).Draw(rt, "generation"))
			ev := rapid.SampledFrom(anything(g)).Draw(rt, "event")
			r.do(after(time.Duration(rapid.IntRange(0, 4000).Draw(rt, "ms")) * time.Millisecond))
			if len(r.owed) > 0 && rapid.Bool().Draw(rt, "the disk answers") {
				ev, r.owed = r.owed[0], r.owed[1:]
				if p := ev.(agent.Persisted); p.Err == nil && len(starts) > 0 && starts[0].seq <= p.Seq {
					stored[starts[0].gen], starts = true, starts[1:]
				}
			}
			r.do(ev)
			for i, f := range r.facts[seen:] {
				gen := r.gens[seen+i]
				switch f := f.(type) {
				case agent.TurnStarted:
					if f.Generation <= top {
						rt.Fatalf("generation %d is used again", f.Generation)
					}
					top = f.Generation
					open[f.Generation] = true
					starts = append(starts, start{gen: f.Generation, seq: r.seqs[seen+i]})
				case agent.TurnSettled:
					if !open[gen] || done[gen] {
						rt.Fatalf("turn %d settled without being open, or twice", gen)
					}
					done[gen] = true
				}
			}
			seen = len(r.facts)
			for _, m := range r.sent[sent:] {
				if d, ok := m.(agent.Dispatch); ok {
					if !stored[d.Generation] {
						rt.Fatalf("turn %d was sent before it was on disk", d.Generation)
					}
					if done[d.Generation] {
						rt.Fatalf("turn %d was sent after its end", d.Generation)
					}
				}
			}
			sent = len(r.sent)
			v := r.state.View()
			if (v.Session == agent.SessionRunning) != (v.Generation != 0) {
				rt.Fatalf("session %s with generation %d", v.Session, v.Generation)
			}
			if v.Generation != 0 && done[v.Generation] {
				rt.Fatalf("turn %d is in hand after its end", v.Generation)
			}
		}
	})
}

func anything(g agent.Generation) []agent.Event {
	return []agent.Event{
		submit("p"), submit("q"), agent.RemoveQueued{ID: "p"}, agent.ReleaseQueue{}, agent.CancelTurn{},
		agent.Decide{Ask: "a", Decision: agent.Decision{Option: "once"}}, agent.Connect{}, agent.Restart{},
		agent.Opened{Info: agent.SessionInfo{ID: "s", Resumes: true}}, agent.OpenFailed{},
		chunk(g, "m", "word "), thought(g, "hm"), tool(g, "t", agent.ToolInProgress), plan(g), usage(g),
		ask(g, "a"), agent.AskGone{ID: "a"}, seen(g), answer(g, agent.EndTurn), answer(g, agent.StopCancelled),
		refusal(g, "auth_required"), exit(), bound(agent.CancelBound, g), bound(agent.StopBound, g), bound(agent.IdleBound, g),
		agent.Retrying{Stamp: agent.Stamp{Generation: g}, Attempt: 1},
	}
}
