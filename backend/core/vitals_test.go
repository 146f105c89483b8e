package core_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/core"
	"turnwatch/backend/history"
	"turnwatch/backend/proc"
)

// rooted is an agent in memory that never answers and whose processes are what
// the test says. It counts how often they were looked at.
type rooted struct {
	mu    sync.Mutex
	sink  agent.Sink
	nodes []proc.Node
	looks int
}

type rootedConn struct{ *rooted }

func (r *rooted) Open(_ context.Context, _ agent.OpenRequest, sink agent.Sink) (agent.Conn, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sink = sink
	return rootedConn{r}, nil
}

func (c rootedConn) Info() agent.SessionInfo { return agent.SessionInfo{ID: "ses_1"} }
func (c rootedConn) Prompt(context.Context, agent.Generation, agent.Prompt) error {
	return nil
}
func (c rootedConn) Cancel(context.Context) error                              { return nil }
func (c rootedConn) Decide(context.Context, agent.AskID, agent.Decision) error { return nil }
func (c rootedConn) Close(context.Context) error                               { return nil }
func (c rootedConn) Choose(context.Context, string, string) ([]agent.Option, error) {
	return nil, nil
}

func (c rootedConn) Tree() []proc.Node {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.looks++
	return c.nodes
}

func (r *rooted) run(nodes ...proc.Node) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.nodes = nodes
}

func (r *rooted) tool(status agent.ToolStatus) {
	r.sink.Deliver(agent.Updated{Stamp: r.sink.Stamp(), Update: agent.Update{
		Kind: agent.ToolCalled, Tool: agent.ToolCall{ID: "t" + fmt.Sprint(r.sink.Stamp().Generation), Title: "bash", Status: status},
	}})
}

// hand is a clock whose hands the test moves. Its timers are real ones: they are
// the history's.
type hand struct {
	mu    sync.Mutex
	now   time.Time
	awake time.Duration
}

func (h *hand) Now() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

func (h *hand) Awake() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.awake
}

func (h *hand) AfterFunc(d time.Duration, f func()) func() bool { return time.AfterFunc(d, f).Stop }

func (h *hand) pass(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now, h.awake = h.now.Add(d), h.awake+d
}

func vital(t *testing.T, r *rooted, h *hand) (*core.Core, core.Ref, *core.Watch) {
	t.Helper()
	c, err := core.Open(t.Context(), core.Options{
		Dir: t.TempDir(), Clock: h, Awake: h.Awake, Connect: func(agent.Kind, []string) agent.Connector { return r },
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close(context.Background())) })
	ref, err := c.NewTask(t.Context(), core.NewTask{Dir: t.TempDir(), Kind: agent.Demo})
	require.NoError(t, err)
	w := c.Watch(ref.Session)
	t.Cleanup(w.Close)
	return c, ref, w
}

func look(t *testing.T, c *core.Core, id agent.SessionID) core.Vitals {
	t.Helper()
	v, err := c.Vitals(t.Context(), id)
	require.NoError(t, err)
	return v
}

