package core_test

import (
	"context"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/core"
	"turnwatch/backend/failure"
)

// ahead is the real clock, which can be moved on.
type ahead struct {
	mu     sync.Mutex
	by     time.Duration
	next   int
	timers map[int]appointment
}

type appointment struct {
	at    time.Time
	f     func()
	timer *time.Timer
}

func (a *ahead) Now() time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	return time.Now().Add(a.by)
}

func (a *ahead) AfterFunc(d time.Duration, f func()) func() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.timers == nil {
		a.timers = map[int]appointment{}
	}
	a.next++
	n := a.next
	// One that fires at once waits in forget until it stands in the book.
	t := time.AfterFunc(d, func() {
		if a.forget(n) {
			f()
		}
	})
	a.timers[n] = appointment{time.Now().Add(a.by + d), f, t}
	return func() bool {
		t.Stop()
		return a.forget(n)
	}
}

func (a *ahead) forget(n int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, there := a.timers[n]
	delete(a.timers, n)
	return there
}

// move lets time go by at once.
func (a *ahead) move(d time.Duration) {
	a.mu.Lock()
	a.by += d
	now := time.Now().Add(a.by)
	due := map[int]appointment{}
	for n, x := range a.timers {
		if !x.at.After(now) {
			due[n] = x
		}
	}
	a.mu.Unlock()
	for n, x := range due {
		if a.forget(n) {
			x.timer.Stop()
			x.f()
		}
	}
}

// flaky is an agent that is overloaded for so many prompts and then answers. sees is
// told each prompt before anything is answered.
type flaky struct {
	fails int
	sees  func(n int)
	mu    sync.Mutex
	got   []agent.Prompt
}

type flakyConn struct {
	*flaky
	sink agent.Sink
}

func (f *flaky) Open(_ context.Context, _ agent.OpenRequest, sink agent.Sink) (agent.Conn, error) {
	return flakyConn{f, sink}, nil
}

func (f *flaky) prompts() []agent.Prompt {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]agent.Prompt(nil), f.got...)
}

func (c flakyConn) Prompt(_ context.Context, g agent.Generation, p agent.Prompt) error {
	c.mu.Lock()
	c.got = append(c.got, p)
	n := len(c.got)
	c.mu.Unlock()
	if c.sees != nil {
		c.sees(n)
	}
	st := c.sink.Stamp()
	go func() {
		if n <= c.fails {
			f := agent.Failure{Code: failure.ProviderOverloaded, Confidence: string(failure.High), OccurredAt: st.At}
			c.sink.Deliver(agent.Answered{Generation: g, Failure: &f})
			return
		}
		c.sink.Deliver(agent.Updated{Stamp: st, Update: agent.Update{Kind: agent.MessageChunk, Block: agent.TextBlock("done")}})
		c.sink.Deliver(agent.Answered{Generation: g, Stop: agent.EndTurn})
	}()
	return nil
}

func (c flakyConn) Info() agent.SessionInfo                                   { return agent.SessionInfo{ID: "ses_flaky", Resumes: true} }
func (c flakyConn) Cancel(context.Context) error                              { return nil }
func (c flakyConn) Decide(context.Context, agent.AskID, agent.Decision) error { return nil }
func (c flakyConn) Close(context.Context) error                               { return nil }
func (c flakyConn) Choose(context.Context, string, string) ([]agent.Option, error) {
	return nil, nil
}

func openRetrying(t *testing.T, dir string, f *flaky, clock *ahead) *core.Core {
	t.Helper()
	c, err := core.Open(t.Context(), core.Options{
		Dir: dir, Clock: clock, Retries: true, Dice: func() float64 { return 0 },
		Connect: func(agent.Kind, []string) agent.Connector { return f },
	})
	require.NoError(t, err)
	return c
}

// image copies the data folder as it lies on disk: what a crash would leave. The
// copy's locks are held by nobody.
func image(t *testing.T, c *core.Core) string {
	t.Helper()
	require.NoError(t, c.History().Flush(context.Background()))
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(c.Dir())))
	return dir
}

// The program ends at each step of a retry, and another one takes over: the prompt
// is sent again only where it provably was not.
func TestACrashAtEveryStepOfARetry(t *testing.T) {
	clock, images := &ahead{}, map[string]string{}
	var c *core.Core
	f := &flaky{fails: 1}
	f.sees = func(n int) {
		images[map[int]string{1: "the prompt was sent", 2: "the retry was sent"}[n]] = image(t, c)
	}
	c = openRetrying(t, t.TempDir(), f, clock)
	ref, err := c.NewTask(t.Context(), core.NewTask{Dir: t.TempDir(), Kind: agent.Demo})
	require.NoError(t, err)
	w := c.Watch(ref.Session)
	say(t, c, ref.Session, "go on")
	plan := until[agent.RetryPlanned](t, w)
	assert.Equal(t, 1, plan.Try)
	assert.Equal(t, 5*time.Second, plan.At.Sub(clock.Now()).Round(5*time.Second))
	images["the retry was planned"] = image(t, c)
	clock.move(5 * time.Second)
	assert.Equal(t, agent.Completed, until[agent.TurnSettled](t, w).Outcome)
	images["the retry went well"] = image(t, c)
	w.Close()
	require.NoError(t, c.Close(t.Context()))
	require.Len(t, f.prompts(), 2)
	assert.Equal(t, f.prompts()[0].ID, f.prompts()[1].ID)

	for _, tc := range []struct {
		step    string
		sent    int
		outcome agent.Outcome // of the last turn, at the end
	}{
		{"the prompt was sent", 0, agent.Interrupted},
		{"the retry was planned", 1, agent.Completed},
		{"the retry was sent", 0, agent.Interrupted},
		{"the retry went well", 0, agent.Completed},
	} {
		t.Run(tc.step, func(t *testing.T) {
			next, clock := &flaky{}, &ahead{}
			c := openRetrying(t, images[tc.step], next, clock)
			defer func() { require.NoError(t, c.Close(context.Background())) }()
			w := c.Watch(ref.Session)
			defer w.Close()
			require.NoError(t, c.Rearm(t.Context()))
			if tc.sent > 0 {
				until[agent.RetryPlanned](t, w)
				assert.Empty(t, next.prompts(), "it is shown first")
				clock.move(time.Minute)
				until[agent.TurnSettled](t, w)
			}
			clock.move(time.Hour)
			if v, up := c.View(ref.Session); up {
				assert.Nil(t, v.Again)
				assert.Zero(t, v.Generation)
			}
			assert.Len(t, next.prompts(), tc.sent)
			turns, err := c.History().Turns(t.Context(), ref.Session, 0, 1)
			require.NoError(t, err)
			assert.Equal(t, tc.outcome, turns[0].End.Outcome)
		})
	}
}

