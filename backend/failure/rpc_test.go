package failure_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
)

func TestEveryShapeOfRPCErrorIsClassified(t *testing.T) {
	const prompt = "session/prompt"
	for _, tc := range []struct {
		name       string
		e          failure.RPC
		code, rule string
		says       string
	}{
		{"claude limit", failure.RPC{Agent: agent.Claude, Method: prompt, Code: -32603, Message: "Internal error: You've hit your 5-hour limit · resets 10:16pm (UTC)", Data: []byte(`{"errorKind":"rate_limit"}`)},
			"quota_limited", "claude.limit.window", "You've hit your 5-hour limit · resets 10:16pm (UTC)"},
		{"claude overloaded", failure.RPC{Agent: agent.Claude, Method: prompt, Code: -32603, Message: "Internal error: API Error: Repeated 529 Overloaded errors.", Data: []byte(`{"errorKind":"server_error"}`)},
			"provider_overloaded", "limit.overloaded", "API Error: Repeated 529 Overloaded errors."},
		{"claude too long", failure.RPC{Agent: agent.Claude, Method: prompt, Code: -32603, Message: "Internal error: Prompt is too long", Data: []byte(`{"errorKind":"invalid_request"}`)},
			"context_overflow", "claude.context", "Prompt is too long"},
		{"claude unknown kind", failure.RPC{Agent: agent.Claude, Method: prompt, Code: -32603, Message: "Internal error: API Error: API returned an empty or malformed response", Data: []byte(`{"errorKind":"unknown"}`)},
			"provider_unavailable", "claude.garbled", "API Error: API returned an empty or malformed response"},
		{"claude login", failure.RPC{Agent: agent.Claude, Method: prompt, Code: -32000, Message: "Authentication required"},
			"auth_required", "rpc.auth_required", "Authentication required"},
		{"codex usage", failure.RPC{Agent: agent.Codex, Method: prompt, Code: -32603, Message: "Internal error", Data: []byte(`{"message":"You’ve hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro) or try again at 10:10 PM.","codexErrorInfo":"usageLimitExceeded"}`)},
			"quota_limited", "codex.kind.usage", "You’ve hit your usage limit. Upgrade to Pro or try again at 10:10 PM."},
		{"old codex usage", failure.RPC{Agent: agent.Codex, Method: prompt, Code: -32603, Message: "Internal error", Data: []byte(`{"message":"limit","codex_error_info":"usage_limit_exceeded"}`)},
			"quota_limited", "codex.kind.usage", "limit"},
		{"old codex overloaded", failure.RPC{Agent: agent.Codex, Method: prompt, Code: -32603, Message: "Internal error", Data: []byte(`{"message":"Selected model is at capacity.","codex_error_info":"server_overloaded"}`)},
			"model_capacity", "codex.capacity", "Selected model is at capacity."},
		{"old codex 401", failure.RPC{Agent: agent.Codex, Method: prompt, Code: -32603, Message: "Internal error", Data: []byte(`{"message":"unexpected status 401 Unauthorized: Incorrect API key provided: sk-fakeCANARY., url: http://127.0.0.1:1/CANARY","codex_error_info":"other"}`)},
			"auth_required", "http.401", "unexpected status 401 Unauthorized: Incorrect"},
		{"codex object kind", failure.RPC{Agent: agent.Codex, Method: prompt, Code: -32603, Data: []byte(`{"codexErrorInfo":{"responseStreamDisconnected":{"httpStatusCode":429}}}`)},
			"rate_limited", "http.429", ""},
		{"codex kind of another agent", failure.RPC{Agent: agent.Qwen, Method: prompt, Code: -32603, Data: []byte(`{"codexErrorInfo":"usageLimitExceeded"}`)},
			"unknown_provider_error", "rpc.other", ""},
		{"gemini quota", failure.RPC{Agent: agent.Gemini, Method: prompt, Code: 429, Message: "You have exhausted your daily quota on this model."},
			"quota_limited", "gemini.quota.day", "You have exhausted your daily quota on this model."},
		{"gemini key", failure.RPC{Agent: agent.Gemini, Method: prompt, Code: 400, Message: `{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}`},
			"auth_required", "access.login", "API key not valid. Please pass a valid API key."},
		{"gemini cut", failure.RPC{Agent: agent.Gemini, Method: prompt, Code: 500, Message: "terminated"},
			"provider_unavailable", "rpc.http.500", "terminated"},
		{"gemini no key", failure.RPC{Agent: agent.Gemini, Method: "session/new", Code: -32000, Message: "Gemini API key is missing or not configured."},
			"auth_required", "rpc.auth_required", "Gemini API key is missing or not configured."},
		{"qwen details", failure.RPC{Agent: agent.Qwen, Method: prompt, Code: -32603, Message: "Internal error", Data: []byte(`{"details":"terminated"}`)},
			"network_unavailable", "qwen.cut", "terminated"},
		{"kimi login", failure.RPC{Agent: agent.Kimi, Method: prompt, Code: -32000, Message: "Authentication required: 401 Incorrect"},
			"auth_required", "rpc.auth_required", "Authentication required: 401 Incorrect"},
		{"opencode", failure.RPC{Agent: agent.OpenCode, Method: prompt, Code: -32603, Message: "Internal error: upstream failed", Data: []byte(`{"service":"session","errorName":"APIError"}`)},
			"unknown_provider_error", "rpc.other", "upstream failed"},
		{"session gone at a prompt", failure.RPC{Method: prompt, Code: -32002, Message: "Resource not found"},
			"session_lost", "rpc.resource_missing.resume", "Resource not found"},
		{"resume refused", failure.RPC{Method: "session/resume", Code: -32603, Message: "Internal error"},
			"session_lost", "rpc.resume_refused", ""},
		{"load refused", failure.RPC{Agent: agent.Gemini, Method: "session/load", Code: -32603, Message: "Internal error", Data: []byte(`{"details":"No previous sessions found for this project."}`)},
			"session_lost", "gemini.session", "No previous sessions found for this project."},
		{"load without login", failure.RPC{Method: "session/load", Code: -32000, Message: "Authentication required"},
			"auth_required", "rpc.auth_required", "Authentication required"},
		{"no code, text data", failure.RPC{Method: prompt, Data: []byte(`"plain words"`)},
			"unknown_provider_error", "rpc.other", "plain words"},
		{"data is no JSON", failure.RPC{Method: prompt, Message: "x", Data: []byte(`{"a`)},
			"unknown_provider_error", "rpc.other", "x"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.e.At = time.Unix(1, 0)
			got := failure.OfRPC(tc.e)
			assert.Equal(t, tc.code, string(got.Code))
			assert.Equal(t, tc.rule, got.Rule)
			assert.True(t, strings.HasPrefix(got.Message, tc.says), got.Message)
			assert.NotContains(t, got.Message, "CANARY")
			assert.Equal(t, failure.SourceACP, got.Source)
			assert.Equal(t, tc.e.At, got.OccurredAt)
			if got.Message == "" {
				assert.NotEqual(t, failure.HintCheckMessage, got.Hint, "there is no message above")
			} else {
				assert.NotEmpty(t, got.Hint)
			}
		})
	}
}

