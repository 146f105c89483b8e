package window_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/window"
)

func TestVitalsOfATurn(t *testing.T) {
	said, goOn := make(chan struct{}), make(chan struct{})
	r, _ := raise(t, t.TempDir(), &player{script: func(turn turn) {
		call := agent.ToolCall{ID: "c" + turn.text(), Title: "bash", Status: agent.ToolInProgress}
		turn.update(agent.Update{Kind: agent.ToolCalled, Tool: call})
		said <- struct{}{}
		goOn <- struct{}{}
		call.Status = agent.ToolCompleted
		turn.update(agent.Update{Kind: agent.ToolChanged, Tool: call})
		turn.end()
	}})
	row := r.task("one")
	r.open(row.Task)
	<-said
	working := func(p *page) (window.Row, bool) { row := p.rows[row.Task]; return row, row.Detail.Key == "row.tool" }
	r.page.until(working)
	v, err := r.Tasks.Vitals(row.Session)
	require.NoError(t, err)
	assert.Equal(t, uint64(1), v.Turn)
	assert.GreaterOrEqual(t, v.At, v.Last)
	assert.NotZero(t, v.Sent)
	assert.NotZero(t, v.First)
	assert.Equal(t, v.First, v.Last)
	assert.NotZero(t, v.Quiet)
	assert.Zero(t, v.Ended)
	assert.Equal(t, int64(1000), v.Strip.Step)
	events := 0
	for _, n := range v.Strip.Counts {
		events += n
	}
	assert.Equal(t, 1, events)
	assert.Equal(t, window.Phrase{}, v.Earlier, "nothing is known of it yet")
	assert.Equal(t, []window.Process{}, v.Tree.List, "a list, though there is nothing in it")
	<-goOn
	r.settled(row.Task, "done")

	require.NoError(t, r.Tasks.Send(row.Session, window.Draft{Text: "two"}))
	<-said
	r.page.until(working)
	v, err = r.Tasks.Vitals(row.Session)
	require.NoError(t, err)
	assert.Equal(t, uint64(2), v.Turn)
	assert.Equal(t, "vitals.earlier", v.Earlier.Key)
	assert.Equal(t, "1", v.Earlier.Args["Count"])
	<-goOn
	r.settled(row.Task, "done")
	v, err = r.Tasks.Vitals(row.Session)
	require.NoError(t, err)
	assert.NotZero(t, v.Ended)
	assert.Zero(t, v.Quiet, "nothing is waited for")
}

func TestVitalsOfNobody(t *testing.T) {
	r, _ := raise(t, t.TempDir(), &player{})
	for name, id := range map[string]string{"unknown": "01K00000000000000000000000", "empty": "", "hostile": "../x"} {
		_, err := r.Tasks.Vitals(id)
		assert.NotEmpty(t, key(t, err), name)
	}
}
