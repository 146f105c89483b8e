package replay_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/replay"
)

// TestAutoResumeScenarios plays each scenario of testdata/autoresume to the policy
// and compares every action, in order, and the latches that it names.
func TestAutoResumeScenarios(t *testing.T) {
	seen := map[string]bool{}
	for name, lines := range scenarioFiles(t) {
		t.Run(name, func(t *testing.T) {
			for _, line := range lines {
				s, err := replay.Parse(line)
				require.NoError(t, err)
				require.False(t, seen[s.ID], "two scenarios are called %s", s.ID)
				seen[s.ID] = true
				t.Run(s.ID, func(t *testing.T) { playScenario(t, line, s) })
			}
		})
	}
	assert.Greater(t, len(seen), 60)
}

func playScenario(t *testing.T, line []byte, s replay.Scenario) {
	var want struct {
		Title  string                     `json:"title"`
		Expect []map[string]any           `json:"expect"`
		Final  map[string]map[string]bool `json:"final"`
	}
	require.NoError(t, json.Unmarshal(line, &want))
	played, unknown, err := replay.AutoResume(s)
	require.NoError(t, err)
	assert.Empty(t, unknown)
	raw, err := json.Marshal(played)
	require.NoError(t, err)
	var got struct {
		Actions []map[string]any           `json:"actions"`
		Final   map[string]map[string]bool `json:"final"`
	}
	require.NoError(t, json.Unmarshal(raw, &got))
	assert.Equal(t, want.Expect, got.Actions, want.Title)
	for session, latches := range want.Final {
		assert.Equal(t, latches, got.Final[session], "%s: latches of %s", want.Title, session)
	}
}

// scenarioFiles are the lines of each file, by its name.
func scenarioFiles(t testing.TB) map[string][][]byte {
	paths, err := filepath.Glob("testdata/autoresume/*.jsonl")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	files := map[string][][]byte{}
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		name := strings.TrimSuffix(filepath.Base(path), ".jsonl")
		for _, line := range bytes.Split(bytes.TrimSpace(raw), []byte("\n")) {
			if len(bytes.TrimSpace(line)) > 0 {
				files[name] = append(files[name], line)
			}
		}
	}
	return files
}
