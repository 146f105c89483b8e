package failure_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
)

// What looks alike and is not the same.
func TestLookAlikesAreKeptApart(t *testing.T) {
	for _, tc := range []struct {
		name string
		e    failure.Evidence
		code agent.Code
		rule string
	}{
		{"429 alone is a throttle", failure.Evidence{HTTPStatus: 429}, failure.RateLimited, "http.429"},
		{"429 with a used-up quota", failure.Evidence{HTTPStatus: 429, Text: "You exceeded your current quota"}, failure.QuotaLimited, "limit.quota"},
		{"429 of a model at capacity", failure.Evidence{HTTPStatus: 429, Text: "MODEL_CAPACITY_EXHAUSTED"}, failure.ModelCapacity, "type.capacity"},
		{"429 of an overloaded provider", failure.Evidence{HTTPStatus: 429, Text: "engine is currently overloaded"}, failure.ProviderOverloaded, "limit.overloaded"},
		{"429 does not become a login", failure.Evidence{HTTPStatus: 429, Text: "unauthorized"}, failure.RateLimited, "http.429"},
		{"capacity is no quota", failure.Evidence{Agent: agent.Gemini, Text: "No capacity available for model gemini-3-pro"}, failure.ModelCapacity, "gemini.capacity"},
		{"capacity that is a quota", failure.Evidence{Agent: agent.Gemini, Text: "You have exhausted your capacity on this model."}, failure.QuotaLimited, "gemini.quota.model"},
		{"the API at capacity is overload", failure.Evidence{Agent: agent.Claude, Text: "API Error: Repeated 529 Overloaded errors. The API is at capacity"}, failure.ProviderOverloaded, "http.529"},
		{"401 alone is a login", failure.Evidence{HTTPStatus: 401}, failure.AuthRequired, "http.401"},
		{"401 of a model", failure.Evidence{HTTPStatus: 401, Text: "Model x is not supported for format openai"}, failure.ModelUnavailable, "access.model"},
		{"401 of an empty purse", failure.Evidence{Agent: agent.OpenCode, HTTPStatus: 401, Text: `{"error":{"type":"CreditsError","message":"Insufficient balance"}}`}, failure.QuotaLimited, "opencode.type.credits"},
		{"401 without a key", failure.Evidence{HTTPStatus: 401, Text: "Missing bearer or basic authentication in header"}, failure.MissingCredentials, "access.key.missing"},
		{"403 of a used-up cycle", failure.Evidence{Agent: agent.Kimi, HTTPStatus: 403, Text: "You've reached your usage limit for this billing cycle."}, failure.QuotaLimited, "kimi.quota"},
		{"400 alone is the request", failure.Evidence{HTTPStatus: 400}, failure.InvalidRequest, "http.400"},
		{"400 of a long prompt", failure.Evidence{HTTPStatus: 400, Text: "prompt is too long: 2 tokens > 1 maximum"}, failure.ContextOverflow, "request.context"},
		{"400 of an empty purse", failure.Evidence{HTTPStatus: 400, Text: "Your credit balance is too low"}, failure.QuotaLimited, "limit.money"},
		{"500 of a network behind it", failure.Evidence{HTTPStatus: 500, Text: "connect ECONNREFUSED"}, failure.NetworkUnavailable, "net.unreachable"},
		{"a status in a field outweighs one in the text", failure.Evidence{HTTPStatus: 503, Text: "status 401"}, failure.ProviderOverloaded, "http.503"},
		{"an exit code is no status", failure.Evidence{Text: "Error: the build ended with exit code 429"}, failure.UnknownProviderError, "form.error"},
		{"a line number is no status", failure.Evidence{Text: "Error: see line 429"}, failure.UnknownProviderError, "form.error"},
		{"a longer number is no status", failure.Evidence{Text: "Error: 4290"}, failure.UnknownProviderError, "form.error"},
		{"a number that a text begins with", failure.Evidence{Text: "429 assertions passed"}, "", ""},
		{"a status that a text begins with", failure.Evidence{Text: "429 status code (no body)"}, failure.RateLimited, "http.429"},
		{"a status and its name", failure.Evidence{Text: "503 Service Unavailable"}, failure.ProviderOverloaded, "http.503"},
		{"a status and its body", failure.Evidence{Text: `500 {"error":{}}`}, failure.ProviderUnavailable, "http.500"},
		{"talk of a rate limit", failure.Evidence{Text: "I will refactor the rate limit middleware next."}, "", ""},
		{"a login by its code", failure.Evidence{Channel: failure.ChannelRPC, RPCCode: -32000, Text: "no"}, failure.AuthRequired, "rpc.auth_required"},
		{"that code, but a limit", failure.Evidence{Channel: failure.ChannelRPC, RPCCode: -32000, Text: "Rate limit exceeded"}, failure.RateLimited, "limit.rate"},
		{"an agent's own words", failure.Evidence{Agent: agent.Cursor, Text: "You've hit your usage limit"}, failure.QuotaLimited, "cursor.limit"},
		{"the same of another", failure.Evidence{Agent: "mine", Text: "You've hit your usage limit"}, failure.QuotaLimited, "limit.usage"},
		{"a harmless line of a log", failure.Evidence{Channel: failure.ChannelLog, Text: `{"level":"info","message":"rate limit exceeded, 429"}`}, "", ""},
		{"a line of a log that only smells", failure.Evidence{Channel: failure.ChannelLog, Text: "Error: something"}, "", ""},
		{"stderr of a start", failure.Evidence{Channel: failure.ChannelStart, Text: "Error: boom"}, failure.AgentStartFailed, "form.start"},
		{"the same later", failure.Evidence{Channel: failure.ChannelStderr, Text: "Error: boom"}, failure.UnknownProviderError, "form.error"},
		{"stderr that is no error", failure.Evidence{Channel: failure.ChannelStart, Text: "Debugger attached."}, "", ""},
		{"a body of success", failure.Evidence{Channel: failure.ChannelHTTP, HTTPStatus: 200, Text: "hello"}, "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.e.OccurredAt = noon
			got := failure.Classify(tc.e)
			assert.Equal(t, tc.code, got.Code)
			assert.Equal(t, tc.rule, got.RuleID)
		})
	}
}

