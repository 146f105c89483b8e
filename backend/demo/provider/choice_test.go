package provider_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/demo/provider"
)

const bashTool = `"tools":[{"type":"function","function":{"name":"bash"}}]`

func TestChoosesTheBehaviour(t *testing.T) {
	tests := []struct {
		name, path, body string
		want             string
		step             int
		side             bool
	}{
		{"nothing said", "/v1/chat/completions", `{"messages":[{"role":"user","content":"hi"}],` + bashTool + `}`, "ok", 0, false},
		{"by the path", "/s/limit/v1/chat/completions", `{"messages":[{"role":"user","content":"hi"}],` + bashTool + `}`, "limit", 0, false},
		{"a directive before the path", "/s/limit/v1/chat/completions", `{"messages":[{"role":"user","content":"[[fake:500]]"}],` + bashTool + `}`, "500", 0, false},
		{"the last of two", "/v1/chat/completions", `{"messages":[{"role":"user","content":"[[fake:400]] [[fake:500]]"}],` + bashTool + `}`, "500", 0, false},
		{"the newest prompt", "/v1/chat/completions", `{"messages":[{"role":"user","content":"[[fake:400]]"},{"role":"assistant","content":"x"},{"role":"user","content":"[[fake:500]]"}],` + bashTool + `}`, "500", 0, false},
		{"a new prompt without one", "/v1/chat/completions", `{"messages":[{"role":"user","content":"[[fake:400]]"},{"role":"assistant","content":"x"},{"role":"user","content":"go on"}],` + bashTool + `}`, "ok", 0, false},
		{"an agent's own note behind the prompt", "/v1/messages", `{"messages":[{"role":"user","content":"[[fake:500]]"},{"role":"user","content":"<system-reminder>be good</system-reminder>\n<x y=1></x>"}],"tools":[{"name":"Bash"}]}`, "500", 0, false},
		{"not in what the model said", "/v1/chat/completions", `{"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"[[fake:500]]"}],` + bashTool + `}`, "ok", 0, false},
		{"not in what a tool said", "/v1/chat/completions", `{"messages":[{"role":"user","content":"hi"},{"role":"tool","content":"[[fake:500]]"}],` + bashTool + `}`, "ok", 1, false},
		{"steps of chat", "/v1/chat/completions", `{"messages":[{"role":"user","content":"[[fake:bash steps=3]]"},{"role":"assistant"},{"role":"tool"},{"role":"assistant"},{"role":"tool"}],` + bashTool + `}`, "bash", 2, false},
		{"steps of messages", "/v1/messages", `{"messages":[{"role":"user","content":"[[fake:bash]]"},{"role":"assistant","content":[]},{"role":"user","content":[{"type":"tool_result"},{"type":"tool_result"},{"type":"text","text":"<system-reminder>x</system-reminder>"}]}],"tools":[{"name":"Bash"}]}`, "bash", 1, false},
		{"steps of responses", "/v1/responses", `{"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"[[fake:bash]]"}]},{"type":"function_call"},{"type":"function_call_output"}],"tools":[{"type":"custom","name":"apply_patch"}]}`, "bash", 1, false},
		{"steps of Gemini", "/v1beta/models/m:generateContent", `{"contents":[{"role":"user","parts":[{"text":"[[fake:bash]]"}]},{"role":"model","parts":[]},{"role":"user","parts":[{"functionResponse":{}}]}],"tools":[{"functionDeclarations":[{"name":"x"}]}]}`, "bash", 1, false},
		{"a title request", "/v1/chat/completions", `{"messages":[{"role":"user","content":"Title for: [[fake:500]]"}]}`, "ok", 0, true},
		{"a title request that is named", "/v1/chat/completions", `{"messages":[{"role":"user","content":"Title for: [[fake:ok title=go5h]]"}]}`, "go5h", 0, true},
		{"a title request under a path", "/s/500/v1/chat/completions", `{"messages":[{"role":"user","content":"Title for: hi"}]}`, "500", 0, true},
		{"tools first, then the failure", "/v1/chat/completions", `{"messages":[{"role":"user","content":"[[fake:500 at=1]]"}],` + bashTool + `}`, "bash", 0, false},
		{"and the failure then", "/v1/chat/completions", `{"messages":[{"role":"user","content":"[[fake:500 at=1]]"},{"role":"tool"}],` + bashTool + `}`, "500", 1, false},
		{"no JSON at all", "/v1/chat/completions", `<html>`, "ok", 0, true},
		{"input as a string", "/v1/responses", `{"input":"[[fake:ok title=500]]"}`, "500", 0, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := start(t)
			text(t, post(t, s.URL()+tt.path, tt.body))
			all := s.Requests()
			require.Len(t, all, 1)
			assert.Equal(t, tt.want, all[0].Scenario)
			assert.Equal(t, tt.step, all[0].Step)
			assert.Equal(t, tt.side, all[0].Side)
		})
	}
}

func TestFailsAsOftenAsAskedAndThenIsOK(t *testing.T) {
	s := start(t)
	var got []int
	for range 4 {
		got = append(got, ask(t, s.URL(), provider.Chat, "[[fake:503 fail=2 id=x]]", true).StatusCode)
	}
	assert.Equal(t, []int{503, 503, 200, 200}, got)
	assert.Equal(t, 503, ask(t, s.URL(), provider.Chat, "[[fake:503 fail=2 id=y]]", true).StatusCode, "another id counts anew")
}