// planned is a data folder in which a retry waits, as a crash left it.
func planned(t *testing.T, clock *ahead) (string, core.Ref) {
	t.Helper()
	c := openRetrying(t, t.TempDir(), &flaky{fails: 9}, clock)
	ref, err := c.NewTask(t.Context(), core.NewTask{Dir: t.TempDir(), Kind: agent.Demo})
	require.NoError(t, err)
	w := c.Watch(ref.Session)
	defer w.Close()
	say(t, c, ref.Session, "go on")
	until[agent.RetryPlanned](t, w)
	dir := image(t, c)
	require.NoError(t, c.Close(t.Context()))
	return dir, ref
}

func TestACrashAfterACrashChangesNothing(t *testing.T) {
	clock := &ahead{}
	dir, ref := planned(t, clock)
	for range 3 { // taken up, shown, and gone again
		c := openRetrying(t, dir, &flaky{}, clock)
		w := c.Watch(ref.Session)
		require.NoError(t, c.Rearm(t.Context()))
		assert.Equal(t, 1, until[agent.RetryPlanned](t, w).Try)
		dir = image(t, c)
		w.Close()
		require.NoError(t, c.Close(t.Context()))
		clock.move(time.Minute)
	}
	f := &flaky{}
	c := openRetrying(t, dir, f, clock)
	defer func() { require.NoError(t, c.Close(context.Background())) }()
	w := c.Watch(ref.Session)
	defer w.Close()
	require.NoError(t, c.Rearm(t.Context()))
	require.NoError(t, c.Rearm(t.Context()), "twice is once")
	until[agent.RetryPlanned](t, w)
	clock.move(5 * time.Second)
	assert.Equal(t, agent.Completed, until[agent.TurnSettled](t, w).Outcome)
	assert.Len(t, f.prompts(), 1)
}

func TestWhatEndsARetryOfAnEarlierRun(t *testing.T) {
	for _, tc := range []struct {
		name string
		do   func(*testing.T, *core.Core, core.Ref)
		move time.Duration
		why  agent.RetryDrop
	}{
		{"too late", nil, 2 * time.Hour, agent.DropLate},
		{"the user's cancel", func(t *testing.T, c *core.Core, ref core.Ref) {
			require.NoError(t, c.Do(t.Context(), ref.Session, agent.CancelTurn{}))
		}, 0, agent.DropCancelled},
		{"a fresh start", func(t *testing.T, c *core.Core, ref core.Ref) {
			_, err := c.StartFresh(t.Context(), ref.Session)
			require.NoError(t, err)
		}, 0, agent.DropFresh},
	} {
		t.Run(tc.name, func(t *testing.T) {
			clock, f := &ahead{}, &flaky{}
			dir, ref := planned(t, clock)
			clock.move(tc.move)
			c := openRetrying(t, dir, f, clock)
			defer func() { require.NoError(t, c.Close(context.Background())) }()
			require.NoError(t, c.Rearm(t.Context()))
			if tc.do != nil {
				tc.do(t, c, ref)
			}
			require.NoError(t, c.Do(t.Context(), ref.Session, agent.RetryNow{}))
			clock.move(time.Hour)
			require.NoError(t, c.History().Flush(t.Context()))
			turn, err := c.History().Turn(t.Context(), ref.Session, 1)
			require.NoError(t, err)
			require.NotNil(t, turn.Again)
			assert.Equal(t, tc.why, turn.Again.Why)
			assert.Empty(t, f.prompts())
		})
	}
}

func TestNothingIsSentAgainUnlessItIsWanted(t *testing.T) {
	clock := &ahead{}
	dir, ref := planned(t, clock)
	f := &flaky{fails: 1}
	c, err := core.Open(t.Context(), core.Options{
		Dir: dir, Clock: clock, Connect: func(agent.Kind, []string) agent.Connector { return f },
	})
	require.NoError(t, err)
	defer func() { require.NoError(t, c.Close(context.Background())) }()
	require.NoError(t, c.Rearm(t.Context()))
	w := c.Watch(ref.Session)
	defer w.Close()
	say(t, c, ref.Session, "by hand")
	assert.Equal(t, agent.Failed, until[agent.TurnSettled](t, w).Outcome)
	clock.move(time.Hour)
	require.NoError(t, c.Do(t.Context(), ref.Session, agent.RetryNow{}))
	assert.Len(t, f.prompts(), 1)
}