func TestVitalsTellThePaceOfATurnAndWhatEarlierRunsDid(t *testing.T) {
	r, h := &rooted{}, &hand{now: time.Unix(1_000_000, 0)}
	c, ref, w := vital(t, r, h)
	assert.Equal(t, core.Vitals{At: h.Now()}, look(t, c, ref.Session), "no turn yet")

	say(t, c, ref.Session, "one")
	until[agent.SessionReady](t, w)
	sent := h.Now()
	h.pass(time.Second)
	r.tool(agent.ToolInProgress)
	for until[agent.PartSet](t, w).Part.Kind != agent.PartTool {
	}
	require.NoError(t, c.Do(t.Context(), ref.Session, agent.Connect{}), "the owner has come that far")
	h.pass(12 * time.Minute)
	v := look(t, c, ref.Session)
	assert.Equal(t, sent, v.Pace.Sent)
	assert.Equal(t, sent.Add(time.Second), v.Pace.First)
	assert.Equal(t, sent.Add(time.Second), v.Pace.Last)
	assert.Equal(t, sent.Add(time.Second), v.Pace.Quiet)
	assert.Equal(t, core.Earlier{Tool: "bash"}, v.Earlier, "nothing is known of it yet")
	r.tool(agent.ToolCompleted)
	until[agent.ToolFinished](t, w)
	r.sink.Deliver(agent.Answered{Generation: 1, Stop: agent.EndTurn})
	until[agent.TurnSettled](t, w)
	v = look(t, c, ref.Session)
	assert.Equal(t, h.Now(), v.Pace.Settled)
	assert.Zero(t, v.Pace.Quiet, "nothing is waited for")
	assert.Zero(t, v.Earlier)

	say(t, c, ref.Session, "two")
	until[agent.TurnStarted](t, w)
	r.tool(agent.ToolInProgress)
	for until[agent.PartSet](t, w).Part.Kind != agent.PartTool {
	}
	assert.Equal(t, core.Earlier{Tool: "bash", Runs: 1, Longest: 12 * time.Minute}, look(t, c, ref.Session).Earlier)
}

func TestVitalsOfASessionThatIsNotSupervisedAreThoseOfTheHistory(t *testing.T) {
	dir, e := t.TempDir(), &echo{}
	c := open(t, dir, e)
	ref, err := c.NewTask(t.Context(), core.NewTask{Dir: t.TempDir(), Kind: agent.Demo})
	require.NoError(t, err)
	w := c.Watch(ref.Session)
	say(t, c, ref.Session, "hello")
	until[agent.TurnSettled](t, w)
	w.Close()
	require.NoError(t, c.Close(t.Context()))
	c = open(t, dir, e)
	v := look(t, c, ref.Session)
	assert.Equal(t, agent.Generation(1), v.Pace.Generation)
	assert.False(t, v.Pace.Sent.IsZero())
	assert.False(t, v.Pace.Settled.IsZero())
	assert.Empty(t, v.Pace.Strip.Counts, "what was heard then is not kept")
	_, err = c.Vitals(t.Context(), "nobody")
	require.ErrorIs(t, err, history.ErrNotFound)
	require.NoError(t, c.Close(t.Context()))
}

func TestProcessesAreReadAtMostOnceASecondAndOnlyWhenAsked(t *testing.T) {
	r, h := &rooted{}, &hand{now: time.Unix(1_000_000, 0)}
	c, ref, w := vital(t, r, h)
	say(t, c, ref.Session, "one")
	until[agent.SessionReady](t, w)
	assert.Zero(t, look(t, c, ref.Session).Processes, "it has no processes")
	r.run(proc.Node{PID: 7, PPID: 1, Name: "open\x1bcode\u202e", CPU: time.Minute, RSS: 100},
		proc.Node{PID: 8, PPID: 7, Name: "cargo", CPU: time.Second, RSS: 10})
	r.looks = 0
	v := look(t, c, ref.Session).Processes
	assert.Equal(t, core.Processes{At: h.Now(), Memory: 110, List: []core.Process{
		{PID: 7, Parent: 1, Name: "opencode", Memory: 100}, {PID: 8, Parent: 7, Name: "cargo", Memory: 10},
	}}, v, "one look tells no share of a core")

	h.pass(999 * time.Millisecond)
	assert.Equal(t, v, look(t, c, ref.Session).Processes)
	assert.Equal(t, 1, r.looks)

	h.pass(time.Second + time.Millisecond)
	r.run(proc.Node{PID: 7, PPID: 1, Name: "opencode", CPU: time.Minute + 20*time.Millisecond, RSS: 100},
		proc.Node{PID: 8, PPID: 7, Name: "rustc", CPU: 0, RSS: 10}, proc.Node{PID: 9, PPID: 7, Name: "sleep", CPU: time.Hour})
	v = look(t, c, ref.Session).Processes
	assert.True(t, v.Known)
	assert.False(t, v.Busy, "an idle agent is not at work, and a process that is new tells nothing yet")
	assert.InDelta(t, 0.01, v.List[0].CPU, 1e-6)
	assert.Zero(t, v.List[1].CPU, "its pid was given anew")
	h.pass(2 * time.Second)
	r.run(proc.Node{PID: 9, PPID: 7, CPU: time.Hour + time.Second})
	v = look(t, c, ref.Session).Processes
	assert.True(t, v.Busy)
	assert.InDelta(t, 0.5, v.List[0].CPU, 1e-6)

	r.run()
	h.pass(2 * time.Second)
	assert.Zero(t, look(t, c, ref.Session).Processes, "they are gone")
}

