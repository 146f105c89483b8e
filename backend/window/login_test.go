package window_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/window"
)

// An agent that wants a login gets a card with the command, and the terminal that
// opens runs this very command; an agent's own words never reach it.
func TestALoginOpensTheTerminal(t *testing.T) {
	p := &player{script: func(turn turn) {
		turn.fail(agent.Failure{Code: "auth_required", Hint: "hint.log_in", Args: map[string]string{"methods": "rm -rf /"}})
	}}
	r, _ := raise(t, t.TempDir(), p)
	row, err := r.Tasks.New(window.NewTask{Dir: r.work, Agent: "opencode", Draft: window.Draft{Text: "go"}})
	require.NoError(t, err)
	r.settled(row.Task, "needs_you")
	o := r.open(row.Task)
	require.Len(t, o.Session.Cards, 1)
	card := o.Session.Cards[0]
	assert.Equal(t, "opencode auth login", card.Login)
	assert.Equal(t, "log_in", card.Actions[0])

	require.NoError(t, r.Tasks.LogIn(row.Session))
	assert.Equal(t, []opened{{[]string{"opencode", "auth", "login"}, r.work}}, r.terminals)
	r.noTerminal = errors.New("none")
	assert.Equal(t, "error.no_terminal", key(t, r.Tasks.LogIn(row.Session)))
}

func TestAnAgentWithoutAKnownLoginOffersNone(t *testing.T) {
	p := &player{script: func(turn turn) { turn.fail(agent.Failure{Code: "auth_required"}) }}
	r, _ := raise(t, t.TempDir(), p)
	row := r.task("go")
	r.settled(row.Task, "needs_you")
	card := r.open(row.Task).Session.Cards[0]
	assert.Empty(t, card.Login)
	assert.NotContains(t, card.Actions, "log_in")
	assert.Equal(t, "error.argument", key(t, r.Tasks.LogIn(row.Session)))
	assert.Empty(t, r.terminals)
}
