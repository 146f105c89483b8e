package provider_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"turnwatch/backend/demo/provider"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// stillClock stands at one time and wakes everybody at once.
type stillClock struct{}

func (stillClock) Now() time.Time { return time.Unix(1_796_000_000, 0).UTC() }

func (stillClock) AfterFunc(_ time.Duration, f func()) func() bool {
	return time.AfterFunc(0, f).Stop
}

func start(t *testing.T) *provider.Server {
	t.Helper()
	s, err := provider.StartWith(t.Context(), provider.Options{Clock: stillClock{}})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}

// client keeps no connection, so that none outlives its test.
func client(t *testing.T) *http.Client {
	t.Helper()
	tr := &http.Transport{DisableKeepAlives: true}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr}
}

// dialects are requests as the agents of each dialect send them.
func dialects() map[provider.Dialect]struct{ path, body string } {
	return map[provider.Dialect]struct{ path, body string }{
		provider.Chat: {"/v1/chat/completions", `{"model":"main","stream":STREAM,"messages":[{"role":"system","content":"be good"},{"role":"user","content":"PROMPT"}],
			"tools":[{"type":"function","function":{"name":"bash","parameters":{"type":"object","required":["command","description"],"properties":{"command":{"type":"string"},"description":{"type":"string"}}}}}]}`},
		provider.Responses: {"/v1/responses", `{"model":"main","stream":STREAM,"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"PROMPT"}]}],
			"tools":[{"type":"function","name":"shell","parameters":{"type":"object","required":["command"],"properties":{"command":{"type":"array","items":{"type":"string"}}}}}]}`},
		provider.Messages: {"/v1/messages", `{"model":"main","stream":STREAM,"messages":[{"role":"user","content":[{"type":"text","text":"PROMPT"},{"type":"text","text":"<system-reminder>be good</system-reminder>"}]}],
			"tools":[{"name":"Bash","input_schema":{"type":"object","required":["command"],"properties":{"command":{"type":"string"},"timeout":{"type":"number"}}}}]}`},
		provider.Gemini: {"/v1beta/models/main:ACTION", `{"contents":[{"role":"user","parts":[{"text":"PROMPT"}]}],
			"tools":[{"functionDeclarations":[{"name":"run_shell_command","parametersJsonSchema":{"type":"object","required":["command"],"properties":{"command":{"type":"string"}}}}]}]}`},
	}
}

func ask(t *testing.T, base string, d provider.Dialect, prompt string, stream bool) *http.Response {
	t.Helper()
	c := dialects()[d]
	action, word := "generateContent", "false"
	if stream {
		action, word = "streamGenerateContent?alt=sse", "true"
	}
	quoted, err := json.Marshal(prompt)
	require.NoError(t, err)
	body := strings.NewReplacer("STREAM", word, `"PROMPT"`, string(quoted)).Replace(c.body)
	return post(t, base+strings.Replace(c.path, "ACTION", action, 1), body)
}

func post(t *testing.T, url, body string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("authorization", "Bearer sk-secret-canary")
	resp, err := client(t).Do(req)
	require.NoError(t, err)
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

func text(t *testing.T, r *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	return string(b)
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o600))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}

func TestStreamsAsEachDialectDoes(t *testing.T) {
	for name, prompt := range map[string]string{
		"ok":           "hi [[fake:ok n=2]]",
		"think":        "hi [[fake:think n=2]]",
		"bash":         "hi [[fake:bash cmd='echo hello world']]",
		"length":       "hi [[fake:length]]",
		"filter":       "hi [[fake:filter]]",
		"reason-null":  "hi [[fake:reason-null]]",
		"eof":          "hi [[fake:eof n=1]]",
		"error-event":  "hi [[fake:error-event msg='too busy']]",
		"malformed":    "hi [[fake:malformed]]",
		"empty":        "hi [[fake:empty]]",
		"badargs":      "hi [[fake:badargs]]",
		"reason-weird": "hi [[fake:reason-weird]]",
	} {
		for d := range dialects() {
			t.Run(name+"/"+string(d), func(t *testing.T) {
				s := start(t)
				r := ask(t, s.URL(), d, prompt, true)
				assert.Equal(t, http.StatusOK, r.StatusCode)
				assert.Equal(t, "text/event-stream", r.Header.Get("content-type"))
				golden(t, name+"."+string(d)+".sse", text(t, r))
			})
		}
	}
}

func TestAnswersWholeWhereNoStreamIsWanted(t *testing.T) {
	for name, prompt := range map[string]string{"ok": "hi [[fake:ok n=2]]", "bash": "hi [[fake:bash cmd=true]]", "think": "[[fake:think n=1]]"} {
		for d := range dialects() {
			t.Run(name+"/"+string(d), func(t *testing.T) {
				s := start(t)
				r := ask(t, s.URL(), d, prompt, false)
				assert.Equal(t, "application/json", r.Header.Get("content-type"))
				var pretty bytes.Buffer
				require.NoError(t, json.Indent(&pretty, []byte(text(t, r)), "", " "))
				golden(t, name+"."+string(d)+".json", pretty.String()+"\n")
			})
		}
	}
}

