package window_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/window"
)

// The list of failed sessions shows the same cards as the sessions do, and a card
// that is put away in one is gone in the other.
func TestTheListOfFailedSessionsShowsTheirCards(t *testing.T) {
	r, _ := raise(t, t.TempDir(), limited(time.Now().Add(2*time.Hour)))
	none, err := r.Tasks.Failures()
	require.NoError(t, err)
	assert.Equal(t, window.Failures{List: []window.Failing{}}, none)

	first, good, second := r.task("limit"), r.task("again"), r.task("evil link")
	r.settled(first.Task, "needs_you")
	r.settled(good.Task, "done")
	r.settled(second.Task, "needs_you")
	got, err := r.Tasks.Failures()
	require.NoError(t, err)
	assert.False(t, got.More)
	cards := map[string][]window.Card{}
	for _, f := range got.List {
		cards[f.Row.Task] = f.Cards
		assert.Equal(t, "needs_you", f.Row.State)
	}
	assert.Equal(t, map[string][]window.Card{first.Task: r.cards(first.Task), second.Task: r.cards(second.Task)}, cards)

	require.NoError(t, r.Tasks.Dismiss(cards[first.Task][0].ID))
	require.NoError(t, r.Tasks.Archive(second.Task, true))
	got, err = r.Tasks.Failures()
	require.NoError(t, err)
	assert.Empty(t, got.List, "one was put away, and the task of the other was")
}

func TestAnAgentThatDoesNotComeUpIsInTheListOfFailedSessions(t *testing.T) {
	p := quick()
	p.refuse = &agent.Failure{Code: "agent_start_failed", Rule: "open.missing", Source: "open"}
	r, _ := raise(t, t.TempDir(), p)
	row, err := r.Tasks.New(window.NewTask{Dir: r.work, Agent: "demo"})
	require.NoError(t, err)
	r.page.until(func(p *page) (window.Row, bool) {
		row, ok := p.rows[row.Task]
		return row, ok && row.Phase == "idle" && len(r.cards(row.Task)) == 1
	})
	got, err := r.Tasks.Failures()
	require.NoError(t, err)
	require.Len(t, got.List, 1)
	assert.Equal(t, r.cards(row.Task), got.List[0].Cards)
}
