package window_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
	"turnwatch/backend/view"
	"turnwatch/backend/window"
)

// follower keeps the latest summary.
type follower struct {
	t    *testing.T
	news chan view.Summary
	stop func()
}

func follow(t *testing.T, w *window.Window) follower {
	t.Helper()
	f := follower{t: t, news: make(chan view.Summary)}
	ctx, stop := context.WithCancel(t.Context())
	var done sync.WaitGroup
	done.Go(func() {
		w.Follow(ctx, func(s view.Summary, _ window.Looking) {
			select {
			case f.news <- s:
			case <-ctx.Done():
			}
		})
	})
	f.stop = func() {
		stop()
		done.Wait()
	}
	t.Cleanup(f.stop)
	return f
}

// until waits for a summary whose only task is as wanted.
func (f follower) until(ok func(view.Brief) bool) view.Brief {
	f.t.Helper()
	for {
		select {
		case s := <-f.news:
			if len(s.Tasks) == 1 && ok(s.Tasks[0]) {
				return s.Tasks[0]
			}
		case <-f.t.Context().Done():
			f.t.Fatal("it did not come")
		}
	}
}

func TestTheBriefFollowsATask(t *testing.T) {
	asked := make(chan turn, 4)
	p := &player{script: func(x turn) { asked <- x }}
	r, _ := raise(t, t.TempDir(), p)
	f := follow(t, r.Window)
	row := r.task("Mend the door\nand the window")
	b := f.until(func(b view.Brief) bool { return b.Phase == "working" })
	assert.Equal(t, "Mend the door", b.Title)
	assert.Equal(t, agent.TaskID(row.Task), b.Task)
	assert.Equal(t, agent.Generation(1), b.Turn)
	assert.Equal(t, view.NeedNothing, b.Need())

	x := <-asked
	x.sink.Deliver(agent.Asked{Stamp: x.sink.Stamp(), Ask: agent.Ask{ID: "q1", Kind: agent.AskPermission, Tool: agent.ToolCall{ID: "c1", Kind: "execute"}, Options: []agent.AskOption{{ID: "y", Name: "Yes", Kind: "allow_once"}}}})
	b = f.until(func(b view.Brief) bool { return b.Phase == "asks" })
	assert.Equal(t, agent.AskID("q1"), b.Ask)
	assert.Equal(t, view.NeedAnswer, b.Need())

	x.fail(agent.Failure{Code: failure.QuotaLimited})
	b = f.until(func(b view.Brief) bool { return b.Phase == "idle" && b.State == agent.TaskNeedsYou })
	assert.Equal(t, view.NeedCapacity, b.Need())
	assert.Empty(t, b.Ask)

	f.stop()
	again := follow(t, r.Window)
	assert.Equal(t, b, again.until(func(view.Brief) bool { return true }), "who comes late hears where it stands")
	require.NoError(t, r.Tasks.Archive(row.Task, true))
	for s := range again.news {
		if len(s.Tasks) == 0 {
			break
		}
	}
}
