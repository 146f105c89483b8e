//go:build unix

package supervise_test

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/supervise"
	"turnwatch/backend/turn"
)

// forgetful is a history that takes everything at once and keeps nothing.
type forgetful struct{}

func (forgetful) Record(_ []agent.Entry, _ bool, done func(error)) { done(nil) }

// byHand is a clock whose watchdog looks when it is told to.
type byHand struct {
	agent.SystemClock
	tick func()
}

func (c *byHand) AfterFunc(d time.Duration, f func()) func() bool {
	if d == supervise.Tick {
		c.tick = f
		return func() bool { return true }
	}
	return c.SystemClock.AfterFunc(d, f)
}

// cpu is the time that this process has used so far.
func cpu(tb testing.TB) time.Duration {
	var u syscall.Rusage
	require.NoError(tb, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// memory that is in use, heap and stacks, after a collection.
func inUse() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse + m.StackInuse
}

// BenchmarkSessions is what running turns cost beside their agents. One operation
// is one minute of all of them at virtual time: an event a second for each, every
// one of which finds its owner asleep, then one look of the watchdog. The shares
// are CPU time of the whole process per minute, in percent of one core: of the
// supervisor with the machine behind it, and of the watchdog while all turns are
// silent for the threshold. KB/session is heap and stacks of a running turn.
func BenchmarkSessions(b *testing.B) {
	for _, n := range []int{50, 500} {
		b.Run(strconv.Itoa(n), func(b *testing.B) { benchSessions(b, n) })
	}
}

func benchSessions(b *testing.B, n int) {
	clock := &byHand{}
	var round sync.WaitGroup
	var ahead atomic.Int64
	publish := func(entries []agent.Entry) {
		for _, e := range entries {
			switch e.Fact.(type) {
			case agent.PartAppended:
				round.Done()
			}
		}
	}
	before := inUse()
	sessions, peers := make([]*supervise.Session, n), make([]*peer, n)
	for i := range n {
		peers[i] = &peer{}
		sessions[i] = supervise.Start(supervise.Options{
			Task: "task", Session: agent.SessionID(fmt.Sprint(i)), Dir: "/", Connector: peers[i], Recorder: forgetful{},
			Clock: clock, State: turn.New(), Publish: publish,
			Awake: func() time.Duration { return agent.Awake() + time.Duration(ahead.Load()) },
		})
	}
	dog := supervise.Watch(clock, func() []*supervise.Session { return sessions })
	for i, s := range sessions {
		submit(b, s, "p")
		for len(peers[i].calls()) < 2 { // opened and prompted
			runtime.Gosched()
		}
	}
	minute := 0
	events := func() {
		minute++
		id := strconv.Itoa(minute) // one message a minute
		for second := range 60 {
			for _, p := range peers {
				if second > 0 {
					round.Add(1)
				}
				k := p.sink(0)
				k.Deliver(agent.Updated{Stamp: k.Stamp(), Update: agent.Update{
					Kind: agent.MessageChunk, MessageID: id, Block: agent.TextBlock(strconv.Itoa(second) + " word "),
				}})
			}
			round.Wait()
		}
	}
	events()
	memory := float64(inUse()-before) / float64(n) / 1024

	var supervisor, watchdog time.Duration
	const looks = 100
	for b.Loop() {
		from := cpu(b)
		events()
		mid := cpu(b)
		ahead.Add(int64(turn.Threshold))
		for range looks {
			clock.tick()
		}
		for _, s := range sessions { // every owner has seen every look
			require.NoError(b, s.Do(b.Context(), agent.Connect{}))
		}
		supervisor, watchdog = supervisor+mid-from, watchdog+(cpu(b)-mid)/looks
	}
	share := func(d time.Duration) float64 { return 100 * d.Seconds() / float64(b.N) / 60 }
	b.ReportMetric(share(supervisor), "%core-supervisor")
	b.ReportMetric(share(watchdog), "%core-watchdog")
	b.ReportMetric(memory, "KB/session")
	dog.Stop()
	for _, s := range sessions {
		require.NoError(b, s.Close(context.Background()))
	}
}
