package history_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
)

func TestMain(m *testing.M) {
	if runHelper() {
		return
	}
	goleak.VerifyTestMain(m)
}

// clock is a clock that stands still until it is told to go on.
type clock struct {
	mu     sync.Mutex
	now    time.Time
	timers []*timer
}

type timer struct {
	at   time.Time
	f    func()
	done bool
}

func newClock() *clock {
	return &clock{now: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)}
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) AfterFunc(d time.Duration, f func()) func() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &timer{at: c.now.Add(d), f: f}
	c.timers = append(c.timers, t)
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		stopped := !t.done
		t.done = true
		return stopped
	}
}

// advance moves the time and runs what is due, in the caller's goroutine.
func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	c.now = c.now.Add(d)
	var due []func()
	for _, t := range c.timers {
		if !t.done && !t.at.After(c.now) {
			t.done = true
			due = append(due, t.f)
		}
	}
	c.mu.Unlock()
	for _, f := range due {
		f()
	}
}

func mustOpen(tb testing.TB, o history.Options) (*history.Store, history.Opened) {
	tb.Helper()
	s, opened, err := history.Open(tb.Context(), o)
	require.NoError(tb, err)
	tb.Cleanup(func() { s.Close(context.Background()) })
	return s, opened
}

// place is a store with one task and one session in it.
type place struct {
	*history.Store
	task    agent.TaskID
	session agent.SessionID
	at      time.Time
}

func mustPlace(tb testing.TB, dir string) *place {
	tb.Helper()
	s, _ := mustOpen(tb, history.Options{Dir: dir})
	p := &place{s, "t1", "s1", time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	require.NoError(tb, s.CreateTask(tb.Context(), history.Task{ID: p.task, Title: "A task", Dir: "/w", CreatedAt: p.at}))
	require.NoError(tb, s.CreateSession(tb.Context(), history.NewSession{
		ID: p.session, Task: p.task, Kind: agent.Demo, Dir: "/w", CreatedAt: p.at,
	}))
	return p
}

// entries puts facts into their place, of one generation, a millisecond apart.
func (p *place) entries(g agent.Generation, facts ...agent.Fact) []agent.Entry {
	out := make([]agent.Entry, len(facts))
	for i, f := range facts {
		p.at = p.at.Add(time.Millisecond)
		out[i] = agent.Entry{Task: p.task, Session: p.session, Generation: g, At: p.at, Fact: f}
	}
	return out
}

// store records facts as one batch and waits until they are stored.
func (p *place) store(tb testing.TB, g agent.Generation, facts ...agent.Fact) {
	tb.Helper()
	require.NoError(tb, record(tb, p.Store, true, p.entries(g, facts...)))
}

// record records a batch and waits for its answer.
func record(tb testing.TB, s *history.Store, must bool, entries []agent.Entry) error {
	tb.Helper()
	answer := make(chan error, 1)
	s.Record(entries, must, func(err error) { answer <- err })
	flushed := make(chan error, 1)
	go func() { flushed <- s.Flush(context.WithoutCancel(tb.Context())) }()
	select {
	case err := <-answer:
		<-flushed
		return err
	case <-time.After(30 * time.Second):
		tb.Fatal("no answer from the writer")
		return nil
	}
}

func text(seq uint64, s string) agent.PartSet {
	return agent.PartSet{Part: agent.Part{Seq: seq, Generation: 1, Kind: agent.PartText, Text: s}}
}

func prompt(id, s string) agent.Prompt {
	return agent.Prompt{
		ID: agent.PromptID(id), Blocks: []agent.Block{agent.TextBlock(s)},
		At: time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC),
	}
}

func texts(tb testing.TB, s *history.Store, id agent.SessionID) []string {
	tb.Helper()
	parts, err := s.Parts(tb.Context(), history.PartQuery{Session: id, Limit: 1000})
	require.NoError(tb, err)
	var out []string
	for _, p := range parts {
		out = append(out, fmt.Sprintf("%d:%s", p.Seq, p.Text))
	}
	return out
}

// found lists the parts that a search finds.
func found(tb testing.TB, s *history.Store, words string) []string {
	tb.Helper()
	hits, err := s.Search(tb.Context(), words, 0)
	require.NoError(tb, err)
	var out []string
	for _, h := range hits {
		out = append(out, fmt.Sprintf("%s/%d", h.Session, h.Seq))
	}
	return out
}