// Every value that the adapters of today have in their typed fields, and what a bare
// one proves. A kind that is a kind of "something else" proves no more than that.
func TestEveryTypedKindHasItsCode(t *testing.T) {
	claude := map[string]agent.Code{
		"authentication_failed": failure.AuthRequired, "oauth_org_not_allowed": failure.AuthRequired,
		"account_on_hold": failure.QuotaLimited, "billing_error": failure.QuotaLimited,
		"verification_required": failure.SubscriptionRequired, "cloud_credential_error": failure.MissingCredentials,
		"rate_limit": failure.RateLimited, "overloaded": failure.ProviderOverloaded,
		"invalid_request": failure.InvalidRequest, "model_not_found": failure.ModelUnavailable,
		"server_error": failure.ProviderUnavailable, "transport_lost": failure.AgentTransportLost,
		"worker_shutdown": failure.AgentTransportLost, "max_output_tokens": failure.UnknownProviderError,
		"no_result": failure.UnknownProviderError, "incomplete_tool_call": failure.UnknownProviderError,
		"unknown": failure.UnknownProviderError,
	}
	codex := map[string]agent.Code{
		`"contextWindowExceeded"`: failure.ContextOverflow, `"sessionBudgetExceeded"`: failure.QuotaLimited,
		`"usageLimitExceeded"`: failure.QuotaLimited, `"rateLimitExceeded"`: failure.RateLimited,
		`"serverOverloaded"`: failure.ProviderOverloaded, `"cyberPolicy"`: failure.InvalidRequest,
		`"misalignmentPolicyViolation"`: failure.InvalidRequest, `"internalServerError"`: failure.ProviderUnavailable,
		`"unauthorized"`: failure.AuthRequired, `"badRequest"`: failure.InvalidRequest,
		`{"httpConnectionFailed":{"httpStatusCode":null}}`:           failure.NetworkUnavailable,
		`{"responseStreamConnectionFailed":{"httpStatusCode":null}}`: failure.NetworkUnavailable,
		`{"responseStreamDisconnected":{"httpStatusCode":null}}`:     failure.NetworkUnavailable,
		`{"responseTooManyFailedAttempts":{"httpStatusCode":null}}`:  failure.ProviderUnavailable,
		`{"responseTooManyFailedAttempts":{"httpStatusCode":529}}`:   failure.ProviderOverloaded,
		`"threadRollbackFailed"`:                                     failure.UnknownProviderError, `"tooManyDenials"`: failure.UnknownProviderError,
		`"sandboxError"`: failure.UnknownProviderError, `"other"`: failure.UnknownProviderError,
	}
	for _, k := range []agent.Kind{agent.Claude, agent.Codex} {
		kinds := codex
		if k == agent.Claude {
			kinds = claude
		}
		for kind, want := range kinds {
			data := `{"codexErrorInfo":` + kind + `}`
			if k == agent.Claude {
				data = `{"errorKind":"` + kind + `"}`
			}
			got := failure.ClassifyRPC(failure.RPC{Agent: k, Method: "session/prompt", Code: -32603, Message: "Internal error", Data: []byte(data), At: noon})
			assert.Equal(t, want, got.Code, data)
		}
	}
}

