package view_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"turnwatch/backend/agent"
	"turnwatch/backend/view"
)

// heard folds facts of generation 1 into a pulse, each at its awake time.
type heard struct {
	at   time.Duration
	fact agent.Fact
}

var epoch = time.Unix(1_000_000, 0)

func pulse(facts ...heard) *view.Pulse {
	var p view.Pulse
	for _, h := range facts {
		p.Apply(agent.Entry{Generation: 1, At: epoch.Add(h.at), Fact: h.fact}, h.at)
	}
	return &p
}

func started(at time.Duration) heard { return heard{at, agent.TurnStarted{Generation: 1}} }
func word(at time.Duration) heard    { return heard{at, agent.PartAppended{Seq: 2, Text: "x"}} }

func TestThePulseTellsWhenThingsHappened(t *testing.T) {
	p := pulse(started(time.Second),
		heard{time.Second, agent.PartSet{Part: agent.Part{Seq: 1, Kind: agent.PartPrompt}}},
		heard{3 * time.Second, agent.SessionReady{}},
		heard{4 * time.Second, agent.UsageSet{}},
		word(5*time.Second), word(5*time.Second),
		heard{6 * time.Second, agent.SessionReady{}},
		heard{7 * time.Second, agent.AskOpened{}},
		heard{9 * time.Second, agent.PartSet{Part: agent.Part{Seq: 3, Kind: agent.PartText, Late: true}}},
		heard{9 * time.Second, agent.PartSet{Part: agent.Part{Seq: 4, Kind: agent.PartTool, Tool: agent.ToolCall{Status: agent.ToolCancelled}}}},
		heard{10 * time.Second, agent.TurnSettled{}}, word(12*time.Second))
	assert.Equal(t, epoch.Add(3*time.Second), p.Sent, "the prompt waited for the agent")
	assert.Equal(t, epoch.Add(5*time.Second), p.First)
	assert.Equal(t, epoch.Add(7*time.Second), p.Last)
	assert.Equal(t, epoch.Add(10*time.Second), p.Settled)
	want := view.Strip{Step: time.Second, Counts: []uint32{0, 0, 0, 0, 2, 0, 1, 0, 0, 0}}
	assert.Equal(t, want, p.Strip(time.Hour), "it ends where the turn ended")
}

func TestTheStripHalvesItsResolution(t *testing.T) {
	p := pulse(started(0), word(0), word(time.Second), word(2*time.Second), word(3*time.Minute))
	s := p.Strip(3 * time.Minute)
	assert.Equal(t, 2*time.Second, s.Step)
	assert.Len(t, s.Counts, 91)
	assert.Equal(t, []uint32{2, 1, 0}, s.Counts[:3])
	assert.Equal(t, uint32(1), s.Counts[90])
	s = p.Strip(time.Hour)
	assert.Equal(t, 32*time.Second, s.Step)
	assert.Len(t, s.Counts, 113)
	assert.Equal(t, uint32(3), s.Counts[0])
}

func TestANewTurnBeginsANewPulse(t *testing.T) {
	p := pulse(started(0), word(time.Second))
	p.Apply(agent.Entry{Generation: 2, At: epoch, Fact: agent.TurnStarted{Generation: 2}}, time.Minute)
	p.Apply(agent.Entry{Generation: 1, At: epoch, Fact: agent.PartAppended{}}, time.Minute)
	assert.True(t, p.First.IsZero(), "what is of turn 1 is not of turn 2")
	assert.Equal(t, view.Strip{Step: time.Second, Counts: []uint32{0}}, p.Strip(time.Minute))
	assert.Equal(t, view.Strip{}, new(view.Pulse).Strip(time.Hour), "no turn, no strip")
}

func TestThePulseNamesTheToolThatIsWaitedFor(t *testing.T) {
	call := func(seq uint64, c agent.ToolCall) heard {
		return heard{0, agent.PartSet{Part: agent.Part{Seq: seq, Kind: agent.PartTool, Tool: c}}}
	}
	p := pulse(started(0), call(2, agent.ToolCall{Title: "grep"}), call(3, agent.ToolCall{Title: "sleep 300", Name: "bash", RawInput: []byte(`{"command":"sleep 300"}`)}),
		call(4, agent.ToolCall{Title: "inner", Parent: "3"}), call(5, agent.ToolCall{Title: "read", Status: agent.ToolCompleted}))
	assert.Equal(t, "bash", p.Tool())
	p = pulse(started(0), call(2, agent.ToolCall{Title: "grep"}), call(2, agent.ToolCall{Title: "grep", Status: agent.ToolFailed}))
	assert.Empty(t, p.Tool())
}

// TestTheStripIsBoundedAndLosesNothing lets events come at any pace, with a clock
// that may stand or even go back.
func TestTheStripIsBoundedAndLosesNothing(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p, at, n := pulse(started(time.Hour)), time.Hour, 0
		for range rapid.IntRange(0, 300).Draw(rt, "events") {
			at += time.Duration(rapid.Int64Range(-int64(time.Second), int64(rapid.SampledFrom([]time.Duration{time.Millisecond, time.Minute, 24 * time.Hour}).Draw(rt, "pace"))).Draw(rt, "gap"))
			w := word(at)
			p.Apply(agent.Entry{Generation: 1, At: epoch, Fact: w.fact}, at)
			n++
		}
		s := p.Strip(at)
		var sum int
		for _, c := range s.Counts {
			sum += int(c)
		}
		if sum != n || len(s.Counts) == 0 || len(s.Counts) > 180 {
			rt.Fatalf("%d events, %d in %d buckets", n, sum, len(s.Counts))
		}
	})
}
