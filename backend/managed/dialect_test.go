package managed

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
)

var (
	noon    = time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	turnOne = agent.Stamp{Generation: 1, At: noon}
	turnTwo = agent.Stamp{Generation: 2, At: noon.Add(time.Minute)}
)

func says(text string) *agent.Update {
	return &agent.Update{Kind: agent.MessageChunk, Block: agent.TextBlock(text)}
}

func TestGeminiTellsOfItsRetriesOnStderr(t *testing.T) {
	retry := func(st agent.Stamp, n int, in time.Duration, why agent.Code) []agent.Event {
		r := agent.Retrying{Stamp: st, Attempt: n, Code: why}
		if in > 0 {
			r.Next = st.At.Add(in)
		}
		return []agent.Event{r}
	}
	for _, tc := range []struct {
		name  string
		lines []string
		want  []agent.Event
	}{
		{"one line", []string{"Attempt 2 failed with status 503. Retrying with backoff... _ApiError: {}"}, retry(turnOne, 2, 0, failure.ProviderOverloaded)},
		{"one line with its wait", []string{"Attempt 1 failed: Your quota will reset after 5s.. Retrying after 6173ms..."}, retry(turnOne, 1, 6173*time.Millisecond, failure.RateLimited)},
		{"two lines", []string{"Attempt 3 failed: You exceeded your current quota. Please retry in 3.1s.", "Suggested retry after 3s.. Retrying after 5280ms..."}, retry(turnOne, 3, 5280*time.Millisecond, failure.RateLimited)},
		{"the last attempt", []string{"Attempt 10 failed with status 429. Max attempts reached"}, nil},
		{"a second line alone", []string{"Suggested retry after 3s.. Retrying after 5280ms..."}, nil},
		{"a second line twice", []string{"Attempt 3 failed: x", "Retrying after 1s", "Retrying after 2s"}, retry(turnOne, 3, time.Second, "")},
		{"quoted", []string{"> Attempt 3 failed. Retrying with backoff"}, nil},
		{"anything else", []string{"Ripgrep is not available.", ""}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := &geminiEvidence{}
			var got []agent.Event
			for _, l := range tc.lines {
				got = append(got, e.stderr(turnOne, []byte(l))...)
			}
			assert.Equal(t, tc.want, got)
		})
	}
	t.Run("halves of two turns", func(t *testing.T) {
		e := &geminiEvidence{}
		assert.Empty(t, e.stderr(turnOne, []byte("Attempt 3 failed: x")))
		assert.Empty(t, e.stderr(turnTwo, []byte("Retrying after 1s")))
	})
}

func TestCopilotEndsFailedTurnsWithSuccess(t *testing.T) {
	const failed = "Error: Failed to get response from the AI model; retried 5 times (total retry wait time: 5 seconds) Last error: 503 overloaded"
	for _, tc := range []struct {
		name    string
		updates []*agent.Update
		answer  string
		at      agent.Stamp
		want    agent.Code
	}{
		{"the last text and no usage", []*agent.Update{says(failed)}, `{"stopReason":"end_turn"}`, turnOne, failure.ProviderOverloaded},
		{"usage null", []*agent.Update{says(failed)}, `{"stopReason":"end_turn","usage":null}`, turnOne, failure.ProviderOverloaded},
		{"usage", []*agent.Update{says(failed)}, `{"stopReason":"end_turn","usage":{"inputTokens":1}}`, turnOne, ""},
		{"more text behind it", []*agent.Update{says(failed), says("Let me explain this error.")}, `{"stopReason":"end_turn"}`, turnOne, ""},
		{"a tool behind it", []*agent.Update{says(failed), {Kind: agent.ToolCalled}}, `{"stopReason":"end_turn"}`, turnOne, ""},
		{"a message of the model", []*agent.Update{{Kind: agent.MessageChunk, MessageID: "m", Block: agent.TextBlock(failed)}}, `{"stopReason":"end_turn"}`, turnOne, ""},
		{"of another turn", []*agent.Update{says(failed)}, `{"stopReason":"end_turn"}`, turnTwo, ""},
		{"an error of its own, of no known kind", []*agent.Update{says("Error: Failed to get response from the AI model; x")}, `{}`, turnOne, failure.ProviderUnavailable},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := &copilotEvidence{}
			for _, u := range tc.updates {
				e.update(turnOne, u, nil)
			}
			f := e.answer(tc.at, []byte(tc.answer))
			if tc.want == "" {
				assert.Nil(t, f)
				return
			}
			assert.Equal(t, tc.want, f.Code)
			assert.Nil(t, e.answer(tc.at, []byte(tc.answer)), "told twice")
		})
	}
}

