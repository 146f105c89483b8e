//go:build agents

package agents_e2e

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/core"
	"turnwatch/backend/supervise"
)

// skewed is the real clock, but for silence: the watchdog looks when the test says
// so, and for it as much time has passed as the test says. Everything else, the
// bounds of a cancel above all, stays real.
type skewed struct {
	agent.SystemClock
	mu     sync.Mutex
	ahead  time.Duration
	ticks  map[int]func()
	number int
}

func (c *skewed) Awake() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return agent.Awake() + c.ahead
}

func (c *skewed) AfterFunc(d time.Duration, f func()) func() bool {
	if d != supervise.Tick {
		return c.SystemClock.AfterFunc(d, f)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ticks == nil {
		c.ticks = map[int]func(){}
	}
	c.number++
	n := c.number
	c.ticks[n] = f
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		_, there := c.ticks[n]
		delete(c.ticks, n)
		return there
	}
}

// later lets time pass and the watchdog look.
func (c *skewed) later(d time.Duration) {
	c.mu.Lock()
	c.ahead += d
	due := c.ticks
	c.ticks = nil
	c.mu.Unlock()
	for _, f := range due {
		f()
	}
}

// quietBench is OpenCode under a clock that the test moves, warm.
func quietBench(t *testing.T) (*bench, *skewed) {
	t.Helper()
	c := &skewed{}
	b := newBenchWith(t, agent.OpenCode, func(o *core.Options) { o.Clock, o.Awake = c, c.Awake })
	b.say("Say hello. [[fake:text n=3]]")
	require.Equal(t, agent.Completed, b.settled().Outcome, b.heard())
	return b, c
}

// spoke waits for the first text of a turn.
func (b *bench) spoke(g agent.Generation) {
	b.t.Helper()
	await(b, func(f agent.PartSet) bool { return f.Part.Kind == agent.PartText && f.Part.Generation == g })
}

// quiet lets minutes pass, a look of the watchdog after each, until a notice comes,
// and gives it. The turn is left alone.
func (b *bench) quiet(c *skewed) agent.Notice {
	b.t.Helper()
	looks := 0
	b.eventually(20*time.Second, "the silence is noticed", func() bool {
		c.later(time.Minute)
		looks++
		more, _ := b.watch.Take()
		b.waiting = append(b.waiting, more...)
		return slices.ContainsFunc(b.waiting, func(e agent.Entry) bool { _, is := e.Fact.(agent.Noticed); return is })
	})
	assert.GreaterOrEqual(b.t, looks, 5, "not before five minutes")
	n := await[agent.Noticed](b, nil).Notice
	require.Equal(b.t, agent.NoticeQuiet, n.Kind)
	v, ok := b.c.View(b.ref.Session)
	require.True(b.t, ok)
	require.Equal(b.t, agent.SessionRunning, v.Session)
	c.later(10 * time.Minute)
	require.NoError(b.t, b.c.Do(b.t.Context(), b.ref.Session, agent.Connect{}), "the owner has seen that look")
	return n
}

// cancelled cancels and holds the cancel to its bound. It gives its stages.
func (b *bench) cancelled() []agent.CancelStep {
	b.t.Helper()
	began := time.Now()
	b.do(agent.CancelTurn{})
	end := b.settled()
	took := time.Since(began)
	b.t.Logf("settled %s after %s, %s", end.Outcome, took.Round(time.Millisecond), b.cancelSteps())
	assert.Equal(b.t, agent.Cancelled, end.Outcome, b.heard())
	assert.Less(b.t, took, 5*time.Second)
	return b.cancelSteps()
}

// goesOn holds the session to take the next prompt.
func (b *bench) goesOn() {
	b.t.Helper()
	b.say("Say hello again. [[fake:text n=3]]")
	assert.Equal(b.t, agent.Completed, b.settled().Outcome, b.heard())
}

func (b *bench) notices(kind string) (n int) {
	for _, e := range b.facts {
		if f, ok := e.Fact.(agent.Noticed); ok && f.Notice.Kind == kind {
			n++
		}
	}
	return n
}

