package core_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"turnwatch/backend/agent"
	"turnwatch/backend/core"
	"turnwatch/backend/history"
)

func TestMain(m *testing.M) {
	if !asProgram() {
		goleak.VerifyTestMain(m)
	}
}

// echo is an agent in memory: it says each prompt back. While silent it says
// nothing and answers nothing.
type echo struct {
	silent bool
	mu     sync.Mutex
	opened []agent.OpenRequest
}

type echoConn struct {
	*echo
	sink agent.Sink
}

func (e *echo) Open(_ context.Context, req agent.OpenRequest, sink agent.Sink) (agent.Conn, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.opened = append(e.opened, req)
	return echoConn{e, sink}, nil
}

func (c echoConn) Info() agent.SessionInfo { return agent.SessionInfo{ID: "ses_echo", Resumes: true} }

func (c echoConn) Prompt(_ context.Context, g agent.Generation, p agent.Prompt) error {
	if c.silent {
		return nil
	}
	go func() {
		c.sink.Deliver(agent.Updated{Stamp: c.sink.Stamp(), Update: agent.Update{Kind: agent.MessageChunk, MessageID: string(p.ID), Block: p.Blocks[0]}})
		c.sink.Deliver(agent.Answered{Generation: g, Stop: agent.EndTurn})
	}()
	return nil
}

func (c echoConn) Cancel(context.Context) error                              { return nil }
func (c echoConn) Decide(context.Context, agent.AskID, agent.Decision) error { return nil }
func (c echoConn) Close(context.Context) error                               { return nil }
func (c echoConn) Choose(context.Context, string, string) ([]agent.Option, error) {
	return nil, nil
}

func open(t *testing.T, dir string, e *echo) *core.Core {
	t.Helper()
	c, err := core.Open(t.Context(), core.Options{
		Dir: dir, Connect: func(agent.Kind, []string) agent.Connector { return e },
	})
	require.NoError(t, err)
	return c
}

func say(t *testing.T, c *core.Core, id agent.SessionID, text string) {
	t.Helper()
	_, err := c.Submit(t.Context(), id, []agent.Block{agent.TextBlock(text)})
	require.NoError(t, err)
}

// until takes facts from a watch until one of the wanted type comes.
func until[F agent.Fact](t *testing.T, w *core.Watch) F {
	t.Helper()
	for {
		select {
		case <-w.Ready():
		case <-t.Context().Done():
			t.Fatal("the fact did not come")
		}
		entries, ok := w.Take()
		for _, e := range entries {
			if f, is := e.Fact.(F); is {
				return f
			}
		}
		require.True(t, ok, "the watch has ended")
	}
}

func TestATaskIsThereAfterARestart(t *testing.T) {
	dir, work, e := t.TempDir(), t.TempDir(), &echo{}
	c := open(t, dir, e)
	ref, err := c.NewTask(t.Context(), core.NewTask{Dir: work, Kind: agent.Demo, Title: "First"})
	require.NoError(t, err)
	w := c.Watch(ref.Session)
	say(t, c, ref.Session, "hello")
	assert.Equal(t, agent.Completed, until[agent.TurnSettled](t, w).Outcome)
	w.Close()
	require.NoError(t, c.Close(t.Context()))

	c = open(t, dir, e)
	tasks, err := c.History().Tasks(t.Context(), history.TaskFilter{})
	require.NoError(t, err)
	require.Len(t, tasks, 1)
	assert.Equal(t, "First", tasks[0].Title)
	assert.Equal(t, agent.TaskDone, tasks[0].State)
	w = c.Watch(ref.Session)
	say(t, c, ref.Session, "again")
	assert.Equal(t, agent.Generation(2), until[agent.TurnStarted](t, w).Generation)
	until[agent.TurnSettled](t, w)
	w.Close()
	parts, err := c.History().Parts(t.Context(), history.PartQuery{Session: ref.Session})
	require.NoError(t, err)
	var texts []string
	for _, p := range parts {
		texts = append(texts, p.Text)
	}
	assert.Equal(t, []string{"hello", "hello", "again", "again"}, texts)
	assert.Equal(t, agent.ProviderSession("ses_echo"), e.opened[1].Resume, "the agent's session is taken up again")
	require.NoError(t, c.Close(t.Context()))
}

