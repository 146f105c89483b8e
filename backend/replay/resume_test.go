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

func TestBadAutoResumeScenariosSayWhatIsWrong(t *testing.T) {
	for name, row := range map[string][2]string{
		"a turn of the agent out of bounds": {`{"id":"x","agent":{"prompts":[{"turn":[{"dt":-1,"ev":"text"}]}]}}`, "event 0 of a turn of the agent has a time"},
		"an unknown event in it":            {`{"id":"x","agent":{"prompts":[{"turn":[{"dt":1,"ev":"txt"}]}]}}`, "unknown kind"},
		"an answer out of bounds":           {`{"id":"x","agent":{"on_cancel":{"dt":-5}}}`, "answer to a cancel"},
		"options that are no object":        {`{"id":"x","options":[]}`, "read scenario"},
	} {
		_, err := replay.Parse([]byte(row[0]))
		require.Error(t, err, name)
		assert.Contains(t, err.Error(), row[1], name)
	}
	for name, row := range map[string][2]string{
		"a number that is none":   {`{"id":"x","options":{"maxRetries":"3"}}`, "maxRetries: it is not a whole number"},
		"a negative number":       {`{"id":"x","options":{"graceP":1,"gracePeriodMs":-1}}`, "gracePeriodMs"},
		"a switch that is none":   {`{"id":"x","options":{"toolText":1}}`, "toolText: it is not true or false"},
		"a list that is none":     {`{"id":"x","options":{"streamingFailureErrorNames":"X"}}`, "a list of texts"},
		"a strategy that is none": {`{"id":"x","options":{"busyStallStrategy":7}}`, "busyStallStrategy"},
	} {
		s, err := replay.Parse([]byte(row[0]))
		require.NoError(t, err, name)
		_, _, err = replay.AutoResume(s)
		require.Error(t, err, name)
		assert.Contains(t, err.Error(), row[1], name)
	}
}

func TestAScenarioWithWildNumbersEnds(t *testing.T) {
	for _, options := range []string{
		`{"checkIntervalMs":0,"chunkTimeoutMs":0,"gracePeriodMs":0,"baseBackoffMs":0,"maxBackoffMs":0,"maxRetries":1000000,"windowBudget":1000000,"loopMaxContinues":1000000}`,
		`{"checkIntervalMs":1,"toolTextCheckDelayMs":0,"abortContinueDelayMs":0,"cancelTimeoutMs":0,"busyStallStrategy":"abort"}`,
		`{"maxRecoveryRetries":1000000,"maxRetries":1000000,"windowBudget":1000000,"loopMaxContinues":1000000}`,
	} {
		s, err := replay.Parse([]byte(`{"id":"y","options":` + options + `,"agent":{"prompts":[{"turn":[{"dt":0,"ev":"turn.end","stop":"end_turn","out_tokens":900}]}]},
			"events":[{"t":0,"ev":"turn.start","s":"A","origin":"user"},{"t":1,"ev":"turn.end","s":"A","stop":"end_turn","out_tokens":900}],"until":2000}`))
		require.NoError(t, err)
		_, _, err = replay.AutoResume(s)
		require.NoError(t, err)
		s, err = replay.Parse([]byte(`{"id":"z","options":` + options + `,"agent":{"prompts":[{"accept":false}]},
			"events":[{"t":0,"ev":"turn.start","s":"A","origin":"user"},{"t":1,"ev":"turn.end","s":"A","stop":"end_turn","out_tokens":900}],"until":2000}`))
		require.NoError(t, err)
		_, _, err = replay.AutoResume(s)
		require.NoError(t, err)
		s, err = replay.Parse([]byte(`{"id":"x","options":` + options + `,"events":[{"t":0,"ev":"turn.start","s":"A","origin":"user"}],"until":2000}`))
		require.NoError(t, err)
		_, _, err = replay.AutoResume(s)
		require.NoError(t, err)
	}
}

// FuzzAutoResume plays whatever parses to the policy: it must end, tell the same
// twice, and prompt no session in a window more often than the ceiling allows.
func FuzzAutoResume(f *testing.F) {
	for _, lines := range scenarioFiles(f) {
		for _, line := range lines {
			f.Add(line)
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		s, err := replay.Parse(line)
		if err != nil || s.Until > 1_000_000 || len(s.Events) > 500 {
			return
		}
		delete(s.Options, "checkIntervalMs") // one of a millisecond is slow, not wrong
		delete(s.Options, "windowBudget")
		delete(s.Options, "loopWindowMs")
		first, _, err := replay.AutoResume(s)
		if err != nil {
			return
		}
		second, _, err := replay.AutoResume(s)
		require.NoError(t, err)
		require.Equal(t, first, second)
		refilled := map[int64]bool{}
		for _, e := range s.Events {
			refilled[e.T] = refilled[e.T] || e.Ev == "turn.start"
		}
		for i, a := range first.Actions {
			n, last := 0, a.T
			for j := i; j >= 0 && first.Actions[j].T > a.T-600_000; j-- {
				for ms := last; ms >= first.Actions[j].T; ms-- {
					if refilled[ms] {
						return // the user may have refilled it
					}
				}
				last = first.Actions[j].T
				if first.Actions[j].Act == "prompt" && first.Actions[j].Session == a.Session {
					n++
				}
			}
			require.LessOrEqual(t, n, 6)
		}
	})
}