func TestExitNamesCodeOrSignal(t *testing.T) {
	for _, tc := range []struct {
		name, rule string
		e          failure.Exit
		args       map[string]string
	}{
		{"code", "exit.code", failure.Exit{Code: 3}, map[string]string{"code": "3"}},
		{"clean but unasked", "exit.zero", failure.Exit{}, map[string]string{"code": "0"}},
		{"signal", "exit.signal", failure.Exit{Code: -1, Signal: "killed"}, map[string]string{"signal": "killed"}},
		{"pipe closed", "exit.lost", failure.Exit{Lost: true}, map[string]string{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := failure.OfExit(tc.e)
			assert.Equal(t, failure.AgentCrashed, got.Code)
			assert.Equal(t, tc.rule, got.Rule)
			assert.Equal(t, tc.args, got.Args)
		})
	}
}

func FuzzOfRPC(f *testing.F) {
	f.Add(int64(-32603), "Internal error", []byte(`{"errorKind":"rate_limit"}`))
	f.Add(int64(0), `{"error":{"message":"x"}}`, []byte(`[]`))
	f.Fuzz(func(t *testing.T, code int64, message string, data []byte) {
		got := failure.OfRPC(failure.RPC{Agent: agent.Codex, Code: code, Message: message, Data: data})
		if got.Code == "" || got.Rule == "" || len(got.Message) > 2048 {
			t.Fatalf("%+v", got)
		}
	})
}
