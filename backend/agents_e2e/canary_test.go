//go:build agents

package agents_e2e

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/core"
)

// planted is what a provider says of an account when it fails: made-up secrets of
// every kind, each with the word CANARY.
const planted = `key sk-CANARY1234567890abcdef of CANARY@example.com, {\"api_key\":\"CANARY\"}, Bearer CANARY.abc-def, in /home/CANARY/auth.json, workspace wrk_CANARY0001, session ses_CANARY0001, org-CANARY1234, https://CANARY.example/x and https://opencode.ai/workspace/wrk_CANARY0001/billing`

// leaky is a provider that answers every request with the failure in hand.
type leaky struct {
	status atomic.Int64
	header atomic.Value // of retry-after
	body   atomic.Value
}

func (l *leaky) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	if s, _ := l.header.Load().(string); s != "" {
		w.Header().Set("Retry-After", s)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(int(l.status.Load()))
	_, _ = io.WriteString(w, l.body.Load().(string))
}

func (l *leaky) fail(status int, header, body string) {
	l.header.Store(header)
	l.body.Store(body)
	l.status.Store(int64(status))
}

// journal is a log that may be read while it is written.
type journal struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.b.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.b.String()
}

// TestNoSecretOfAProviderIsKept lets the provider of a real OpenCode put secrets
// into each way in which it fails: they come over stderr, the event stream and the
// error answer, and are in no fact, no log and no byte of the data folder.
func TestNoSecretOfAProviderIsKept(t *testing.T) {
	full(t) // prompts follow failures at once, and a slow OpenCode may lose one: what is sent while it still stops
	var log journal
	b := newBenchWith(t, agent.OpenCode, func(o *core.Options) {
		o.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	provider := &leaky{}
	server := httptest.NewServer(provider)
	t.Cleanup(server.Close)
	setup(t, agent.OpenCode, server.URL, b.home, b.project) // in place of the usual provider
	limit := `{"type":"error","error":{"type":"GoUsageLimitError","message":"5-hour usage limit reached. Resets in 2hr 7min. ` + planted + `"},"metadata":{"workspace":"wrk_CANARY0001","limitName":"5 hour"}}`
	other := `{"error":{"type":"CANARY_error","message":"no luck. ` + planted + `"}}`
	for _, tc := range []struct {
		name   string
		status int
		header string
		body   string
		code   agent.Code
	}{
		{"a limit", 429, "7620", limit, "quota_limited"},
		{"no access", 401, "", other, "auth_required"},
		{"no such model", 404, "", other, "model_unavailable"},
		{"a body that is no JSON", 400, "", "CANARY " + planted, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b.t = t
			provider.fail(tc.status, tc.header, tc.body)
			b.say("Say hello.")
			end := b.settled()
			require.Equal(t, agent.Failed, end.Outcome, b.heard())
			t.Logf("%s: %q", end.Failure.Code, end.Failure.Message)
			if tc.code != "" {
				assert.Equal(t, tc.code, end.Failure.Code)
			}
		})
	}
	b.t = t
	for _, e := range b.facts {
		assert.NotContains(t, fmt.Sprintf("%+v", e), "CANARY")
		if s, ok := e.Fact.(agent.TurnSettled); ok && s.Failure != nil {
			assert.NotContains(t, fmt.Sprintf("%+v", *s.Failure), "CANARY")
		}
	}
	b.nowhere("CANARY", "nothing of it may be kept")
	require.Contains(t, log.String(), "record ignored", "the log is as talkative as it can be")
	assert.False(t, strings.Contains(log.String(), "CANARY"), "a secret is in the log")
}
