//go:build unix

package managed_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
)

func TestTypedSignsOfAgents(t *testing.T) {
	t.Run("codex answers a failed turn with success", func(t *testing.T) {
		r := newRig(t)
		r.kind = agent.Codex
		c := r.open("systemerr")
		a, before := r.turn(c, "x")
		require.NotNil(t, a.Failure)
		assert.Equal(t, "signal.codex.system_error", a.Failure.Rule)
		assert.Equal(t, "exceeded retry limit, key", a.Failure.Message)
		retry, _ := await[agent.Retrying](t, r.sink, nil)
		assert.Equal(t, 2, retry.Attempt)
		u := before[len(before)-1].(agent.Updated)
		assert.True(t, u.Update.NotOutput)
	})
	t.Run("claude tells of its retries", func(t *testing.T) {
		r := newRig(t)
		r.kind = agent.Claude
		a, before := r.turn(r.open("replay429"), "x")
		require.NotNil(t, a.Failure)
		assert.Equal(t, agent.Code("provider_overloaded"), a.Failure.Code)
		retry := before[0].(agent.Retrying)
		assert.Equal(t, 3, retry.Attempt)
		assert.Equal(t, 2500500*time.Microsecond, retry.Next.Sub(retry.Stamp.At))
		assert.Equal(t, failure.RateLimited, retry.Code)
		assert.True(t, before[1].(agent.Updated).Update.NotOutput)
	})
	t.Run("the same words of another agent are output", func(t *testing.T) {
		r := newRig(t)
		_, before := r.turn(r.open("replay429"), "x")
		assert.False(t, before[0].(agent.Updated).Update.NotOutput)
	})
}