// A category of sessionFailure is wide; the sentence beside it says which it is.
func TestASentenceNarrowsACategory(t *testing.T) {
	for _, tc := range []struct {
		k               agent.Kind
		category, title string
		want            agent.Code
	}{
		{agent.Codex, "limit", "Your input exceeds the context window of this model.", failure.ContextOverflow},
		{agent.Codex, "limit", "You've hit your usage limit. Try again in 3 days.", failure.QuotaLimited},
		{agent.Claude, "limit", "Claude is temporarily rate limited.", failure.RateLimited},
		{agent.Claude, "access", "Sign in to continue using Claude.", failure.AuthRequired},
		{agent.Claude, "request", "Prompt is too long", failure.ContextOverflow},
		{agent.Claude, "request", "Claude could not process this request.", failure.InvalidRequest},
		{agent.Claude, "connection", "The connection to Claude was lost.", failure.AgentTransportLost},
		{agent.Codex, "connection", "exceeded retry limit, last status: 529", failure.ProviderOverloaded},
		{agent.Codex, "connection", "Connection to Codex was lost.", failure.NetworkUnavailable},
		{agent.Claude, "service", "API Error: Repeated 529 Overloaded errors.", failure.ProviderOverloaded},
		{agent.Claude, "unknown", "Claude reported a notice.", failure.UnknownProviderError},
	} {
		data := []byte(`{"sessionFailure":{"category":"` + tc.category + `","severity":"error"}}`)
		got := failure.OfSignal(tc.k, "signal.session_failure", tc.title, data, noon)
		assert.Equal(t, tc.want, got.Code, "%s %s", tc.category, tc.title)
	}
}

