package turn_test

import (
	"reflect"
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
		said := map[agent.Generation]map[string]bool{}
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
				case agent.Noticed:
					if said[gen] == nil {
						said[gen] = map[string]bool{}
					}
					if said[gen][f.Notice.Kind] {
						rt.Fatalf("turn %d has a second notice %s", gen, f.Notice.Kind)
					}
					said[gen][f.Notice.Kind] = true
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
		agent.Checked{Generation: g, Epoch: 1}, stepped(g), agent.CancelRefused{Generation: g},
		agent.Retrying{Stamp: agent.Stamp{Generation: g}, Attempt: 1},
	}
}

// TestAnotherGenerationHasNoEffect brings a turn to a random place and then lets
// everything happen to a generation that is neither its own nor one that is
// still open at the agent.
func TestAnotherGenerationHasNoEffect(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := running(t)
		for range rapid.IntRange(0, 10).Draw(rt, "length") {
			r.do(rapid.SampledFrom(anything(1)).Draw(rt, "before"), after(time.Duration(rapid.IntRange(0, 90).Draw(rt, "s"))*time.Second))
		}
		before, ends := r.state.View(), len(settled(r))
		other := agent.Generation(rapid.Uint64Range(50, 60).Draw(rt, "other"))
		for _, ev := range []agent.Event{
			answer(other, agent.EndTurn), refusal(other, "auth_required"), seen(other), stepped(other),
			bound(agent.CancelBound, other), bound(agent.StopBound, other), bound(agent.IdleBound, other),
			agent.Checked{Generation: other, Epoch: before.Epoch}, agent.CancelRefused{Generation: other},
			agent.Retrying{Stamp: agent.Stamp{Generation: other}, Attempt: 1, Next: r.now.Wall.Add(time.Hour)},
			chunk(other, "other", "late"), tool(other, "other-tool", agent.ToolInProgress),
		} {
			r.do(ev)
			if v := r.state.View(); !reflect.DeepEqual(before, v) || len(settled(r)) != ends {
				rt.Fatalf("%#v of generation %d changed %+v into %+v", ev, other, before, v)
			}
		}
	})
}

// TestSilenceChangesNoState brings a turn to a random place and then lets hours
// pass in which nothing happens. Nothing is settled and nothing stands elsewhere,
// but for a turn that has never started.
func TestSilenceChangesNoState(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := running(t)
		for range rapid.IntRange(0, 10).Draw(rt, "length") {
			r.refuse = rapid.Bool().Draw(rt, "disk full")
			r.do(rapid.SampledFrom(anything(1)).Draw(rt, "before"), after(time.Duration(rapid.IntRange(0, 90).Draw(rt, "s"))*time.Second))
		}
		before, ends := r.state.View(), len(settled(r))
		r.pass(time.Duration(rapid.IntRange(1, 180).Draw(rt, "minutes")) * time.Minute)
		after := settled(r)[ends:]
		if v := r.state.View(); len(after) == 0 && !reflect.DeepEqual(before, v) {
			rt.Fatalf("silence changed %+v into %+v", before, v)
		}
		for _, end := range after {
			if end.Outcome != agent.NeverStarted || before.Started {
				rt.Fatalf("silence ended a turn %s, started: %v", end.Outcome, before.Started)
			}
		}
	})
}
