package history_test

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
)

// timed is a place whose store runs by a clock of the test.
func timed(t *testing.T) (*place, *clock) {
	c := newClock()
	dir := t.TempDir()
	s, _ := mustOpen(t, history.Options{Dir: dir, Clock: c})
	p := &place{s, "t1", "s1", c.Now()}
	require.NoError(t, s.CreateTask(t.Context(), history.Task{ID: p.task, Dir: dir}))
	require.NoError(t, s.CreateSession(t.Context(), history.NewSession{ID: p.session, Task: p.task}))
	return p, c
}

func TestTextWaitsForItsGroupAndDecisionsDoNot(t *testing.T) {
	p, c := timed(t)
	answers := make(chan string, 10)
	say := func(name string) func(error) {
		return func(err error) {
			if err != nil {
				name += ": " + err.Error()
			}
			answers <- name
		}
	}
	p.Record(p.entries(1, text(1, "a")), true, say("first"))
	p.Record(p.entries(1, agent.PartAppended{Seq: 1, Text: "b"}), true, say("second"))
	assert.Empty(t, texts(t, p.Store, p.session), "stored before the group was due")
	c.advance(49 * time.Millisecond)
	assert.Empty(t, texts(t, p.Store, p.session), "stored before the group was due")
	c.advance(time.Millisecond)
	assert.Equal(t, "first", <-answers)
	assert.Equal(t, "second", <-answers)
	assert.Equal(t, []string{"1:ab"}, texts(t, p.Store, p.session))

	p.Record(p.entries(1, text(2, "c")), true, say("third"))
	p.Record(p.entries(1, agent.StateSet{Session: agent.SessionWaiting, Task: agent.TaskDone}), true, say("decision"))
	assert.Equal(t, "third", <-answers, "a decision takes along what waits, in order")
	assert.Equal(t, "decision", <-answers)
}

func TestRefusedBatchesLeaveNothingBehindAndOthersAlone(t *testing.T) {
	rows := []struct {
		name string
		bad  func(p *place) []agent.Entry
		want error
	}{
		{"a session that is not there", func(p *place) []agent.Entry {
			e := p.entries(1, text(2, "bad"), text(3, "bad"))
			e[1].Session = "nobody"
			return e
		}, history.ErrNotFound},
		{"text for a part that is not there", func(p *place) []agent.Entry {
			return p.entries(1, text(2, "bad"), agent.PartAppended{Seq: 9, Text: "x"})
		}, history.ErrRefused},
		{"a part without a number", func(p *place) []agent.Entry {
			return p.entries(1, text(2, "bad"), text(0, "x"))
		}, history.ErrRefused},
		{"a part number beyond reason", func(p *place) []agent.Entry {
			return p.entries(1, text(2, "bad"), text(1<<40, "x"))
		}, history.ErrRefused},
		{"a generation that is taken", func(p *place) []agent.Entry {
			return p.entries(1, text(2, "bad"), agent.TurnStarted{Generation: 1, Prompt: prompt("p9", "again")})
		}, nil},
		{"a number that JSON has no word for", func(p *place) []agent.Entry {
			return p.entries(1, text(2, "bad"), agent.UsageSet{Usage: agent.Usage{Cost: math.NaN()}})
		}, history.ErrRefused},
		{"no fact at all", func(p *place) []agent.Entry { return p.entries(1, text(2, "bad"), nil) }, history.ErrRefused},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			p, c := timed(t)
			var bad error
			good := 0
			count := func(err error) {
				if assert.NoError(t, err) {
					good++
				}
			}
			p.Record(p.entries(1, agent.TurnStarted{Generation: 1, Prompt: prompt("p1", "go")}), true, count)
			p.Record(p.entries(1, text(1, "a")), true, count)
			p.Record(row.bad(p), true, func(err error) { bad = err })
			p.Record(p.entries(1, agent.PartAppended{Seq: 1, Text: "b"}), false, count)
			p.Record(p.entries(1, text(2, "after")), true, count)
			c.advance(time.Second)
			require.NoError(t, p.Flush(t.Context()))
			require.Error(t, bad)
			if row.want != nil {
				assert.ErrorIs(t, bad, row.want)
			}
			assert.Equal(t, 4, good)
			assert.Equal(t, []string{"1:ab", "2:after"}, texts(t, p.Store, p.session))
			assert.NoError(t, p.Health().Err, "facts that nobody can store are no trouble of the disk")
		})
	}
}

