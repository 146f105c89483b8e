//go:build agents

package agents_e2e

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
)

// TestALimitOfASubagentIsSaid lets a subagent of OpenCode meet a limit that it
// waits for until the reset, while its parent waits for it without a word. That is
// said as a wait of the turn, which goes on; a cancel ends it.
func TestALimitOfASubagentIsSaid(t *testing.T) {
	b := newBench(t, agent.OpenCode)
	b.say("Say hello. [[fake:text n=3]]")
	require.Equal(t, agent.Completed, b.settled().Outcome, b.heard())
	b.say(`Delegate. [[fake:tool name=task args='{"description":"look around","prompt":"Look. [[fake:go5h retry_after=7620]]","subagent_type":"general"}']]`)
	retry := await[agent.RetryAnnounced](b, nil)
	assert.Equal(t, 1, retry.Attempt)
	assert.Equal(t, agent.Code("quota_limited"), retry.Code)
	assert.WithinDuration(t, time.Now().Add(2*time.Hour+7*time.Minute), retry.Next, time.Minute)
	assert.NotContains(t, retry.Message, "wrk_")
	v, ok := b.c.View(b.ref.Session)
	require.True(t, ok)
	assert.Equal(t, agent.SessionRunning, v.Session, "it is the subagent that is limited, not the turn that has failed")
	b.do(agent.CancelTurn{})
	assert.Equal(t, agent.Cancelled, b.settled().Outcome)
}
