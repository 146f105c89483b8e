package window_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
	"turnwatch/backend/window"
)

func TestATurnFromTheListToItsEnd(t *testing.T) {
	asked, go1 := make(chan struct{}), make(chan struct{})
	r, _ := raise(t, t.TempDir(), &player{script: func(turn turn) {
		turn.say("m", "Hello, ")
		turn.update(agent.Update{Kind: agent.ToolCalled, Tool: agent.ToolCall{
			ID: "c", Title: "sleep 300", Name: "bash", Kind: "execute", Status: agent.ToolInProgress, RawInput: []byte(`{"command":"sleep 300"}`),
		}})
		close(asked)
		<-go1
		turn.update(agent.Update{Kind: agent.ToolChanged, Tool: agent.ToolCall{ID: "c", Status: agent.ToolCompleted}})
		turn.say("m2", "wörld")
		turn.end()
	}})
	row := r.task("Say hello\nto everybody")
	assert.Equal(t, "Say hello", row.Title, "the first line of the first prompt")
	assert.Equal(t, "Demo", row.Name)
	r.open(row.Task)
	<-asked
	running := r.page.until(func(p *page) (window.Row, bool) {
		row, ok := p.rows[row.Task]
		return row, ok && row.Detail.Key == "row.tool"
	})
	assert.Equal(t, "bash", running.Detail.Args["tool"], "the command in the title is not shown in the list")
	assert.Equal(t, "running", running.State)
	assert.Equal(t, "working", running.Phase)
	assert.NotZero(t, running.Started)
	assert.Equal(t, 1, r.Running())
	close(go1)
	done := r.settled(row.Task, "done")
	assert.Empty(t, done.Detail.Key)
	assert.Zero(t, done.Started)
	assert.Zero(t, r.Running())

	var texts []string
	for _, p := range r.page.shown() {
		texts = append(texts, p.Kind+":"+p.Text)
	}
	assert.Equal(t, []string{"prompt:Say hello\nto everybody", "text:Hello, ", "tool:", "text:wörld"}, texts)
	r.page.mu.Lock()
	s := *r.page.session
	r.page.mu.Unlock()
	assert.Equal(t, "completed", s.Turn.Outcome)
	assert.GreaterOrEqual(t, s.Turn.First, s.Turn.Started)
	assert.GreaterOrEqual(t, s.Turn.Ended, s.Turn.First)
}

// move is one thing that an agent of the property does.
type move struct {
	kind int
	id   int
	text string
}

func play(turn turn, m move) {
	id := fmt.Sprint("m", m.id)
	switch m.kind {
	case 0, 1, 2:
		turn.say(id, m.text)
	case 3:
		turn.update(agent.Update{Kind: agent.ThoughtChunk, Block: agent.TextBlock(m.text)})
	case 4:
		turn.update(agent.Update{Kind: agent.ToolCalled, Tool: agent.ToolCall{
			ID: fmt.Sprint("c", m.id), Title: m.text, Kind: "edit", Status: agent.ToolInProgress,
			Content: []agent.ToolContent{{Diff: &agent.Diff{Path: "a.txt", New: m.text}}},
		}})
	case 5:
		block := agent.TextBlock(m.text)
		turn.update(agent.Update{Kind: agent.ToolChanged, Tool: agent.ToolCall{
			ID: fmt.Sprint("c", m.id), Status: agent.ToolCompleted, Content: []agent.ToolContent{{Block: &block}},
		}})
	case 6:
		turn.update(agent.Update{Kind: agent.PlanChanged, Plan: []agent.PlanEntry{{Content: m.text, Status: "pending"}}})
	case 7:
		turn.update(agent.Update{Kind: "something_new", Raw: []byte(`{"x":1}`)})
	case 8:
		turn.update(agent.Update{Kind: agent.UsageChanged, Usage: agent.Usage{Used: int64(m.id), Size: 100}})
	}
}