func TestClosingInterruptsWhatRunsAndHoldsTheQueue(t *testing.T) {
	dir, e := t.TempDir(), &echo{silent: true}
	c := open(t, dir, e)
	ref, err := c.NewTask(t.Context(), core.NewTask{Dir: t.TempDir(), Kind: agent.Demo})
	require.NoError(t, err)
	say(t, c, ref.Session, "one")
	say(t, c, ref.Session, "two")
	require.NoError(t, c.Close(t.Context()))
	_, err = c.Submit(t.Context(), ref.Session, []agent.Block{agent.TextBlock("three")})
	require.ErrorIs(t, err, core.ErrClosed)

	e.silent = false
	c = open(t, dir, e)
	turn, err := c.History().Turn(t.Context(), ref.Session, 1)
	require.NoError(t, err)
	require.NotNil(t, turn.End)
	assert.Equal(t, agent.Interrupted, turn.End.Outcome)
	w := c.Watch(ref.Session)
	require.NoError(t, c.Do(t.Context(), ref.Session, agent.ReleaseQueue{}))
	assert.Equal(t, "two", until[agent.TurnStarted](t, w).Prompt.Blocks[0].Text)
	until[agent.TurnSettled](t, w)
	w.Close()
	require.NoError(t, c.Close(t.Context()))
}

func TestAFolderThatCannotBeWorkedInIsRefusedBeforeAnythingIsMade(t *testing.T) {
	c := open(t, t.TempDir(), &echo{})
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for name, dir := range map[string]string{"missing": filepath.Join(t.TempDir(), "no"), "relative": "here", "a file": file, "empty": ""} {
		_, err := c.NewTask(t.Context(), core.NewTask{Dir: dir, Kind: agent.Demo})
		var f *agent.Failure
		require.ErrorAs(t, err, &f, name)
		assert.Equal(t, agent.Code("agent_start_failed"), f.Code, name)
		assert.NotEmpty(t, f.Hint, name)
	}
	tasks, err := c.History().Tasks(t.Context(), history.TaskFilter{})
	require.NoError(t, err)
	assert.Empty(t, tasks)
	require.NoError(t, c.Close(t.Context()))
}

func TestTwoProgramsOnOneFolder(t *testing.T) {
	dir := t.TempDir()
	a, b := open(t, dir, &echo{silent: true}), open(t, dir, &echo{})
	ref, err := a.NewTask(t.Context(), core.NewTask{Dir: t.TempDir(), Kind: agent.Demo})
	require.NoError(t, err)
	say(t, a, ref.Session, "one")
	_, err = b.Submit(t.Context(), ref.Session, []agent.Block{agent.TextBlock("two")})
	require.ErrorIs(t, err, history.ErrBusy, "a living program runs that session")
	own, err := b.NewTask(t.Context(), core.NewTask{Dir: t.TempDir(), Kind: agent.Demo})
	require.NoError(t, err)
	w := b.Watch(own.Session)
	say(t, b, own.Session, "mine")
	until[agent.TurnSettled](t, w)
	w.Close()
	require.NoError(t, b.Close(t.Context()))
	turn, err := a.History().Turn(t.Context(), ref.Session, 1)
	require.NoError(t, err)
	assert.Nil(t, turn.End, "the other program's start and end left it alone")
	require.NoError(t, a.Close(t.Context()))
}

func TestASessionThatIsNotThereIsRefusedAndNotRemembered(t *testing.T) {
	c := open(t, t.TempDir(), &echo{})
	for range 2 {
		_, err := c.Submit(t.Context(), "nobody", []agent.Block{agent.TextBlock("x")})
		require.ErrorIs(t, err, history.ErrNotFound)
	}
	require.NoError(t, c.Close(t.Context()))
}

func TestStartFreshIsANewSessionInTheSameTask(t *testing.T) {
	e := &echo{}
	c := open(t, t.TempDir(), e)
	ref, err := c.NewTask(t.Context(), core.NewTask{Dir: t.TempDir(), Kind: agent.Demo})
	require.NoError(t, err)
	w := c.Watch("")
	say(t, c, ref.Session, "one")
	until[agent.TurnSettled](t, w)
	fresh, err := c.StartFresh(t.Context(), ref.Session)
	require.NoError(t, err)
	assert.Equal(t, ref.Task, fresh.Task)
	assert.NotEqual(t, ref.Session, fresh.Session)
	say(t, c, fresh.Session, "two")
	assert.Equal(t, agent.Completed, until[agent.TurnSettled](t, w).Outcome)
	assert.Empty(t, e.opened[1].Resume, "the provider session is a new one")
	sessions, err := c.History().Sessions(t.Context(), ref.Task)
	require.NoError(t, err)
	assert.Len(t, sessions, 2)
	_, ok := c.View(ref.Session)
	assert.False(t, ok, "the earlier one is let go")
	w.Close()
	require.NoError(t, c.Close(t.Context()))
}