func TestProcessesThatStandStillAreToldFromIdleOnes(t *testing.T) {
	node := func(pid int, cpu time.Duration, stopped bool) proc.Node {
		return proc.Node{PID: pid, CPU: cpu, Stopped: stopped}
	}
	for _, row := range []struct {
		name         string
		first, then  []proc.Node
		busy, halted bool
	}{
		{"idle", []proc.Node{node(1, 0, false)}, []proc.Node{node(1, 0, false)}, false, false},
		{"told to stand still", []proc.Node{node(1, 0, false)}, []proc.Node{node(1, 0, true)}, false, true},
		{"one stands still, another works", []proc.Node{node(1, 0, true), node(2, 0, false)}, []proc.Node{node(1, 0, true), node(2, time.Second, false)}, true, false},
		{"one stands still, another is idle", []proc.Node{node(1, 0, true), node(2, 0, false)}, []proc.Node{node(1, 0, true), node(2, 0, false)}, false, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			r, h := &rooted{}, &hand{now: time.Unix(1_000_000, 0)}
			c, ref, w := vital(t, r, h)
			say(t, c, ref.Session, "one")
			until[agent.SessionReady](t, w)
			r.run(row.first...)
			look(t, c, ref.Session)
			h.pass(2 * time.Second)
			r.run(row.then...)
			v := look(t, c, ref.Session).Processes
			assert.Equal(t, row.busy, v.Busy, "busy")
			assert.Equal(t, row.halted, v.Halted, "halted")
			assert.Equal(t, row.then[0].Stopped, v.List[0].Halted)
		})
	}
}

func TestALongListOfProcessesIsCut(t *testing.T) {
	r, h := &rooted{}, &hand{now: time.Unix(1_000_000, 0)}
	c, ref, w := vital(t, r, h)
	say(t, c, ref.Session, "one")
	until[agent.SessionReady](t, w)
	nodes := make([]proc.Node, 100)
	for i := range nodes {
		nodes[i] = proc.Node{PID: i + 1, RSS: 1}
	}
	r.run(nodes...)
	v := look(t, c, ref.Session).Processes
	assert.Len(t, v.List, 64)
	assert.Equal(t, 36, v.More)
	assert.Equal(t, uint64(100), v.Memory)
}

func TestWhileSomethingIsAskedNothingIsQuiet(t *testing.T) {
	r, h := &rooted{}, &hand{now: time.Unix(1_000_000, 0)}
	c, ref, w := vital(t, r, h)
	say(t, c, ref.Session, "one")
	until[agent.SessionReady](t, w)
	r.sink.Deliver(agent.Asked{Stamp: r.sink.Stamp(), Ask: agent.Ask{ID: "a", Kind: agent.AskPermission}})
	until[agent.AskOpened](t, w)
	require.NoError(t, c.Do(t.Context(), ref.Session, agent.Connect{}), "the owner has come that far")
	h.pass(time.Hour)
	assert.Zero(t, look(t, c, ref.Session).Pace.Quiet)
}