// A quota that lifts within a minute is a throttle, unless it is a window of usage.
func TestAShortWaitMakesAThrottle(t *testing.T) {
	for _, tc := range []struct {
		name  string
		e     failure.Evidence
		code  agent.Code
		class failure.Class
		wait  time.Duration
		reset time.Duration // 0: none
	}{
		{"5 s", failure.Evidence{Agent: agent.Gemini, Text: "You have exhausted your capacity on this model. Your quota will reset after 5s."}, failure.RateLimited, failure.Transient, 5 * time.Second, 0},
		{"60 s", failure.Evidence{Text: "quota exceeded, try again in 60 seconds"}, failure.RateLimited, failure.Transient, time.Minute, 0},
		{"61 s", failure.Evidence{Text: "quota exceeded, try again in 61 seconds"}, failure.QuotaLimited, failure.Hard, 0, 61 * time.Second},
		{"a window of OpenCode", failure.Evidence{Agent: agent.OpenCode, Text: "5 hour usage limit reached. It will reset in less than a minute."}, failure.QuotaLimited, failure.Hard, 0, time.Minute},
		{"the same sentence of somebody", failure.Evidence{Text: "Weekly usage limit reached. Resets in 30 seconds"}, failure.QuotaLimited, failure.Hard, 0, 30 * time.Second},
		{"a rate limit without a wait", failure.Evidence{Text: "rate limit exceeded"}, failure.RateLimited, failure.Hard, 0, 0},
		{"a rate limit with a short wait", failure.Evidence{Text: "rate limit exceeded, try again in 20s"}, failure.RateLimited, failure.Transient, 20 * time.Second, 0},
		{"a rate limit with a long wait", failure.Evidence{Text: "rate limit exceeded, try again in 20m"}, failure.RateLimited, failure.Hard, 20 * time.Minute, 20 * time.Minute},
		{"a rate limit with a header", failure.Evidence{HTTPStatus: 429, Text: "retry-after: 7"}, failure.RateLimited, failure.Transient, 7 * time.Second, 0},
		{"an instant on stderr", failure.Evidence{Channel: failure.ChannelStderr, Text: "Weekly usage limit reached, resets 10pm (UTC)"}, failure.QuotaLimited, failure.Hard, 0, 0},
		{"the same instant elsewhere", failure.Evidence{Text: "Weekly usage limit reached, resets 10pm (UTC)"}, failure.QuotaLimited, failure.Hard, 0, 10 * time.Hour},
		{"a login has no reset", failure.Evidence{Text: "invalid api key, resets in 2 hours"}, failure.AuthRequired, failure.Hard, 0, 0},
		{"a limit of OpenCode without a reset", failure.Evidence{Agent: agent.OpenCode, Channel: failure.ChannelRetry, Text: `{"type":"retry","message":"Free usage exceeded, subscribe to Go","action":{"reason":"free_tier_limit"},"next":1788271200000}`}, failure.QuotaLimited, failure.Hard, 2 * time.Hour, 2 * time.Hour},
		{"a limit of OpenCode with its reset", failure.Evidence{Agent: agent.OpenCode, Channel: failure.ChannelRetry, Text: `{"type":"retry","message":"5 hour usage limit reached. It will reset in 1 hour.","action":{"reason":"account_rate_limit"},"next":1788271200000}`}, failure.QuotaLimited, failure.Hard, 2 * time.Hour, time.Hour},
		{"a next try that is no limit", failure.Evidence{Agent: agent.OpenCode, Channel: failure.ChannelRetry, Text: `{"type":"retry","message":"Provider is overloaded","next":1788264008000}`}, failure.ProviderOverloaded, failure.Transient, 8 * time.Second, 0},
		{"a next try of somebody else", failure.Evidence{Channel: failure.ChannelRetry, Text: `overloaded, "next":1788264008000`}, failure.ProviderOverloaded, failure.Transient, 0, 0},
		{"overload with a hint", failure.Evidence{Text: "overloaded, retry-after: 9"}, failure.ProviderOverloaded, failure.Transient, 9 * time.Second, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.e.OccurredAt = noon
			got := failure.Classify(tc.e)
			assert.Equal(t, tc.code, got.Code)
			assert.Equal(t, tc.class, got.Class)
			assert.Equal(t, tc.wait, got.RetryAfter)
			if tc.reset == 0 {
				assert.True(t, got.ResetAt.IsZero(), got.ResetAt)
			} else {
				assert.Equal(t, noon.Add(tc.reset), got.ResetAt)
			}
		})
	}
}

func TestTheAgentSaysThatItTriesAgain(t *testing.T) {
	for text, want := range map[string]bool{
		"rate limit, retrying in 5s":                                true,
		"rate limit; retrying 1/5 in 209ms…":                        true,
		"Error: overloaded. Retrying...":                            true,
		`{"error":"overloaded","willRetry":true}`:                   true,
		`{"error":"overloaded","willRetry":false}`:                  false,
		"Error: overloaded, gave up retrying":                       false,
		"Error: overloaded, not retrying":                           false,
		"Error: overloaded after retrying 5 times":                  false,
		"Error: overloaded; retried 5 times":                        false,
		"Error: overloaded. Please retry after a brief wait.":       false,
		"Reconnecting... 3/5":                                       true,
		"Error: overloaded. Stopped retrying after the 3rd attempt": false,
	} {
		c := failure.Classify(failure.Evidence{Agent: agent.Codex, Text: text, OccurredAt: noon})
		assert.NotEmpty(t, c.Code, text)
		assert.Equal(t, want, c.Retrying, text)
		assert.Equal(t, !want, c.Failed(), text)
	}
}

