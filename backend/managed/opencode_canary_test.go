//go:build unix

package managed_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/managed"
)

// canaries are secrets of every kind that an agent of OpenCode's dialect has at
// hand when it fails.
const canaries = `key sk-CANARY1234567890 of CANARY@example.com in /home/CANARY/auth.json, workspace wrk_CANARY, Bearer CANARY.abc, https://CANARY.example/x`

const canaryLink = "https://opencode.ai/workspace/wrk_1/go"

// canary fails in the ways that a prompt names, each with secrets in it.
func canary(f *fake, m frame) bool {
	switch m.Method {
	case "session/new":
		f.answer(m.ID, `{"sessionId":"ses_canary"}`)
	case "session/prompt":
		fmt.Fprintf(os.Stderr, "CANARY not a record: %s\n", canaries)
		fmt.Fprintf(os.Stderr, "%s level=ERROR message=process session.id=ses_canary error=%q stack=%q\n", now(), canaries, canaries)
		switch m.prompt() {
		case "record":
			f.held = m.ID
			fmt.Fprintf(os.Stderr, "%s level=ERROR run=0 message=\"stream error\" providerID=https://CANARY.example modelID=wrk_CANARY session.id=ses_canary small=false agent=build mode=primary error.error=%q action_url=%s CANARY.key=%q\n",
				now(), "AI_APICallError: Weekly usage limit reached. Resets in 4 days. "+canaries, canaryLink, canaries)
		case "error":
			f.fail(m.ID, fmt.Sprintf(`{"code":-32603,"message":%q,"data":{"message":%q,"action_url":"https://CANARY.example/workspace/wrk_CANARY/go"}}`, "Internal error: no luck. "+canaries, canaries))
		case "exit":
			fmt.Fprintf(os.Stderr, "panic: %s\n", canaries)
			os.Exit(3)
		}
	case "session/cancel":
		f.answer(f.held, `{"stopReason":"end_turn"}`)
	default:
		return false
	}
	return true
}

func now() string { return "timestamp=" + time.Now().UTC().Format("2006-01-02T15:04:05.000Z") }

// Nothing of what an agent says in a raw channel comes out on the other side, nor
// in a log; what is proved does.
func TestNoSecretLeavesTheRawChannels(t *testing.T) {
	r := newRig(t)
	r.kind = agent.OpenCode
	c := r.open("canary")

	r.sink.Raise(1)
	require.NoError(t, c.Prompt(t.Context(), 1, agent.Prompt{Blocks: []agent.Block{agent.TextBlock("record")}}))
	seen, _ := await[agent.FailureSeen](t, r.sink, nil)
	assert.Equal(t, agent.Code("quota_limited"), seen.Failure.Code)
	assert.Equal(t, canaryLink, seen.Failure.Link)
	assert.Empty(t, seen.Failure.Model)
	assert.Empty(t, seen.Failure.Provider)
	assert.Equal(t, 96*time.Hour, seen.Failure.ResetAt.Sub(seen.Failure.OccurredAt))
	assert.True(t, strings.HasPrefix(seen.Failure.Message, "Weekly usage limit reached."), seen.Failure.Message)
	require.NoError(t, c.Cancel(t.Context()))
	await(t, r.sink, func(a agent.Answered) bool { return a.Generation == 1 })

	failed, _ := r.turn(c, "error")
	require.NotNil(t, failed.Failure)
	assert.Empty(t, failed.Failure.Link, "the address is not the one that may be offered")
	assert.True(t, strings.HasPrefix(failed.Failure.Message, "no luck."), failed.Failure.Message)

	ended, _ := r.turn(c, "exit")
	require.NotNil(t, ended.Failure)
	assert.Equal(t, agent.Code("agent_crashed"), ended.Failure.Code)
	await[agent.Exited](t, r.sink, nil)
	assert.Nil(t, managed.Stderr(c), "nothing of its stderr is kept")
	for _, ev := range r.sink.all() {
		assert.NotContains(t, fmt.Sprintf("%+v", ev), "CANARY")
		if a, ok := ev.(agent.Answered); ok && a.Failure != nil {
			assert.NotContains(t, fmt.Sprintf("%+v", *a.Failure), "CANARY")
		}
	}
	require.NoError(t, c.Close(context.Background())) // nobody writes to the log any more
	assert.NotContains(t, r.log.String(), "CANARY")
}