// Another program that holds the database for longer than the busy timeout is
// trouble like a full disk: decisions are kept and stored in the end, others are
// refused, and the health says so.
func TestWhatMustBeStoredIsKeptUntilItIs(t *testing.T) {
	dir := t.TempDir()
	c := newClock()
	told := make(chan history.Health, 10)
	s, _ := mustOpen(t, history.Options{Dir: dir, Clock: c, OnHealth: func(h history.Health) { told <- h }})
	p := &place{s, "t1", "s1", c.Now()}
	require.NoError(t, s.CreateTask(t.Context(), history.Task{ID: p.task}))
	require.NoError(t, s.CreateSession(t.Context(), history.NewSession{ID: p.session, Task: p.task}))

	unlock := holdDatabase(t, dir)
	var kept, lost atomic.Value
	answered := make(chan struct{}, 2)
	p.Record(p.entries(0, agent.Noticed{Notice: agent.Notice{Kind: "quiet"}}), false, func(err error) {
		lost.Store(err)
		answered <- struct{}{}
	})
	h := <-told
	assert.ErrorIs(t, h.Err, history.ErrLocked)
	assert.Equal(t, c.Now(), h.Since)
	<-answered
	assert.ErrorIs(t, lost.Load().(error), history.ErrLocked)

	p.Record(p.entries(1, agent.PromptQueued{Prompt: prompt("p1", "go")}), true, func(err error) {
		kept.Store(errors.Join(err, errStored))
		answered <- struct{}{}
	})
	assert.Error(t, p.Health().Err)
	unlock()
	c.advance(time.Second)
	<-answered
	assert.Equal(t, errors.Join(errStored).Error(), kept.Load().(error).Error())
	assert.Equal(t, history.Health{}, <-told)
	assert.NoError(t, p.Health().Err)
	assert.Len(t, readQueue(t, p.Store), 1)
	notices, err := p.Notices(t.Context(), p.session)
	require.NoError(t, err)
	assert.Empty(t, notices, "a refused batch is as if it had never been")
}

var errStored = errors.New("answered")

// What could not be written is told with the trouble that kept it; what nobody
// came to write before the time was up is told with the end of the time.
func TestCloseGivesUpWhenItsContextEnds(t *testing.T) {
	for name, row := range map[string]struct {
		tried bool
		want  error
	}{
		"after a write was refused":    {true, history.ErrLocked},
		"perhaps before any was tried": {false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			told := make(chan history.Health, 10)
			s, _ := mustOpen(t, history.Options{Dir: dir, Clock: newClock(), OnHealth: func(h history.Health) { told <- h }})
			p := &place{s, "t1", "s1", time.Now()}
			require.NoError(t, s.CreateTask(t.Context(), history.Task{ID: p.task}))
			require.NoError(t, s.CreateSession(t.Context(), history.NewSession{ID: p.session, Task: p.task}))
			unlock := holdDatabase(t, dir)
			defer unlock()

			answer := make(chan error, 1)
			p.Record(p.entries(1, agent.PromptQueued{Prompt: prompt("p1", "go")}), true, func(err error) { answer <- err })
			if row.tried {
				<-told
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			err := p.Close(ctx)
			assert.ErrorContains(t, err, "1 batches are not stored")
			assert.NotContains(t, err.Error(), "nil", "a reason is always given")
			if row.want != nil {
				assert.ErrorIs(t, err, row.want)
			}
			assert.ErrorIs(t, <-answer, history.ErrClosed)
		})
	}
}

func TestAClosedStoreRefuses(t *testing.T) {
	p := mustPlace(t, t.TempDir())
	require.NoError(t, p.Close(t.Context()))
	answer := make(chan error, 1)
	p.Record(p.entries(1, text(1, "a")), true, func(err error) { answer <- err })
	assert.ErrorIs(t, <-answer, history.ErrClosed)
	assert.ErrorIs(t, p.RenameTask(t.Context(), p.task, "x"), history.ErrClosed)
	assert.NoError(t, p.Close(t.Context()), "closing twice is fine")
}

// holdDatabase takes the write lock, as another program does that writes.
func holdDatabase(t *testing.T, dir string) (unlock func()) {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(dir, "history.db")+"?_txlock=immediate")
	require.NoError(t, err)
	tx, err := db.Begin()
	require.NoError(t, err)
	return func() {
		require.NoError(t, tx.Rollback())
		require.NoError(t, db.Close())
	}
}
