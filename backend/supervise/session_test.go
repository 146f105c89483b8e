package supervise_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"turnwatch/backend/agent"
	"turnwatch/backend/supervise"
	"turnwatch/backend/turn"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestATurnRunsFromPromptToOutcome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, m := &peer{}, &memory{}
		s := start(p, m)
		submit(t, s, "p1")
		synctest.Wait()
		assert.Equal(t, []string{"open", "prompt"}, p.calls())
		assert.Equal(t, agent.SessionRunning, s.View().Session)
		assert.Equal(t, agent.Generation(1), p.sink(0).Stamp().Generation)

		p.say("hello ")
		p.say("there")
		p.answer(1, agent.EndTurn)
		synctest.Wait()
		require.Len(t, recorded[agent.TurnSettled](m), 1)
		assert.Equal(t, agent.Completed, recorded[agent.TurnSettled](m)[0].Outcome)
		assert.Equal(t, agent.TaskDone, s.View().Task)
		require.NoError(t, s.Close(t.Context()))
		assert.Equal(t, []string{"open", "prompt", "close"}, p.calls())
	})
}

func TestThePromptLeavesUnderItsOwnGeneration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memory{}
		var at []agent.Generation
		p := &peer{}
		p.prompt = func(context.Context, agent.Generation) error {
			at = append(at, p.sink(0).Stamp().Generation)
			return nil
		}
		s := start(p, m)
		for g := range 3 {
			submit(t, s, "p")
			synctest.Wait()
			p.answer(agent.Generation(g+1), agent.EndTurn)
			synctest.Wait()
		}
		assert.Equal(t, []agent.Generation{1, 2, 3}, at, "what is read from the first byte on bears it")
		require.NoError(t, s.Close(t.Context()))
	})
}

func TestDoReturnsWhenThePromptIsOnDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, m := &peer{}, &memory{stuck: true}
		s := start(p, m)
		done := make(chan error, 1)
		go func() {
			done <- s.Do(t.Context(), agent.Submit{Prompt: agent.Prompt{ID: "p", Blocks: []agent.Block{agent.TextBlock("x")}}})
		}()
		synctest.Wait()
		assert.Empty(t, done)
		assert.Empty(t, p.calls(), "nothing is sent before it is on disk")
		m.stick(false)
		require.NoError(t, <-done)
		require.NoError(t, s.Close(t.Context()))
	})
}

func TestDoSaysWhyNothingHappened(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		full := errors.New("disk is full")
		m := &memory{refuse: full}
		s := start(&peer{}, m)
		prompt := agent.Submit{Prompt: agent.Prompt{ID: "p", Blocks: []agent.Block{agent.TextBlock("x")}}}
		require.ErrorIs(t, s.Do(t.Context(), prompt), full)
		require.ErrorIs(t, s.Do(t.Context(), agent.Submit{}), agent.EmptyPrompt)
		require.NoError(t, s.Do(t.Context(), agent.CancelTurn{}), "a cancel with nothing open is no error")
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		m.stick(true)
		require.ErrorIs(t, s.Do(ctx, prompt), context.DeadlineExceeded)
		m.stick(false)
		require.NoError(t, s.Close(t.Context()))
		require.ErrorIs(t, s.Do(t.Context(), prompt), supervise.ErrClosed)
	})
}

func TestACancelSettlesInThreeSecondsThoughTheAgentReadsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		blocked := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
		p, m := &peer{cancel: blocked}, &memory{}
		s := start(p, m)
		submit(t, s, "p1")
		synctest.Wait()
		began := time.Now()
		require.NoError(t, s.Do(t.Context(), agent.CancelTurn{}))
		assert.Zero(t, time.Since(began), "the click is answered at once")
		<-time.After(3*time.Second - time.Millisecond)
		synctest.Wait()
		assert.Empty(t, recorded[agent.TurnSettled](m))
		<-time.After(time.Millisecond)
		synctest.Wait()
		require.Len(t, recorded[agent.TurnSettled](m), 1)
		assert.Equal(t, agent.Cancelled, recorded[agent.TurnSettled](m)[0].Outcome)

		submit(t, s, "p2")
		<-time.After(20 * time.Second)
		synctest.Wait()
		assert.Equal(t, []string{"open", "prompt", "cancel", "prompt"}, p.calls(), "the next prompt needs no restart")
		require.NoError(t, s.Close(t.Context()))
	})
}

func TestAFloodIsHeldBackWhileTheHistoryIsBehindAndTheUserIsNot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, m := &peer{}, &memory{}
		s := start(p, m)
		submit(t, s, "p1")
		synctest.Wait()
		m.stick(true)
		said := make(chan struct{})
		go func() {
			defer close(said)
			for range 50_000 {
				p.say("word ")
			}
			p.answer(1, agent.EndTurn)
		}()
		synctest.Wait()
		assert.Less(t, m.len(), 10_000, "what is not on disk is bounded")
		go func() { _ = s.Do(context.Background(), agent.CancelTurn{}) }()
		synctest.Wait()
		assert.Contains(t, p.calls(), "cancel")

		m.stick(false)
		<-said
		synctest.Wait()
		assert.Len(t, recorded[agent.TurnSettled](m), 1)
		assert.Equal(t, 50_000-1, len(recorded[agent.PartAppended](m)), "nothing is lost")
		require.NoError(t, s.Close(t.Context()))
	})
}

func TestWhatAnEarlierProcessSaysChangesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, m := &peer{}, &memory{}
		s := start(p, m)
		submit(t, s, "p1")
		synctest.Wait()
		require.NoError(t, s.Do(t.Context(), agent.Restart{}))
		synctest.Wait()
		submit(t, s, "p2")
		synctest.Wait()
		old := p.sink(0)
		old.Deliver(agent.Exited{Failure: agent.Failure{Code: "agent_crashed"}})
		assert.True(t, old.Offer(agent.FailureSeen{Stamp: old.Stamp(), Failure: agent.Failure{Code: "quota_limited"}}))
		synctest.Wait()
		assert.Equal(t, agent.Generation(2), s.View().Generation, "turn 2 is still in hand")
		assert.Len(t, recorded[agent.TurnSettled](m), 1)
		require.NoError(t, s.Close(t.Context()))
	})
}

func TestEvidenceIsCheckedAndBoundedBeforeItIsQueued(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, m := &peer{}, &memory{}
		s := start(p, m)
		submit(t, s, "p1")
		synctest.Wait()
		k := p.sink(0)
		assert.False(t, k.Offer(agent.FailureSeen{Stamp: agent.Stamp{Generation: 9}}), "another generation")
		assert.True(t, k.Offer(agent.FailureSeen{Stamp: k.Stamp(), Failure: agent.Failure{Code: "quota_limited"}}))
		synctest.Wait()
		assert.Equal(t, agent.Code("quota_limited"), recorded[agent.TurnSettled](m)[0].Failure.Code)
		require.NoError(t, s.Close(t.Context()))
		assert.False(t, k.Offer(agent.Retrying{}), "the session is gone")
	})
}

func TestCloseDoesNotWaitForAnAgentThatNeverAnswersItsStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, m := &peer{open: func(ctx context.Context, _ agent.OpenRequest) error { <-ctx.Done(); return ctx.Err() }}, &memory{}
		s := start(p, m)
		submit(t, s, "p1")
		synctest.Wait()
		began := time.Now()
		require.NoError(t, s.Close(t.Context()))
		assert.Less(t, time.Since(began), time.Second)
		require.Len(t, recorded[agent.TurnSettled](m), 1)
		assert.Equal(t, agent.Interrupted, recorded[agent.TurnSettled](m)[0].Outcome)
	})
}

func TestAPromptThatCannotBeHandedOverFailsTheTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, m := &peer{prompt: func(context.Context, agent.Generation) error { return errors.New("pipe is closed") }}, &memory{}
		s := start(p, m)
		submit(t, s, "p1")
		synctest.Wait()
		assert.Equal(t, agent.Code("agent_transport_lost"), recorded[agent.TurnSettled](m)[0].Failure.Code)
		require.NoError(t, s.Close(t.Context()))
	})
}

func TestADecisionReachesTheAgentAndAnOptionComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got agent.Decision
		p, m := &peer{decide: func(_ agent.AskID, d agent.Decision) { got = d }}, &memory{}
		s := start(p, m)
		submit(t, s, "p1")
		synctest.Wait()
		k := p.sink(0)
		k.Deliver(agent.Asked{Stamp: k.Stamp(), Ask: agent.Ask{ID: "a", Options: []agent.AskOption{{ID: "once"}}}})
		synctest.Wait()
		want := agent.Decision{Option: "once", By: agent.ByUser}
		require.NoError(t, s.Do(t.Context(), agent.Decide{Ask: "a", Decision: want}))
		require.NoError(t, s.Do(t.Context(), agent.SetOption{ID: "model", Value: "big"}))
		synctest.Wait()
		assert.Equal(t, want, got)
		assert.Equal(t, "big", recorded[agent.OptionsSet](m)[0].Options[0].Current)
		require.NoError(t, s.Close(t.Context()))
	})
}

func TestWhatTheAgentIsAndSaysIsShownInItsOrderAndTheEndOnlyFromDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, m := &peer{}, &memory{}
		var mu sync.Mutex
		var shown []string
		s := supervise.Start(supervise.Options{
			Task: "task", Session: "ses", Dir: "/", Connector: p, Recorder: m,
			Clock: agent.SystemClock{}, State: turn.New(),
			Publish: func(entries []agent.Entry) {
				mu.Lock()
				defer mu.Unlock()
				for _, e := range entries {
					shown = append(shown, strings.TrimPrefix(fmt.Sprintf("%T", e.Fact), "agent."))
				}
			},
		})
		submit(t, s, "p1")
		synctest.Wait()
		m.stick(true) // from here on nothing gets to the disk
		p.say("hello")
		p.answer(1, agent.EndTurn)
		synctest.Wait()
		mu.Lock()
		assert.Equal(t, []string{"TurnStarted", "PartSet", "StateSet", "SessionReady", "PartSet"}, shown)
		mu.Unlock()
		m.stick(false)
		synctest.Wait()
		mu.Lock()
		assert.Equal(t, []string{"TurnSettled", "StateSet"}, shown[5:])
		mu.Unlock()
		require.NoError(t, s.Close(t.Context()))
	})
}