// TestCommentsForEverAreSilence lets the provider keep its stream alive with
// comments after one word: it never ends by itself.
func TestCommentsForEverAreSilence(t *testing.T) {
	b, c := quietBench(t)
	b.say("Say one word. [[fake:drip every=200]]")
	b.spoke(2)
	assert.Empty(t, b.quiet(c).Args, "no tool is at work")
	b.cancelled()
	assert.Equal(t, 1, b.notices(agent.NoticeQuiet), "said once: %s", b.heard())
	b.goesOn()
}

// TestALongToolIsQuietAndNamed runs a command that says nothing for minutes.
func TestALongToolIsQuietAndNamed(t *testing.T) {
	b, c := quietBench(t)
	sleeps := func() bool {
		return slices.ContainsFunc(b.launched(), func(p process) bool { return strings.HasPrefix(p.args, "sleep 400") })
	}
	b.say("Wait. [[fake:bash cmd='sleep 400']]")
	_, end := b.allowing(sleeps)
	require.Nil(t, end, "the tool runs: %s", b.heard())
	b.eventually(30*time.Second, "the tool is said to be at work", func() bool {
		more, _ := b.watch.Take()
		b.facts = append(b.facts, more...)
		tools := b.tools()
		return len(tools) > 0 && tools[len(tools)-1].Status == agent.ToolInProgress
	})
	n := b.quiet(c)
	assert.Equal(t, "bash", n.Args["tool"], "its name, and nothing of the command")
	v, err := b.c.Vitals(t.Context(), b.ref.Session)
	require.NoError(t, err)
	assert.Equal(t, "bash", v.Earlier.Tool)
	assert.Less(t, v.Pace.Quiet, time.Now().Add(-15*time.Minute))
	assert.True(t, slices.ContainsFunc(v.Processes.List, func(p core.Process) bool { return p.Name == "sleep" }), v.Processes)

	b.cancelled()
	b.eventually(10*time.Second, "the command is gone", func() bool { return !sleeps() })
	b.goesOn()
}

// TestAStepThatNeverEndsIsALoop lets each stream end without any end of the
// answer, after the same words or after none: OpenCode asks its model again and
// again. The first shows over ACP, the second in the agent's event stream alone.
func TestAStepThatNeverEndsIsALoop(t *testing.T) {
	b, _ := quietBench(t)
	for _, directive := range []string{"eof n=2", "eof n=0"} {
		t.Run(directive, func(t *testing.T) {
			b.t = t
			before := b.notices(agent.NoticeLooping)
			b.say("Say two words. [[fake:" + directive + "]]")
			n := await[agent.Noticed](b, nil).Notice
			assert.Equal(t, agent.NoticeLooping, n.Kind)
			steps, err := strconv.Atoi(n.Args["steps"])
			require.NoError(t, err)
			assert.Equal(t, 3, steps)
			more := await[agent.NoticeChanged](b, nil).Notice
			assert.Equal(t, map[string]string{"steps": "4"}, more.Args, "it counts on")
			b.cancelled()
			asked := len(b.models.Requests())
			b.goesOn()
			assert.LessOrEqual(t, len(b.models.Requests()), asked+2, "the loop has ended")
			assert.Equal(t, before+1, b.notices(agent.NoticeLooping), "said once")
		})
	}
	b.t = t
}

// TestAStoppedAgentIsQuietAndRestarted stops every process of the agent after its
// first word. It cannot answer a cancel; a restart makes the session whole.
func TestAStoppedAgentIsQuietAndRestarted(t *testing.T) {
	b, c := quietBench(t)
	b.say("Say a lot. [[fake:text n=500 delay=100]]")
	b.spoke(2)
	old := b.launched()
	for _, p := range old {
		require.NoError(t, syscall.Kill(p.pid, syscall.SIGSTOP))
	}
	assert.Empty(t, b.quiet(c).Args)
	assert.Contains(t, b.cancelled(), agent.CancelEscalated, "it could not answer")
	b.do(agent.Restart{})
	await(b, func(r agent.SessionReady) bool { return r.Info.Resumed })
	for _, p := range old {
		assert.False(t, slices.ContainsFunc(b.launched(), func(n process) bool { return n.pid == p.pid }), "%s is left behind", p.name)
	}
	b.goesOn()
}
