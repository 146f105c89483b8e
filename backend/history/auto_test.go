package history_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
)

func TestAPromptOfThePolicyIsMarked(t *testing.T) {
	dir := t.TempDir()
	p := mustPlace(t, dir)
	mark := &agent.Auto{Kind: "continue", Count: 2}
	p.Record(p.entries(3, agent.TurnStarted{Generation: 3, Prompt: prompt("p1", "go on"), Auto: mark},
		agent.PartSet{Part: agent.Part{Seq: 1, Generation: 3, Kind: agent.PartPrompt, Text: "go on", Auto: mark}}), true, nil)
	require.NoError(t, p.Flush(t.Context()))
	require.NoError(t, p.Close(t.Context()))

	s, _ := mustOpen(t, history.Options{Dir: dir})
	got, err := s.Turn(t.Context(), p.session, 3)
	require.NoError(t, err)
	assert.Equal(t, mark, got.Auto)
	parts, err := s.TurnParts(t.Context(), p.session, 3, 10)
	require.NoError(t, err)
	require.Len(t, parts, 1)
	assert.Equal(t, mark, parts[0].Auto)
}

func TestWhatTheUserHasChosenForASessionIsKept(t *testing.T) {
	dir := t.TempDir()
	p := mustPlace(t, dir)
	got, err := p.Auto(t.Context(), p.session)
	require.NoError(t, err)
	assert.Equal(t, history.Auto{}, got, "nothing is chosen at first")
	require.NoError(t, p.ChooseAuto(t.Context(), p.session, "safe"))
	require.NoError(t, p.KeepAuto(t.Context(), p.session, `{"gave_up":true}`))
	require.NoError(t, p.Close(t.Context()))

	s, _ := mustOpen(t, history.Options{Dir: dir})
	got, err = s.Auto(t.Context(), p.session)
	require.NoError(t, err)
	assert.Equal(t, history.Auto{Choice: "safe", State: `{"gave_up":true}`}, got)
	assert.ErrorIs(t, s.ChooseAuto(t.Context(), "nobody", "safe"), history.ErrNotFound)
	_, err = s.Auto(t.Context(), "nobody")
	assert.ErrorIs(t, err, history.ErrNotFound)
}

// The ledger of all sessions is read newest first, page by page, and goes with
// its task.
func TestTheLedgerIsReadPageByPage(t *testing.T) {
	p := mustPlace(t, t.TempDir())
	for n := range uint64(5) {
		p.Record(p.entries(1, agent.AutoStepped{Step: agent.AutoStep{Row: n + 1, Act: "prompt"}}), true, nil)
	}
	require.NoError(t, p.Flush(t.Context()))
	first, err := p.AutoSteps(t.Context(), "", 0, 3)
	require.NoError(t, err)
	second, err := p.AutoSteps(t.Context(), "", first[2].ID, 3)
	require.NoError(t, err)
	var rows []uint64
	for _, a := range append(first, second...) {
		rows = append(rows, a.Row)
	}
	assert.Equal(t, []uint64{5, 4, 3, 2, 1}, rows)
	other, err := p.AutoSteps(t.Context(), "another", 0, 0)
	require.NoError(t, err)
	assert.Empty(t, other)
}
