//go:build unix

package cli_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const limitLine = `timestamp=2026-11-30T17:15:33.855Z level=ERROR run=a1035371 message="stream error" providerID=fake modelID=main session.id=ses_1 small=false agent=build mode=primary error.error="AI_APICallError: 5-hour usage limit reached. Resets in 2hr 7min. To continue using this model now, enable usage from your available balance: https://opencode.ai/workspace/wrk_1/go"`

func TestDiagnoseAnswersEachLine(t *testing.T) {
	in := strings.Join([]string{
		limitLine, "", "prose", strings.Replace(limitLine, "ses_1", "ses_2", 1),
		strings.Replace(limitLine, "providerID=fake modelID=main ", "", 1), strings.Repeat("x", 17<<20), "\xff\x00",
	}, "\n")
	out, stderr, status := call(t, in, "diagnose", "--agent", "opencode", "--session", "ses_1")
	require.Zero(t, status, stderr)
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	require.Len(t, lines, 7)
	assert.JSONEq(t, `{"diagnostic":{"source":"opencode_stderr","provider_id":"fake","model_id":"main","message":"5-hour usage limit reached. Resets in 2hr 7min","occurred_at":"2026-11-30T17:15:33.855Z","reset_at":"2026-11-30T19:22:33.855Z","remediation_url":"https://opencode.ai/workspace/wrk_1/go"}}`, lines[0])
	for i, why := range map[int]string{1: "not_a_record", 2: "not_a_record", 3: "other_session", 5: "too_long", 6: "not_a_record"} {
		assert.JSONEq(t, `{"ignored":"`+why+`"}`, lines[i], "line %d", i)
	}
	var d struct{ Diagnostic map[string]any }
	require.NoError(t, json.Unmarshal([]byte(lines[4]), &d))
	assert.Len(t, d.Diagnostic, 7, "exactly the seven fields, whatever is known")
	assert.Nil(t, d.Diagnostic["model_id"])
}

func TestDiagnoseNeedsAnAgent(t *testing.T) {
	_, stderr, status := call(t, "", "diagnose")
	assert.Equal(t, 2, status)
	assert.Contains(t, stderr, "tw diagnose --agent opencode")
}

func TestRemediationAnswersEachLine(t *testing.T) {
	const good = "https://opencode.ai/workspace/wrk_1/go"
	out, _, status := call(t, strings.Join([]string{good, "", good + " ", good + "\r", "HTTPS://opencode.ai/workspace/a/go", "https://opencode.ai/workspace/go", strings.Repeat("x", 17<<20), good}, "\n"), "remediation")
	require.Zero(t, status)
	want := strings.Repeat("{\"ok\":false}\n", 6)
	assert.Equal(t, "{\"ok\":true}\n"+want+"{\"ok\":true}\n", out)
}

func TestSanitizeAnswersEachLine(t *testing.T) {
	out, stderr, status := call(t, `"see https://example.com/x or \u001b[31mred\u001b[0m"`+"\n\"sk-CANARY1234\"\n\"\"\nno json\n7\nnull\n\"last\"", "sanitize")
	assert.Equal(t, 1, status)
	assert.Contains(t, stderr, "3")
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	require.Len(t, lines, 7)
	assert.Equal(t, []string{`"see or red"`, `""`, `""`}, lines[:3])
	for _, l := range lines[3:6] {
		assert.JSONEq(t, `{"error":"This line is not a JSON string."}`, l)
	}
	assert.Equal(t, `"last"`, lines[6])
}

// What OpenCode wrote in recorded runs goes through the command like everything.
func TestDiagnoseReadsARecordedStderr(t *testing.T) {
	raw, err := os.ReadFile("../diagnose/testdata/opencode.stderr")
	require.NoError(t, err)
	out, _, status := call(t, string(raw), "diagnose", "--agent", "opencode")
	require.Zero(t, status)
	assert.Equal(t, strings.Count(string(raw), "\n"), strings.Count(out, "\n"))
	assert.Equal(t, strings.Count(string(raw), `"stream error"`)-1, strings.Count(out, `{"diagnostic"`), "one is of a title request")
	for _, secret := range []string{"AI_APICallError", "/billing", "balance:"} {
		assert.NotContains(t, out, secret)
	}
}