// TestTheBatchesAreTheTranscript: whatever an agent does, wherever the page is
// loaded again, however slowly it takes the batches, it ends with what the
// history has.
func TestTheBatchesAreTheTranscript(t *testing.T) {
	moves := make(chan []move, 1)
	steps := make(chan struct{})
	r, _ := raise(t, t.TempDir(), &player{script: func(turn turn) {
		for _, m := range <-moves {
			<-steps
			play(turn, m)
		}
		<-steps
		turn.end()
	}})
	rapid.Check(t, func(rt *rapid.T) {
		list := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) move {
			return move{rapid.IntRange(0, 8).Draw(rt, "kind"), rapid.IntRange(0, 3).Draw(rt, "id"), rapid.StringN(0, 12, 40).Draw(rt, "text")}
		}), 0, 60).Draw(rt, "moves")
		openAt := rapid.IntRange(0, len(list)).Draw(rt, "open")
		reloadAt := rapid.IntRange(0, len(list)).Draw(rt, "reload")
		shutAt := rapid.IntRange(0, len(list)).Draw(rt, "shut")
		moves <- list
		row := r.task("go")
		for i := range list {
			if i == shutAt {
				r.page.shut()
			}
			if i == openAt || i == reloadAt {
				r.page.reload()
				r.open(row.Task)
			}
			steps <- struct{}{}
		}
		if openAt == len(list) {
			r.open(row.Task)
		}
		steps <- struct{}{}
		r.page.open()
		r.page.until(func(p *page) (window.Row, bool) {
			row, ok := p.rows[row.Task]
			return row, ok && row.State != "running" && p.session != nil && p.session.Turn.Ended > 0 && p.session.Row.Task == row.Task
		})
		r.caughtUp(row)
		require.Equal(rt, r.stored(row.Task), r.page.shown())
		_ = r.Tasks.Leave()
	})
}

// caughtUp waits until no batch is on its way: the page has every part in the
// state that the history has. Asking the calls instead would take the batch away.
func (r *rig) caughtUp(row window.Row) {
	parts, err := r.core.History().Parts(r.t.Context(), history.PartQuery{Session: agent.SessionID(row.Session), Limit: 1000})
	require.NoError(r.t, err)
	r.page.until(func(p *page) (window.Row, bool) {
		for _, want := range parts {
			have, ok := p.parts[want.Seq]
			if !ok || have.Text != want.Text || !sameTool(have.Tool, want.Tool) ||
				len(want.Plan) > 0 && have.Plan[0].Content != want.Plan[0].Content {
				return row, false
			}
		}
		return row, true
	})
}

func sameTool(have *window.Tool, want agent.ToolCall) bool {
	if have == nil {
		return true
	}
	diffs := 0
	for _, c := range want.Content {
		if c.Diff != nil {
			diffs++
		}
		if c.Block != nil && !strings.Contains(have.Output, c.Block.Text) {
			return false
		}
	}
	return have.Status == string(want.Status) && len(have.Diffs) == diffs
}

func TestASlowPageSlowsNobody(t *testing.T) {
	const chunks = 20_000
	r, _ := raise(t, t.TempDir(), &player{script: func(turn turn) {
		for range chunks {
			turn.say("m", "drip ")
		}
		turn.end()
	}})
	row := r.task("flood me")
	r.page.shut()
	r.open(row.Task)
	w := r.core.Watch("")
	defer w.Close()
	for !ended(r, row) {
		<-w.Ready()
		w.Take()
	}
	r.page.mu.Lock()
	before := r.page.batches
	r.page.mu.Unlock()
	assert.LessOrEqual(t, before, 2, "the page takes nothing")
	r.page.open()
	r.settled(row.Task, "done")
	assert.Equal(t, strings.Repeat("drip ", chunks), r.page.shown()[1].Text)
	r.page.mu.Lock()
	defer r.page.mu.Unlock()
	assert.LessOrEqual(t, r.page.batches, before+4, "what came meanwhile is one batch")
}

// ended tells whether the first turn of a task is settled, whatever the page knows.
func ended(r *rig, row window.Row) bool { return endedTurn(r, row, 1) }

func endedTurn(r *rig, row window.Row, n agent.Generation) bool {
	turns, err := r.core.History().Turns(r.t.Context(), agent.SessionID(row.Session), 0, 1)
	require.NoError(r.t, err)
	return len(turns) == 1 && turns[0].Generation == n && turns[0].End != nil
}

func TestALongTranscriptComesInPages(t *testing.T) {
	r, _ := raise(t, t.TempDir(), &player{script: func(turn turn) {
		for i := range 450 {
			turn.say(fmt.Sprint("m", i), fmt.Sprint("text ", i))
		}
		turn.end()
	}})
	row := r.task("go")
	r.settled(row.Task, "done")
	o := r.open(row.Task)
	assert.Len(t, o.Page.Parts, 200)
	assert.False(t, o.Page.First)
	all := r.stored(row.Task)
	require.Len(t, all, 451)
	for i, p := range all {
		assert.Equal(t, uint64(i+1), p.Seq)
	}
	found, err := r.Tasks.Find(row.Session, "TEXT 44")
	require.NoError(t, err)
	require.Len(t, found, 11, "text 44 and 440 to 449")
	assert.Equal(t, uint64(46), found[0].Seq)
	assert.Equal(t, []window.Span{{Text: "text 44", Match: true}}, found[0].Snippet)
}
