package managed

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
)

// What is asked of an agent beyond plain ACP, and of which.
func TestWhatIsAskedOfEachAgent(t *testing.T) {
	for _, p := range profiles() {
		t.Run(string(p.kind), func(t *testing.T) {
			w := wish{profile: p, version: "1", files: p.files, dir: "/p"}
			hello, err := json.Marshal(w.initialize())
			require.NoError(t, err)
			create, err := json.Marshal(w.create())
			require.NoError(t, err)

			notices := p.kind == agent.Claude || p.kind == agent.Codex
			assert.Equal(t, notices, strings.Contains(string(hello), `"session":{"notices":{}}`), "%s", hello)
			assert.Equal(t, p.kind == agent.Claude, strings.Contains(string(create), "emitRawSDKMessages"), "%s", create)
			assert.NotContains(t, string(hello), "sessionFailure", "see TestAskedForSessionFailureTheyTellLess")
		})
	}
}

// Why no agent is asked for sessionFailure: in recordings of the same failing
// provider, with and without, the exact fields are there only where it was not
// asked for, and the failure is no better known.
func TestAskedForSessionFailureTheyTellLess(t *testing.T) {
	for _, tc := range []struct{ folder, scenario, exact string }{
		{"claude", "overloaded", `"errorKind":"server_error"`},
		{"claude", "usage429", `"errorKind":"rate_limit"`},
		{"claude-oauth", "usage429", `"errorKind":"rate_limit"`},
		{"codex", "usage429", `"codexErrorInfo":"usageLimitExceeded"`},
		{"codex", "rate429", `"codexErrorInfo":{"responseStreamDisconnected":{"httpStatusCode":429}}`},
		{"codex", "rate429", `"willRetry":true`},
	} {
		t.Run(tc.folder+" "+tc.scenario, func(t *testing.T) {
			file := "testdata/recorded/" + tc.folder + "/" + tc.scenario
			plain, err := os.ReadFile(file + ".jsonl")
			require.NoError(t, err)
			asked, err := os.ReadFile(file + "-air.jsonl")
			require.NoError(t, err)
			require.Contains(t, string(asked), `"sessionFailure":{`)
			assert.Contains(t, string(plain), tc.exact)
			assert.NotContains(t, string(asked), tc.exact)

			one, other := newPlayer(t, kindOf(tc.folder), file+".jsonl"), newPlayer(t, kindOf(tc.folder), file+"-air.jsonl")
			one.play()
			other.play()
			code, _, _ := strings.Cut(one.last, ",")
			less, _, _ := strings.Cut(other.last, ",")
			assert.Equal(t, code, less)
		})
	}
}

// What an agent is given as a tool goes into every way of opening a session.
func TestAnAgentIsGivenItsTools(t *testing.T) {
	w := wish{dir: "/p", tools: []Tool{{Name: "turnwatch", Command: "/bin/tw", Args: []string{"mcp"}, Env: []string{"A=b=c"}}}}
	for name, request := range map[string]any{"new": w.create(), "load": w.load("s"), "resume": w.resume("s")} {
		raw, err := json.Marshal(request)
		require.NoError(t, err)
		assert.Contains(t, string(raw), `"args":["mcp"],"command":"/bin/tw","env":[{"name":"A","value":"b=c"}],"name":"turnwatch"`, name)
	}
	none, err := json.Marshal(wish{}.create())
	require.NoError(t, err)
	assert.Contains(t, string(none), `"mcpServers":[]`, "agents insist on a list")
}