func TestTypedFieldsNameProviderAndModel(t *testing.T) {
	for _, tc := range []struct{ name, data, provider, model string }{
		{"both", `{"providerID":"anthropic","modelID":"claude-sonnet-5"}`, "anthropic", "claude-sonnet-5"},
		{"other names", `{"provider":"openai","model":"gpt-5"}`, "openai", "gpt-5"},
		{"an address", `{"model":"https://example.com/x"}`, "", ""},
		{"an account", `{"provider":"wrk_123"}`, "", ""},
		{"a sentence", `{"model":"the best model"}`, "", ""},
		{"too long", `{"model":"` + strings.Repeat("m", 129) + `"}`, "", ""},
		{"another type", `{"model":{"id":"x"},"provider":7}`, "", ""},
		{"no object", `["x"]`, "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := failure.Classify(failure.Evidence{HTTPStatus: 503, Data: []byte(tc.data)})
			assert.Equal(t, tc.provider, c.Provider)
			assert.Equal(t, tc.model, c.Model)
		})
	}
}

// Terminal colours, typographic quotes, boxes and escapes hide no words.
func TestTextIsReadAsAPersonWould(t *testing.T) {
	for _, text := range []string{
		"\x1b[31mYou've hit your usage limit\x1b[0m", "You’ve hit your usage limit", `{\"message\":\"You\u2019ve hit\nyour usage limit\"}`,
		"YOU'VE HIT YOUR USAGE LIMIT", "│ You've hit your │\n│ usage limit     │", "You've hit your\u00a0usage\u202flimit", "\ufeffYou've hit your usage\u200b limit",
	} {
		assert.Equal(t, failure.QuotaLimited, failure.Classify(failure.Evidence{Agent: agent.Codex, Text: text}).Code, text)
	}
}

func TestChannelsInFreeWords(t *testing.T) {
	for words, want := range map[string]failure.Channel{
		"": failure.ChannelOwn, "CLI text": failure.ChannelOwn, "ACP JSON-RPC error on session/load": failure.ChannelRPC,
		"acp_error": failure.ChannelRPC, "stderr at start": failure.ChannelStart, "stderr": failure.ChannelStderr, "start": failure.ChannelStart,
		"tool output": failure.ChannelTool, "tool result (error)": failure.ChannelTool, "session/update tool_call_update": failure.ChannelTool,
		"assistant prose": failure.ChannelProse, "assistant message": failure.ChannelProse, "quoted text": failure.ChannelProse, "agent_message_chunk": failure.ChannelProse,
		"assistant/TUI error": failure.ChannelOwn, "JSON log line": failure.ChannelLog, "HTTP 401 body": failure.ChannelHTTP,
		"server event session.status type=retry (message)": failure.ChannelRetry, "SDK result message": failure.ChannelSignal, "events.jsonl record": failure.ChannelSignal,
	} {
		got, _ := failure.ChannelOf(words)
		assert.Equal(t, want, got, words)
	}
	_, method := failure.ChannelOf("ACP JSON-RPC error on session/load")
	assert.Equal(t, "session/load", method)
}

// What to do is said of each failure that a person can do something about; only
// where nothing is known to do is the agent's own message pointed at.
func TestHintsSayWhatToDo(t *testing.T) {
	for code, hint := range map[agent.Code]string{
		failure.NetworkUnavailable:   failure.HintConnection,
		failure.AuthRequired:         failure.HintLogIn,
		failure.ContextOverflow:      failure.HintStartFresh,
		failure.ModelUnavailable:     failure.HintOtherModel,
		failure.UnknownProviderError: failure.HintCheckMessage,
	} {
		assert.Equal(t, hint, failure.HintOf(code, "a message"), code)
		if hint == failure.HintCheckMessage {
			hint = ""
		}
		assert.Equal(t, hint, failure.HintOf(code, ""), code)
	}
}