func TestFailsAsEachDialectDoes(t *testing.T) {
	tests := []struct {
		name    string
		prompt  string
		dialect provider.Dialect
		status  int
		header  map[string]string
		body    string
	}{
		{"OpenCode's gateway without a header", "[[fake:go5h]]", provider.Chat, 429, map[string]string{"retry-after": "", "content-type": "text/plain;charset=UTF-8"},
			`{"error":{"message":"5-hour usage limit reached. Resets in 2hr 7min. To continue using this model now, enable usage from your available balance: https://opencode.ai/workspace/wrk_TEST0001/go","type":"GoUsageLimitError"},"metadata":{"limitName":"5 hour","workspace":"wrk_TEST0001"},"type":"error"}`},
		{"OpenCode's gateway with one", "[[fake:goweekly retry_after=7620]]", provider.Messages, 429, map[string]string{"retry-after": "7620"}, `Weekly usage limit reached. Resets in 4 days.`},
		{"a chosen reset", "[[fake:gomonthly resets='6min']]", provider.Chat, 429, nil, `Monthly usage limit reached. Resets in 6min.`},
		{"Anthropic usage limit", "[[fake:limit]]", provider.Messages, 429, map[string]string{"retry-after": "18000", "anthropic-ratelimit-unified-reset": "1796018000", "anthropic-ratelimit-unified-representative-claim": "five_hour"}, `rate_limit_error`},
		{"a header taken away", "[[fake:limit retry_after=none]]", provider.Messages, 429, map[string]string{"retry-after": ""}, `rate_limit_error`},
		{"OpenAI quota", "[[fake:limit]]", provider.Chat, 429, nil, `"code":"insufficient_quota"`},
		{"Codex usage limit", "[[fake:limit]]", provider.Responses, 429, map[string]string{"x-codex-primary-reset-at": "1796018000"}, `"resets_at":1796018000`},
		{"Codex quota", "[[fake:quota]]", provider.Responses, 429, nil, `"type":"insufficient_quota"`},
		{"Gemini limit", "[[fake:limit]]", provider.Gemini, 429, nil, `GenerateRequestsPerDayPerProjectPerModel-FreeTier`},
		{"short limit", "[[fake:rate]]", provider.Chat, 429, map[string]string{"retry-after": "3"}, `rate_limit_exceeded`},
		{"Anthropic overloaded", "[[fake:overloaded]]", provider.Messages, 529, nil, `overloaded_error`},
		{"OpenAI overloaded", "[[fake:overloaded]]", provider.Responses, 503, nil, `server_is_overloaded`},
		{"Gemini overloaded", "[[fake:overloaded]]", provider.Gemini, 503, nil, `UNAVAILABLE`},
		{"wrong key", "[[fake:401]]", provider.Chat, 401, nil, `invalid_api_key`},
		{"wrong key of Gemini", "[[fake:auth]]", provider.Gemini, 400, nil, `API_KEY_INVALID`},
		{"bad request", "[[fake:400]]", provider.Responses, 400, nil, `invalid_request_error`},
		{"context of Anthropic", "[[fake:overflow]]", provider.Messages, 400, nil, `prompt is too long`},
		{"context of OpenAI", "[[fake:overflow]]", provider.Chat, 400, nil, `context_length_exceeded`},
		{"server error", "[[fake:500]]", provider.Gemini, 500, nil, `INTERNAL`},
		{"a page in place of an answer", "[[fake:garbage]]", provider.Chat, 200, map[string]string{"content-type": "text/html"}, `<html>`},
		{"an error that calls itself 200", "[[fake:200err]]", provider.Chat, 200, map[string]string{"content-type": "application/json"}, `GoUsageLimitError`},
		{"a name that nobody knows", "[[fake:nonsense]]", provider.Chat, 500, nil, `no behaviour named \"nonsense\"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := start(t)
			r := ask(t, s.URL(), tt.dialect, tt.prompt, true)
			assert.Equal(t, tt.status, r.StatusCode)
			for k, v := range tt.header {
				assert.Equal(t, v, r.Header.Get(k), k)
			}
			assert.Contains(t, text(t, r), tt.body)
		})
	}
}

// Every behaviour that is listed is known in every dialect, and answers or hangs.
func TestEveryListedBehaviourIsKnown(t *testing.T) {
	s := start(t)
	for _, b := range provider.Behaviours() {
		for d := range dialects() {
			t.Run(b[0]+"/"+string(d), func(t *testing.T) {
				assert.NotEmpty(t, b[1])
				if strings.HasPrefix(b[0], "hang") || strings.HasPrefix(b[0], "drip") || strings.HasPrefix(b[0], "cut") {
					return // TestHangsUntilTheClientGoes, TestCutsTheConnection
				}
				r := ask(t, s.URL(), d, "[[fake:"+b[0]+"]]", true)
				assert.NotContains(t, text(t, r), "no behaviour named")
			})
		}
	}
}

func TestModelsAndCounts(t *testing.T) {
	s := start(t)
	get := func(path string) (int, string) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL()+path, nil)
		require.NoError(t, err)
		r, err := client(t).Do(req)
		require.NoError(t, err)
		defer r.Body.Close()
		return r.StatusCode, text(t, r)
	}
	_, body := get("/v1/models")
	assert.Contains(t, body, `"id":"fake-model"`)
	_, body = get("/s/limit/v1beta/models")
	assert.Contains(t, body, `"name":"models/fake-model"`)
	status, body := get("/nothing")
	assert.Equal(t, http.StatusNotFound, status)
	assert.Contains(t, body, "nothing at this path")
	assert.Contains(t, text(t, post(t, s.URL()+"/v1/messages/count_tokens?beta=true", `{}`)), `"input_tokens":10`)
	assert.Contains(t, text(t, post(t, s.URL()+"/v1beta/models/x:countTokens", `{}`)), `"totalTokens":10`)
}

func TestStartFailsOnAnEndedContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := provider.Start(ctx)
	assert.ErrorIs(t, err, context.Canceled)
}
