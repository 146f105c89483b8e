//go:build agents

package agents_e2e

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
)

const workspaceLink = "https://opencode.ai/workspace/wrk_TEST0001/go"

// TestALimitOfOpenCodeIsSaidAtOnce lets the provider refuse in the ways of
// OpenCode's own gateway and says what the user learns, and after how long. The
// agent itself would hold the prompt for hours, or retry in silence.
func TestALimitOfOpenCodeIsSaidAtOnce(t *testing.T) {
	b := newBench(t, agent.OpenCode)
	b.say("Say hello. [[fake:text n=3]]") // the agent is up and warm
	require.Equal(t, agent.Completed, b.settled().Outcome, b.heard())
	for _, tc := range []struct {
		name, directive string
		code            agent.Code
		reset           time.Duration // 0: unknown
		link            string
	}{
		{"five hours, held until the reset", "go5h retry_after=7620", "quota_limited", 2*time.Hour + 7*time.Minute, workspaceLink},
		{"five hours, without a header", "go5h", "quota_limited", 2*time.Hour + 7*time.Minute, workspaceLink},
		{"weekly", "goweekly retry_after=345600", "quota_limited", 96 * time.Hour, workspaceLink},
		{"free, held for two hours", "free retry_after=7200", "quota_limited", 2 * time.Hour, ""},
		{"rate limit, far away", "gorate retry_after=600", "rate_limited", 0, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b.t = t
			b.say("Say hello. [[fake:" + tc.directive + "]]")
			end := b.settled()
			seen := time.Now()
			require.Equal(t, agent.Failed, end.Outcome, b.heard())
			f := end.Failure
			t.Logf("%s by %s from %s, %s after it occurred: %q, reset %s, args %v", f.Code, f.Rule, f.Source, seen.Sub(f.OccurredAt).Round(time.Millisecond), f.Message, f.ResetAt, f.Args)
			assert.Equal(t, tc.code, f.Code)
			assert.Equal(t, "main", f.Model)
			assert.Equal(t, "fake", f.Provider)
			assert.Equal(t, tc.link, f.Link)
			assert.NotContains(t, f.Message, "wrk_")
			assert.Less(t, seen.Sub(f.OccurredAt), 2*time.Second, "from the record to the screen")
			if tc.reset == 0 {
				assert.Zero(t, f.ResetAt)
			} else {
				assert.WithinDuration(t, f.OccurredAt.Add(tc.reset), f.ResetAt, 5*time.Second)
			}
		})
	}
	b.t = t
	b.say("Say hello again. [[fake:text n=3]]")
	assert.Equal(t, agent.Completed, b.settled().Outcome, "the next prompt needs no restart: %s", b.heard())
	b.nowhere("wrk_TEST0001", workspaceLink)
}

// TestWhatOpenCodeHealsIsARetry lets the provider fail once or twice: the turn is
// said to be retrying and completes.
func TestWhatOpenCodeHealsIsARetry(t *testing.T) {
	b := newBench(t, agent.OpenCode)
	b.say("Say hello. [[fake:text n=3]]")
	require.Equal(t, agent.Completed, b.settled().Outcome, b.heard())
	for _, tc := range []struct {
		name, directive string
		retries         int
	}{
		{"an error of the server", "500 fail=1", 1},
		{"overloaded twice", "529 fail=2", 2},
		{"a rate limit for three seconds", "rate fail=1", 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b.t = t
			from := len(b.facts)
			b.say("Say hello. [[fake:" + tc.directive + "]]")
			end := b.settled()
			assert.Equal(t, agent.Completed, end.Outcome, b.heard())
			var retries []agent.RetryAnnounced
			for _, e := range b.facts[from:] {
				if r, ok := e.Fact.(agent.RetryAnnounced); ok {
					retries = append(retries, r)
				}
			}
			require.Len(t, retries, tc.retries)
			for i, r := range retries {
				assert.Equal(t, i+1, r.Attempt)
				assert.False(t, r.Next.IsZero())
			}
		})
	}
}

// TestAFailedTitleIsNoFailedTurn lets only the side request meet a limit.
func TestAFailedTitleIsNoFailedTurn(t *testing.T) {
	b := newBench(t, agent.OpenCode)
	b.say("Say hello. [[fake:text n=200 delay=50 title=go5h]]")
	end := b.settled()
	assert.Equal(t, agent.Completed, end.Outcome, b.heard())
}

// TestAnErrorThatIsNotRetriedSaysWhatItIs lets the provider refuse for good: the
// answer to the prompt alone says neither status nor model.
func TestAnErrorThatIsNotRetriedSaysWhatItIs(t *testing.T) {
	b := newBench(t, agent.OpenCode)
	for _, tc := range []struct {
		directive string
		code      agent.Code
	}{
		{"auth", "auth_required"},
		{"404", "model_unavailable"},
		{"overflow", ""}, // OpenCode compacts by itself
	} {
		t.Run(tc.directive, func(t *testing.T) {
			b.t = t
			b.say("Say hello. [[fake:" + tc.directive + "]]")
			end := b.settled()
			if tc.code == "" {
				assert.NotEqual(t, agent.NeverStarted, end.Outcome)
				return
			}
			require.Equal(t, agent.Failed, end.Outcome, b.heard())
			assert.Equal(t, tc.code, end.Failure.Code, end.Failure.Error())
			assert.Equal(t, "main", end.Failure.Model)
		})
	}
}

// TestStepsWithoutOutputAreSaid lets the provider end every answer without any
// content, which OpenCode repeats for ever and tells nobody over ACP.
func TestStepsWithoutOutputAreSaid(t *testing.T) {
	b := newBench(t, agent.OpenCode)
	b.say("Say nothing. [[fake:reason-null text='']]")
	n := await(b, func(n agent.Noticed) bool { return n.Notice.Kind == agent.NoticeLooping })
	assert.NotEmpty(t, n.Notice.Args)
	b.do(agent.CancelTurn{})
	assert.Equal(t, agent.Cancelled, b.settled().Outcome)
}

// nowhere checks that a secret of the raw channels is in no file of the data
// folder but inside what may be kept.
func (b *bench) nowhere(secret, kept string) {
	b.t.Helper()
	require.NoError(b.t, filepath.WalkDir(b.data, func(path string, d os.DirEntry, err error) error {
		if errors.Is(err, os.ErrNotExist) || err == nil && !d.Type().IsRegular() {
			return nil
		}
		require.NoError(b.t, err)
		raw, err := os.ReadFile(path)
		require.NoError(b.t, err)
		assert.NotContains(b.t, strings.ReplaceAll(string(raw), kept, ""), secret, filepath.Base(path))
		return nil
	}))
}
