//go:build unix

package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
)

// A used-up limit ends the turn by the agent's own record, with the model, the
// reset and the one allowed link; what else the record names is nowhere.
func TestALimitIsToldWithItsModelResetAndLink(t *testing.T) {
	for _, tt := range []struct{ scenario, source, model string }{
		{"limit", "opencode_stderr", "limit"},
		{"action-url", "acp_error", ""},
	} {
		t.Run(tt.scenario, func(t *testing.T) {
			const link = "https://opencode.ai/workspace/wrk_demo0001/go"
			data := filepath.Join(t.TempDir(), "data")
			lines, status := follow(t, tw(t, demoRun(data, tt.scenario, "--json")...), nil)
			require.Equal(t, 12, status)
			f := lines[len(lines)-1].Failure
			require.NotNil(t, f)
			assert.Equal(t, agent.Code("quota_limited"), f.Code)
			assert.Equal(t, tt.source, f.Source)
			assert.Equal(t, tt.model, f.Model)
			require.NotNil(t, f.Link)
			assert.Equal(t, link, *f.Link)
			require.NotNil(t, f.ResetAt)
			reset, err := time.Parse(time.RFC3339, *f.ResetAt)
			require.NoError(t, err)
			assert.WithinDuration(t, time.Now().Add(2*time.Hour+7*time.Minute), reset, bound)
			assert.NotContains(t, f.Message, "wrk_")
			assert.NotContains(t, f.Message, "http")

			_, turn, _ := recorded(t, data)
			require.NotNil(t, turn.End.Failure)
			assert.Equal(t, link, turn.End.Failure.Link)
			assert.Equal(t, tt.model, turn.End.Failure.Model)
			assert.WithinDuration(t, reset, turn.End.Failure.ResetAt, time.Second)
		})
	}
}

// What the record names is in no log, and in the database only the link itself.
func TestTheRawRecordIsNowhere(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	cmd := tw(t, demoRun(data, "limit", "--json", "--log", "debug")...)
	var out, logs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &logs
	_ = cmd.Run() // the status is that of a limit
	require.Equal(t, 12, cmd.ProcessState.ExitCode())
	require.NotEmpty(t, logs.String())
	for _, raw := range []string{"wrk_demo0001", "opencode.ai", "AI_APICallError", "enable usage", "usage limit"} {
		assert.NotContains(t, logs.String(), raw, "in the log")
	}
	var stored []byte
	require.NoError(t, filepath.WalkDir(data, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		stored = append(stored, b...)
		return err
	}))
	require.Contains(t, string(stored), "usage limit reached")
	for _, raw := range []string{"AI_APICallError", "enable usage", "available balance"} {
		assert.NotContains(t, string(stored), raw, "in the database")
	}
	rest := bytes.ReplaceAll(append(stored, out.Bytes()...), []byte("https://opencode.ai/workspace/wrk_demo0001/go"), nil)
	assert.NotContains(t, string(rest), "wrk_demo0001", "outside the link")
}
