package turn_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
	"turnwatch/backend/turn"
)

// life is one session through several runs of Turnwatch: the machine, a disk that
// lags behind it, and what must never happen.
type life struct {
	t     *rapid.T
	state *turn.State
	now   agent.Moment
	opens bool // an agent is being brought up
	due   []agent.Generation
	late  []agent.Record // handed to the disk and not on it
	disk  turn.Past      // what is on it, as the history would tell

	prompts  map[agent.Generation]agent.Prompt
	failures map[agent.Generation]agent.Failure // of turns that failed
	touched  map[agent.Generation]bool          // whatever forbids that the turn's prompt is sent again
	started  map[agent.Generation]int           // starts on disk that send the prompt of a turn again, by run
	sent     map[agent.Generation]int           // prompts at the agent, by the turn they repeat
	again    map[agent.Generation]agent.Generation
	out      map[agent.Generation]bool // turns whose prompt is at the agent
	run      int
}

// step feeds one event and keeps the books.
func (l *life) step(ev agent.Event) {
	l.books(ev)
	var effects []agent.Effect
	l.state, effects = turn.Step(l.state, ev, l.now, turn.Policy{Again: interactive, Idle: time.Hour})
	for _, e := range effects {
		switch e := e.(type) {
		case agent.Record:
			l.late = append(l.late, e)
		case agent.Arm:
			if e.Timer == agent.RetryDue {
				l.due = append(l.due, e.Generation)
			}
		case agent.Send:
			switch m := e.Message.(type) {
			case agent.Open:
				l.opens = true
			case agent.Shut:
				l.opens = false
			case agent.Dispatch:
				l.dispatched(m)
			}
		}
	}
}

// books notes what forbids that a prompt is sent again: the user's word, and what
// the turn did.
func (l *life) books(ev agent.Event) {
	v := l.state.View()
	switch e := ev.(type) {
	case agent.CancelTurn:
		l.touched[v.Generation] = true
		l.givenUp(v)
	case agent.Submit, agent.Restart:
		l.givenUp(v)
	case agent.SetOption:
		if v.Up {
			l.givenUp(v)
		}
	case agent.Updated:
		l.touched[e.Stamp.Generation] = l.touched[e.Stamp.Generation] || e.Update.Output() && l.out[e.Stamp.Generation]
	case agent.Asked:
		l.touched[e.Stamp.Generation] = l.touched[e.Stamp.Generation] || l.out[e.Stamp.Generation]
	}
}

func (l *life) givenUp(v turn.View) {
	if v.Again != nil {
		l.touched[v.Again.Generation] = true
	}
}

func (l *life) dispatched(m agent.Dispatch) {
	l.out[m.Generation] = true
	of := l.again[m.Generation]
	if of == 0 {
		return
	}
	l.sent[of]++
	f := l.failures[of]
	switch {
	case l.sent[of] > 1:
		l.t.Fatalf("turn %d was sent again twice", of)
	case l.touched[of]:
		l.t.Fatalf("turn %d was sent again though it did something, or the user did", of)
	case f.Code != failure.ProviderOverloaded || f.Confidence != string(failure.High):
		l.t.Fatalf("turn %d was sent again after %s", of, f.Code)
	case m.Prompt.ID != l.prompts[of].ID:
		l.t.Fatalf("turn %d is repeated with another prompt", of)
	case l.started[of] != l.run:
		l.t.Fatalf("turn %d was started in run %d and sent in run %d", of, l.started[of], l.run)
	}
}

// store puts the next record on disk, or refuses it, and tells the machine.
func (l *life) store(refuse bool) {
	if len(l.late) == 0 {
		return
	}
	r := l.late[0]
	l.late = l.late[1:]
	if refuse && !r.Must {
		l.step(agent.Persisted{Seq: r.Seq, Err: errDisk})
		return
	}
	for _, f := range r.Facts {
		l.keep(r.Generation, f)
	}
	if r.Ack {
		l.step(agent.Persisted{Seq: r.Seq})
	}
}

func (l *life) keep(g agent.Generation, f agent.Fact) {
	d := &l.disk
	switch f := f.(type) {
	case agent.SessionReady:
		d.Info = f.Info
	case agent.TurnStarted:
		d.Generation, d.Again = f.Generation, nil
		l.prompts[f.Generation], l.again[f.Generation] = f.Prompt, f.Again
		if f.Again != 0 {
			if l.started[f.Again] != 0 {
				l.t.Fatalf("turn %d was started again twice", f.Again)
			}
			l.started[f.Again] = l.run
		}
	case agent.TurnSettled:
		if f.Failure != nil {
			l.failures[g] = *f.Failure
		}
	case agent.RetryPlanned:
		d.Again = &turn.Again{Generation: g, Prompt: l.prompts[g], Failure: l.failures[g], Try: f.Try, Most: f.Most, At: f.At}
		if f.Try > f.Most || f.Most != 5 {
			l.t.Fatalf("try %d of %d", f.Try, f.Most)
		}
	case agent.RetryDropped:
		if d.Again != nil && d.Again.Generation == g {
			d.Again = nil
		}
	case agent.StateSet:
		d.Session, d.Task = f.Session, f.Task
	}
}

