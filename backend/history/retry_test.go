package history_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
)

// planned is a session whose turn 7 failed and whose prompt waits to be sent again.
func planned(t *testing.T) *place {
	t.Helper()
	p := mustPlace(t, t.TempDir())
	p.store(t, 7, started, failed, agent.RetryPlanned{Try: 1, Most: 5, At: when})
	return p
}

var sentAgain = agent.TurnStarted{Generation: 8, Prompt: prompt("p1", "x"), Again: 7, Try: 1}

func waiting(t *testing.T, s *history.Store) []agent.SessionID {
	t.Helper()
	out, err := s.Waiting(t.Context())
	require.NoError(t, err)
	return out
}

func TestARetryIsSentOnce(t *testing.T) {
	p := planned(t)
	assert.Equal(t, []agent.SessionID{"s1"}, waiting(t, p.Store))
	snap, err := p.Restore(t.Context(), "s1")
	require.NoError(t, err)
	require.NotNil(t, snap.Failed)
	assert.Equal(t, prompt("p1", "x"), snap.Failed.Prompt)

	p.store(t, 8, sentAgain, agent.PartSet{Part: agent.Part{Seq: 1, Generation: 8, Kind: agent.PartPrompt, Text: "x", Try: 1}})
	first := readTurn(t, p.Store, 7).Again
	require.NotNil(t, first)
	assert.False(t, first.Waits())
	assert.EqualValues(t, 8, first.Sent)
	assert.Empty(t, first.Why)
	second := readTurn(t, p.Store, 8)
	assert.EqualValues(t, 7, second.Of)
	assert.Equal(t, 1, second.Try)
	parts, err := p.Parts(t.Context(), history.PartQuery{Session: "s1"})
	require.NoError(t, err)
	assert.Equal(t, 1, parts[0].Try, "the prompt is marked")
	assert.Empty(t, waiting(t, p.Store))

	third := sentAgain
	third.Generation = 9
	assert.ErrorIs(t, record(t, p.Store, false, p.entries(9, third)), history.ErrRefused)
}

// Whatever ends a retry ends it on disk: a start that comes after it is refused.
func TestARetryThatIsOverIsNotSent(t *testing.T) {
	for _, tc := range []struct {
		name string
		end  func(*testing.T, *place)
		why  agent.RetryDrop
	}{
		{"the user stopped it", func(t *testing.T, p *place) {
			p.store(t, 7, agent.RetryDropped{Why: agent.DropCancelled, Try: 1})
		}, agent.DropCancelled},
		{"another reason changes nothing", func(t *testing.T, p *place) {
			p.store(t, 7, agent.RetryDropped{Why: agent.DropCancelled, Try: 1}, agent.RetryDropped{Why: agent.DropOption})
		}, agent.DropCancelled},
		{"a new time does not wake it", func(t *testing.T, p *place) {
			p.store(t, 7, agent.RetryDropped{Why: agent.DropCancelled, Try: 1}, agent.RetryPlanned{Try: 1, Most: 5, At: when})
		}, agent.DropCancelled},
		{"a prompt of the user", func(t *testing.T, p *place) {
			p.store(t, 8, agent.TurnStarted{Generation: 8, Prompt: prompt("p2", "y")}, agent.TurnSettled{Outcome: agent.Completed})
		}, agent.DropPrompt},
		{"a new session of the task", func(t *testing.T, p *place) {
			require.NoError(t, p.CreateSession(t.Context(), history.NewSession{ID: "s2", Task: "t1", Kind: "demo", Dir: "/w"}))
		}, agent.DropFresh},
		{"the task was archived", func(t *testing.T, p *place) {
			require.NoError(t, p.ArchiveTask(t.Context(), "t1", true))
			require.NoError(t, p.ArchiveTask(t.Context(), "t1", false))
		}, agent.DropAway},
		{"the task was deleted", func(t *testing.T, p *place) {
			require.NoError(t, p.DeleteTask(t.Context(), "t1"))
			require.NoError(t, p.UndeleteTask(t.Context(), "t1"))
		}, agent.DropAway},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := planned(t)
			tc.end(t, p)
			again := readTurn(t, p.Store, 7).Again
			require.NotNil(t, again)
			assert.Equal(t, tc.why, again.Why)
			assert.False(t, again.Waits())
			assert.Empty(t, waiting(t, p.Store))
			late := sentAgain
			late.Generation = 20
			assert.ErrorIs(t, record(t, p.Store, false, p.entries(20, late)), history.ErrRefused)
		})
	}
}

func TestRenamingATaskLeavesItsRetry(t *testing.T) {
	p := planned(t)
	require.NoError(t, p.RenameTask(t.Context(), "t1", "another name"))
	assert.Equal(t, []agent.SessionID{"s1"}, waiting(t, p.Store))
}

func TestAFailureOfAnOldVersionIsNotSure(t *testing.T) {
	dir := t.TempDir()
	loadFixture(t, dir, "v4.sql")
	s, _ := mustOpen(t, history.Options{Dir: dir})
	turn, err := s.Turn(t.Context(), "s2", 1)
	require.NoError(t, err)
	require.NotNil(t, turn.End.Failure)
	assert.Empty(t, turn.End.Failure.Confidence)
	assert.Zero(t, turn.End.Failure.RetryAfter)
	assert.Nil(t, turn.Again)
}
