package autoresume_test

import (
	"fmt"
	"os"
	"reflect"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/policy/autoresume"
)

// streams is how many random streams are played: TURNWATCH_TEST_STREAMS, else 10,000.
func streams(t *testing.T) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(os.Getenv("TURNWATCH_TEST_STREAMS"), 10, 32)
	if err != nil {
		n = 10_000
	}
	t.Logf("%d streams", n)
	return n
}

// TestWhatMayNeverBe plays random streams and holds every action to the rules that
// stand above all others; each hundredth stream is played twice.
func TestWhatMayNeverBe(t *testing.T) {
	prompts, cancels, gaveUp := 0, 0, 0
	for seed := range streams(t) {
		s := newStream(seed)
		s.run(60)
		require.Empty(t, s.wrong, "seed %d: %v", seed, s.did)
		for _, a := range s.did {
			switch a.Act {
			case autoresume.Prompt:
				prompts++
			case autoresume.Cancel:
				cancels++
			case autoresume.GiveUp:
				gaveUp++
			}
		}
		if seed%100 == 0 {
			again := newStream(seed)
			again.run(60)
			require.True(t, reflect.DeepEqual(s.did, again.did), "seed %d: played twice, it did something else", seed)
		}
	}
	t.Logf("%d prompts, %d cancels, gave up %d times", prompts, cancels, gaveUp)
	assert.NotZero(t, prompts*cancels*gaveUp, "the streams provoke nothing: the test would show nothing")
}

// judge names the first rule that an action breaks.
func (s *stream) judge(a autoresume.Action) {
	breach := func(what string) {
		if s.wrong == "" {
			s.wrong = fmt.Sprintf("%s: %+v", what, a)
		}
	}
	switch a.Act {
	case autoresume.Outcome, autoresume.Withdraw:
	default:
		if s.rows[a.ID] {
			breach("a row of the ledger is used again")
		}
		s.rows[a.ID] = true
		if rows := s.ledger.Rows(); len(rows) == 0 || !has(rows, a.ID) {
			breach("no row in the ledger")
		}
	}
	switch a.Act {
	case autoresume.Announce:
		if s.announced[a.Session] != 0 || s.gap[a.Session] {
			breach("two actions are pending")
		}
		s.announced[a.Session] = a.ID
	case autoresume.Withdraw:
		s.announced[a.Session], s.gap[a.Session] = 0, false
	case autoresume.GiveUp:
		s.announced[a.Session], s.gap[a.Session] = 0, false
		s.gaveUp(a.Session, breach)
	case autoresume.Prompt:
		s.acted(a.Session, breach)
		s.announced[a.Session], s.gap[a.Session] = 0, false
		s.counted(a.Session, breach)
	case autoresume.Cancel:
		s.acted(a.Session, breach)
		if s.gap[a.Session] {
			breach("a second cancel before the prompt")
		}
		s.announced[a.Session], s.gap[a.Session] = 0, true
		if len(s.tools[a.Session]) > 0 {
			breach("a cancel over a call in flight")
		}
		if !s.open[a.Session] {
			breach("a cancel with no turn")
		}
	}
}

func (s *stream) acted(id string, breach func(string)) {
	for p := id; p != ""; p = family[p] {
		switch {
		case s.cancelled[p]:
			breach("after a user's cancel")
		case s.off[p]:
			breach("while it is switched off")
		}
	}
	if s.gone[id] || s.compacting[id] {
		breach("while the agent is gone, or compacting")
	}
	root := id
	for family[root] != "" {
		root = family[root]
	}
	s.below(root, func(d string) {
		if len(s.asks[d]) > 0 {
			breach("while something waits for the user")
		}
	})
}

func (s *stream) counted(id string, breach func(string)) {
	if id == "B" {
		return
	}
	s.sent = append(s.sent, s.now)
	n := 0
	for _, at := range s.sent {
		if s.now-at < s.options.Caps.Window {
			n++
		}
	}
	if n > s.options.Caps.WindowBudget {
		breach("above the ceiling")
	}
}

func (s *stream) gaveUp(id string, breach func(string)) {
	if s.cancelled[id] {
		breach("it gives up what the user has stopped")
	}
}

func has(rows []autoresume.Row, id uint64) bool {
	for i := len(rows) - 1; i >= 0; i-- {
		if rows[i].ID == id {
			return true
		}
	}
	return false
}

// TestAHostileAgentIsBounded lets an agent provoke for an hour in every way that
// refills a budget of one kind: progress, successes, silence of each length. The
// prompts are at most those of the ceilings.
func TestAHostileAgentIsBounded(t *testing.T) {
	for _, pace := range []time.Duration{100 * ms, sec, 5 * sec, 30 * sec, 60 * sec, 101 * sec, 121 * sec, 300 * sec} {
		o := autoresume.Product()
		o.Preset = autoresume.Full
		r := newRig(t, func(opt *autoresume.Options) { *opt = o })
		r.answer = willing
		r.at(0, "A", start())
		done := 0
		texts := []string{leak, "Task done.", "Now I edit the next file of it:", "Moving on to task 9.", "Half."}
		for i := 0; r.now < 3600*sec; i++ {
			r.at(r.now+pace, "A", autoresume.ToolStarted{ID: "x", Name: "read"}, autoresume.ToolEnded{ID: "x", OK: true})
			done++
			r.at(r.now+ms, "A", autoresume.Planned{Entries: plans(done%900, 3)}, says(texts[i%len(texts)]), ended())
			r.until(r.now + 20*sec)
		}
		prompts := r.acts(autoresume.Prompt)
		assert.NotEmpty(t, prompts, pace)
		assert.LessOrEqual(t, len(prompts), o.Caps.RoundBudget, "%s: %v", pace, prompts)
	}
}

func plans(done, open int) []autoresume.Entry {
	var p []autoresume.Entry
	for range done {
		p = append(p, autoresume.Entry{Status: "completed"})
	}
	for range open {
		p = append(p, autoresume.Entry{Status: "pending"})
	}
	return p
}

// BenchmarkSessions steps an Engine through what a thousand sessions send, a
// hundred events a second each: events/s is what one core can take.
func BenchmarkSessions(b *testing.B) {
	const sessions = 1000
	e, err := autoresume.New(autoresume.Product(), autoresume.AllCaps())
	require.NoError(b, err)
	names := make([]string, sessions)
	for i := range names {
		names[i] = fmt.Sprint("session-", i)
		e.Step(names[i], start(), 0)
	}
	now, n := time.Duration(0), 0
	args := []byte(`{"path":"src/a.go","from":1,"to":200}`)
	b.ReportAllocs()
	for b.Loop() {
		id := names[n%sessions]
		now += sec / (100 * sessions)
		for next, ok := e.Next(); ok && next <= now; next, ok = e.Next() {
			e.Wake(now)
		}
		switch n / sessions % 100 {
		case 0:
			e.Step(id, autoresume.ToolStarted{ID: "t", Name: "read", Args: args}, now)
		case 1:
			e.Step(id, autoresume.ToolEnded{ID: "t", OK: true}, now)
		case 99:
			e.Step(id, ended(), now)
			e.Step(id, start(), now)
		default:
			e.Step(id, says("The parser reads each line, and what it finds is kept. "), now)
		}
		n++
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "events/s")
}