// crash ends the program: what is not on disk never was, a word of the user that
// nobody has acknowledged included. Another one takes over.
func (l *life) crash() {
	for _, r := range l.late {
		for _, f := range r.Facts {
			if _, ok := f.(agent.RetryDropped); ok && l.disk.Again != nil && l.disk.Again.Generation == r.Generation {
				delete(l.touched, r.Generation)
			}
		}
	}
	l.late, l.due, l.opens = nil, nil, false
	l.run++
	l.state = turn.Restore(l.disk)
	l.step(agent.Rearm{})
}

// happens is anything that may come next, to this turn or another.
func (l *life) happens(g agent.Generation) agent.Event {
	hard, unsure := *overloaded(), *overloaded()
	hard.Code, unsure.Confidence = failure.AuthRequired, string(failure.Medium)
	ends := []agent.Event{
		breaks(g, overloaded()), breaks(g, overloaded()), breaks(g, &hard), breaks(g, &unsure), answer(g, agent.EndTurn), exit(),
		agent.FailureSeen{Stamp: agent.Stamp{Generation: g}, Failure: *overloaded()},
	}
	if rapid.IntRange(0, 2).Draw(l.t, "an end") > 0 {
		return rapid.SampledFrom(ends).Draw(l.t, "ends")
	}
	return rapid.SampledFrom([]agent.Event{
		submit("p"), submit("q"), agent.CancelTurn{}, agent.RetryNow{}, agent.RetryNow{}, agent.SetOption{ID: "model", Value: "b"},
		agent.Restart{}, agent.Connect{}, chunk(g, fmt.Sprint("m", g), "word"), thought(g, "hm"), tool(g, fmt.Sprint("t", g), agent.ToolInProgress), ask(g, "a"),
		usage(g), bound(agent.CancelBound, g), agent.ReleaseQueue{}, agent.Rearm{},
	}).Draw(l.t, "happens")
}

// Whatever happens, in whatever order, with a disk that lags and refuses and with a
// program that ends anywhere: a prompt is sent again once at most for one failure,
// only after what surely passes by itself, and never once the turn or the user has
// done anything.
func TestNothingIsSentAgainThatMustNotBe(t *testing.T) {
	sentAgain := 0
	rapid.Check(t, func(rt *rapid.T) {
		l := &life{
			t: rt, state: turn.New(), now: agent.Moment{Wall: time.Unix(1_000_000, 0)}, run: 1,
			prompts: map[agent.Generation]agent.Prompt{}, failures: map[agent.Generation]agent.Failure{},
			touched: map[agent.Generation]bool{}, started: map[agent.Generation]int{}, sent: map[agent.Generation]int{},
			again: map[agent.Generation]agent.Generation{}, out: map[agent.Generation]bool{},
		}
		l.step(submit("first"))
		l.store(false)
		l.step(agent.Opened{Info: agent.SessionInfo{ID: "s", Resumes: true, Options: model("a")}})
		l.opens = false
		l.store(false)
		for range rapid.IntRange(1, 60).Draw(rt, "length") {
			wait := time.Duration(rapid.SampledFrom([]int{0, 1, 5, 20, 60, 4000}).Draw(rt, "seconds")) * time.Second
			l.now = agent.Moment{Wall: l.now.Wall.Add(wait), Awake: l.now.Awake + wait}
			switch rapid.IntRange(0, 9).Draw(rt, "what") {
			case 0, 1, 2, 3:
				l.store(rapid.IntRange(0, 9).Draw(rt, "disk") == 0)
			case 4, 5:
				if l.opens {
					l.opens = false
					name := rapid.SampledFrom([]string{"a", "a", "a", "b"}).Draw(rt, "model")
					l.step(agent.Opened{Info: agent.SessionInfo{ID: "s", Resumes: true, Options: model(name)}})
				}
			case 6:
				if len(l.due) > 0 {
					g := l.due[0]
					l.due = l.due[1:]
					l.step(bound(agent.RetryDue, g))
				}
			case 7:
				if rapid.IntRange(0, 4).Draw(rt, "crash") == 0 {
					l.crash()
				}
			default:
				top := uint64(l.disk.Generation)
				g := rapid.Uint64Range(max(top, 1)-min(top, 1)*rapid.SampledFrom([]uint64{0, 0, 0, 1}).Draw(rt, "before"), top+1).Draw(rt, "of")
				if v := l.state.View(); v.Generation != 0 && rapid.IntRange(0, 4).Draw(rt, "mine") > 0 {
					g = uint64(v.Generation)
				}
				l.step(l.happens(agent.Generation(g)))
			}
		}
		for _, n := range l.sent {
			sentAgain += n
		}
	})
	t.Logf("%d prompts were sent again", sentAgain)
	if sentAgain < 20 {
		t.Fatalf("only %d prompts were sent again: the histories prove nothing", sentAgain)
	}
}