func TestClaudesWindowGivesTheResetToTheSecond(t *testing.T) {
	const method = "_claude/sdkMessage"
	event := func(info string) []byte {
		return []byte(`{"sessionId":"s","message":{"type":"rate_limit_event","rate_limit_info":` + info + `}}`)
	}
	reset := time.Unix(1788625207, 0).UTC()
	const rejected = `{"status":"rejected","resetsAt":1788625207,"rateLimitType":"five_hour"}`
	for _, tc := range []struct {
		name  string
		info  string
		at    agent.Stamp
		code  agent.Code
		want  agent.Code
		reset time.Time
	}{
		{"used up", rejected, turnOne, failure.QuotaLimited, failure.QuotaLimited, reset},
		{"only a rate limit by its kind", rejected, turnOne, failure.RateLimited, failure.QuotaLimited, reset},
		{"of another turn", rejected, turnTwo, failure.QuotaLimited, failure.QuotaLimited, time.Time{}},
		{"another failure", rejected, turnOne, failure.AuthRequired, failure.AuthRequired, time.Time{}},
		{"a warning", `{"status":"allowed_warning","resetsAt":1788625207,"rateLimitType":"five_hour"}`, turnOne, failure.RateLimited, failure.RateLimited, time.Time{}},
		{"on extra usage", `{"status":"rejected","isUsingOverage":true,"resetsAt":1788625207,"rateLimitType":"five_hour"}`, turnOne, failure.RateLimited, failure.RateLimited, time.Time{}},
		{"a reset gone by", `{"status":"rejected","resetsAt":1700000000,"rateLimitType":"five_hour"}`, turnOne, failure.QuotaLimited, failure.QuotaLimited, time.Time{}},
		{"no object", `"rejected"`, turnOne, failure.RateLimited, failure.RateLimited, time.Time{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := &claudeEvidence{}
			assert.Empty(t, e.notification(turnOne, method, event(tc.info)))
			f := e.explain(tc.at, agent.Failure{Code: tc.code, OccurredAt: noon})
			assert.Equal(t, tc.want, f.Code)
			assert.Equal(t, tc.reset, f.ResetAt)
		})
	}
}

func TestAFailureToldBesideASuccess(t *testing.T) {
	beside := func(severity, category, title string) []byte {
		return []byte(`{"stopReason":"end_turn","_meta":{"jetbrains":{"air":{"version":1,"sessionFailure":{"category":"` +
			category + `","severity":"` + severity + `","title":"` + title + `"}}}}}`)
	}
	for _, tc := range []struct {
		name string
		read evidence
		raw  []byte
		want agent.Code
		rule string
	}{
		{"claude, a window", &claudeEvidence{}, beside("error", "limit", "You've hit your 5-hour limit · resets 10:25pm (UTC)"), failure.QuotaLimited, "claude.limit.window"},
		{"codex, a status", &codexEvidence{}, beside("error", "limit", "exceeded retry limit, last status: 429 Too Many Requests"), failure.RateLimited, "session_failure.limit"},
		{"codex, a category alone", &codexEvidence{}, beside("error", "service", "Something"), failure.ProviderUnavailable, "session_failure.service"},
		{"an unknown category", &codexEvidence{}, beside("error", "weather", "Something"), failure.UnknownProviderError, "signal.session_failure"},
		{"a warning is no failure", &codexEvidence{}, beside("warning", "limit", "Reconnecting... 1/5"), "", ""},
		{"none", &claudeEvidence{}, []byte(`{"stopReason":"end_turn"}`), "", ""},
		{"not of that form", &claudeEvidence{}, []byte(`{"_meta":{"jetbrains":{"air":{"sessionFailure":"x"}}}}`), "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := tc.read.answer(turnOne, tc.raw)
			if tc.want == "" {
				assert.Nil(t, f)
				return
			}
			assert.Equal(t, tc.want, f.Code)
			assert.Equal(t, tc.rule, f.Rule)
			assert.Equal(t, failure.SourceSignal, f.Source)
		})
	}
}

func TestAttemptsAreReadFromWords(t *testing.T) {
	for text, want := range map[string]int{
		"Reconnecting... 2/5": 2, "Retrying Claude, attempt 3 of 10.": 3, "Retrying": 0, "": 0, "99999999/5": 9999,
	} {
		assert.Equal(t, want, attemptIn(text), text)
	}
}
