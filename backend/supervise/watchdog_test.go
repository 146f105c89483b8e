package supervise_test

import (
	"bytes"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/supervise"
	"turnwatch/backend/turn"
)

func watched(p *peer, m *memory, log *bytes.Buffer, asleep *atomic.Int64) (*supervise.Session, *supervise.Watchdog) {
	s := supervise.Start(supervise.Options{
		Task: "task", Session: "ses", Dir: "/", Connector: p, Recorder: m,
		Clock: agent.SystemClock{}, State: turn.New(),
		Awake: func() time.Duration { return agent.Awake() - time.Duration(asleep.Load()) },
		Log:   slog.New(slog.NewTextHandler(log, nil)),
	})
	return s, supervise.Watch(agent.SystemClock{}, func() []*supervise.Session { return []*supervise.Session{s} })
}

func TestTheWatchdogNoticesASilentTurnOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		var asleep atomic.Int64
		p, m := &peer{}, &memory{}
		s, dog := watched(p, m, &log, &asleep)
		submit(t, s, "p1")
		synctest.Wait()
		p.say("working")
		<-time.After(4 * time.Minute)
		assert.Empty(t, recorded[agent.Noticed](m))
		<-time.After(2*time.Minute + time.Second)
		synctest.Wait()
		assert.Len(t, recorded[agent.Noticed](m), 1)
		<-time.After(time.Hour)
		synctest.Wait()
		assert.Len(t, recorded[agent.Noticed](m), 1)
		assert.Equal(t, 1, strings.Count(log.String(), "kind=stall"))
		assert.NotContains(t, log.String(), "working")
		assert.Equal(t, agent.Generation(1), s.View().Generation, "the turn is left alone")
		dog.Stop()
		require.NoError(t, s.Close(t.Context()))
	})
}

func TestTheWatchdogLooksAtExactlyTheThreshold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		var asleep atomic.Int64
		p, m := &peer{}, &memory{}
		s, dog := watched(p, m, &log, &asleep)
		submit(t, s, "p1")
		synctest.Wait()
		p.say("working") // at the very moment from which the ticks count
		<-time.After(turn.Threshold - time.Millisecond)
		synctest.Wait()
		assert.Empty(t, recorded[agent.Noticed](m))
		<-time.After(time.Millisecond)
		synctest.Wait()
		assert.Len(t, recorded[agent.Noticed](m), 1)
		dog.Stop()
		require.NoError(t, s.Close(t.Context()))
	})
}

func TestTheWatchdogEndsATurnThatNeverStarted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		var asleep atomic.Int64
		p, m := &peer{}, &memory{}
		s, dog := watched(p, m, &log, &asleep)
		submit(t, s, "p1")
		<-time.After(6*time.Minute + time.Second)
		synctest.Wait()
		require.Len(t, recorded[agent.TurnSettled](m), 1)
		assert.Equal(t, agent.NeverStarted, recorded[agent.TurnSettled](m)[0].Outcome)
		assert.Equal(t, []string{"open", "prompt", "cancel", "close"}, p.calls())
		submit(t, s, "p2")
		synctest.Wait()
		assert.Equal(t, "prompt", p.calls()[5], "the next prompt starts the agent again: %v", p.calls())
		dog.Stop()
		require.NoError(t, s.Close(t.Context()))
	})
}

func TestTheWatchdogDoesNotCountSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		var asleep atomic.Int64
		p, m := &peer{}, &memory{}
		s, dog := watched(p, m, &log, &asleep)
		submit(t, s, "p1")
		synctest.Wait()
		p.say("working")
		synctest.Wait()
		asleep.Store(int64(2 * time.Hour)) // from now on the awake clock is behind
		<-time.After(2*time.Hour + 4*time.Minute)
		synctest.Wait()
		assert.Empty(t, recorded[agent.Noticed](m))
		<-time.After(2 * time.Minute)
		synctest.Wait()
		assert.Len(t, recorded[agent.Noticed](m), 1)
		dog.Stop()
		require.NoError(t, s.Close(t.Context()))
	})
}