func TestRecordsWhatWasAsked(t *testing.T) {
	s := start(t)
	text(t, ask(t, s.Scenario("ok"), provider.Messages, "hello", true))
	r, err := s.Await(t.Context(), func(r provider.Request) bool { return r.End != "" })
	require.NoError(t, err)
	assert.Equal(t, provider.Request{
		N: 1, At: stillClock{}.Now(), Method: "POST", Path: "/s/ok/v1/messages", Dialect: provider.Messages, Model: "main",
		Scenario: "ok", Tools: []string{"Bash"}, End: provider.Answered,
	}, r)
	assert.NotContains(t, fmt.Sprintf("%+v", s.Requests()), "canary", "no key is kept")
}

func TestHangsUntilTheClientGoes(t *testing.T) {
	tests := []struct {
		name   string
		gets   string // what comes before the silence, or ""
		server bool   // headers are sent
	}{
		{"hang", "", false},
		{"hang-body", "", true},
		{"hang-part", "word0", true},
		{"drip", ": keepalive", true},
		{"drip-empty", "word0", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := start(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			done := make(chan struct{})
			go func() {
				defer close(done)
				defer cancel()
				body := strings.Replace(dialects()[provider.Chat].body, "PROMPT", "[[fake:"+tt.name+" n=1 every=1]]", 1)
				req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL()+"/v1/chat/completions", strings.NewReader(strings.Replace(body, "STREAM", "true", 1)))
				if !assert.NoError(t, err) {
					return
				}
				r, err := client(t).Do(req)
				if !tt.server {
					assert.ErrorIs(t, err, context.Canceled)
					return
				}
				if !assert.NoError(t, err) {
					return
				}
				defer r.Body.Close()
				read(t, r, tt.gets)
			}()
			_, err := s.Await(t.Context(), func(r provider.Request) bool { return r.Scenario == tt.name })
			require.NoError(t, err)
			if !tt.server {
				cancel()
			}
			<-done
			r, err := s.Await(t.Context(), func(r provider.Request) bool { return r.End != "" })
			require.NoError(t, err)
			assert.Equal(t, provider.ClientGone, r.End)
		})
	}
}

func TestCutsTheConnection(t *testing.T) {
	for _, mode := range []string{"cut-head", "cut n=1", "cut n=1 mode=rst"} {
		t.Run(mode, func(t *testing.T) {
			s := start(t)
			body := strings.NewReplacer("PROMPT", "[[fake:"+mode+"]]", "STREAM", "true").Replace(dialects()[provider.Chat].body)
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL()+"/v1/chat/completions", strings.NewReader(body))
			require.NoError(t, err)
			r, err := client(t).Do(req)
			if err == nil {
				defer r.Body.Close()
				_, err = r.Body.Read(make([]byte, 1<<20))
				for err == nil {
					_, err = r.Body.Read(make([]byte, 1<<20))
				}
			}
			require.Error(t, err)
			assert.NotEqual(t, "EOF", err.Error(), "a cut is no clean end")
			got, err := s.Await(t.Context(), func(r provider.Request) bool { return r.End != "" })
			require.NoError(t, err)
			assert.Equal(t, provider.Dropped, got.End)
		})
	}
}

// read reads until the text has come.
func read(t *testing.T, r *http.Response, want string) {
	t.Helper()
	var got strings.Builder
	for buf := make([]byte, 4096); !strings.Contains(got.String(), want); {
		n, err := r.Body.Read(buf)
		got.Write(buf[:n])
		if !assert.NoError(t, err) {
			return
		}
	}
}

func TestCloseEndsEveryHang(t *testing.T) {
	for _, name := range []string{"hang", "hang-body", "drip every=1000000", "ok n=100 delay=1000000"} {
		t.Run(name, func(t *testing.T) {
			s, err := provider.StartWith(t.Context(), provider.Options{Clock: sleepyClock{}})
			require.NoError(t, err)
			defer s.Close()
			go func() {
				body := strings.NewReplacer("PROMPT", "[[fake:"+name+"]]", "STREAM", "true").Replace(dialects()[provider.Chat].body)
				r, err := client(t).Post(s.URL()+"/v1/chat/completions", "application/json", strings.NewReader(body))
				if err == nil {
					_ = r.Body.Close()
				}
			}()
			_, err = s.Await(t.Context(), func(provider.Request) bool { return true })
			require.NoError(t, err)
			s.Close()
			s.Close()
			r := s.Requests()[0]
			assert.NotEmpty(t, r.End, "no handler outlives Close")
		})
	}
}

// sleepyClock never wakes anybody.
type sleepyClock struct{ stillClock }

func (sleepyClock) AfterFunc(time.Duration, func()) func() bool { return func() bool { return true } }

func TestAwaitEndsWithItsContext(t *testing.T) {
	s := start(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.Await(ctx, func(provider.Request) bool { return true })
	assert.ErrorIs(t, err, context.Canceled)
}
