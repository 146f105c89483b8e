package replay_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/replay"
)

// TestScenarios plays each scenario and compares every act, in order.
func TestScenarios(t *testing.T) {
	file, err := os.ReadFile("testdata/interactive.jsonl")
	require.NoError(t, err)
	for _, line := range bytes.Split(bytes.TrimSpace(file), []byte("\n")) {
		s, err := replay.Parse(line)
		require.NoError(t, err)
		t.Run(s.ID, func(t *testing.T) {
			var want struct {
				Expect []map[string]any `json:"expect"`
			}
			require.NoError(t, json.Unmarshal(line, &want))
			raw, err := json.Marshal(replay.Interactive(s))
			require.NoError(t, err)
			var got struct {
				Actions []map[string]any `json:"actions"`
			}
			require.NoError(t, json.Unmarshal(raw, &got))
			assert.Equal(t, want.Expect, got.Actions)
		})
	}
}

func TestBadScenariosSayWhatIsWrong(t *testing.T) {
	for name, row := range map[string][2]string{
		"no JSON":         {`{"id":`, "read scenario"},
		"no id":           {`{"events":[]}`, "no id"},
		"unknown event":   {`{"id":"x","events":[{"ev":"turn.stat"}]}`, "unknown kind"},
		"negative time":   {`{"id":"x","events":[{"t":-1,"ev":"text"}]}`, "out of bounds"},
		"endless":         {`{"id":"x","until":99999999999999}`, "until"},
		"a time too late": {`{"id":"x","events":[{"t":99999999999999,"ev":"text"}]}`, "out of bounds"},
	} {
		_, err := replay.Parse([]byte(row[0]))
		require.Error(t, err, name)
		assert.Contains(t, err.Error(), row[1], name)
	}
}

// FuzzInteractive plays whatever parses: it must end and tell the same twice.
func FuzzInteractive(f *testing.F) {
	file, err := os.ReadFile("testdata/interactive.jsonl")
	require.NoError(f, err)
	for _, line := range bytes.Split(bytes.TrimSpace(file), []byte("\n")) {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		s, err := replay.Parse(line)
		if err != nil || s.Until > 100_000_000 || len(s.Events) > 1000 {
			return
		}
		first, err := json.Marshal(replay.Interactive(s))
		require.NoError(t, err)
		second, err := json.Marshal(replay.Interactive(s))
		require.NoError(t, err)
		assert.Equal(t, string(first), string(second))
	})
}
