package demo_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/demo"
)

// readRecord reads a line by the grammar of OpenCode's log: fields parted by one
// blank, a value bare or a JSON string. false: the line is no record.
func readRecord(line string) (keys []string, values map[string]string, ok bool) {
	field := regexp.MustCompile(`^([A-Za-z.]+)=(?:([^\s="\\]+)|("(?:[^"\\]|\\.)*"))(?: |$)`)
	values = map[string]string{}
	for line != "" {
		m := field.FindStringSubmatch(line)
		if m == nil {
			return nil, nil, false
		}
		v := m[2]
		if m[3] != "" && json.Unmarshal([]byte(m[3]), &v) != nil {
			return nil, nil, false
		}
		if _, twice := values[m[1]]; twice {
			return nil, nil, false
		}
		keys, values[m[1]] = append(keys, m[1]), v
		line = line[len(m[0]):]
	}
	return keys, values, len(keys) > 0
}

// records are the records that the agent has written to stderr.
func records(t *testing.T, r *rig) []map[string]string {
	t.Helper()
	var all []map[string]string
	for line := range strings.Lines(r.stderr.String()) {
		line = strings.TrimSuffix(line, "\n")
		keys, v, ok := readRecord(line)
		if !ok {
			assert.NotContains(t, line, "level=ERROR", "what looks like a record must be one")
			continue
		}
		require.Equal(t, []string{"timestamp", "level", "run", "message"}, keys[:4])
		assert.Regexp(t, `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`, v["timestamp"])
		assert.Regexp(t, `^[0-9a-f]{8}$`, v["run"])
		assert.Regexp(t, `^ses_[A-Za-z0-9._:/-]+$`, v["session.id"])
		all = append(all, v)
	}
	return all
}

func TestRecordsNameTheRightSessionAndRequest(t *testing.T) {
	const limit = "5-hour usage limit reached. Resets in 2hr 7min. To continue using this model now, enable usage from your available balance: https://opencode.ai/workspace/wrk_demo0001/go"
	tests := []struct {
		name, message, small, agent, failure string
		own                                  bool
	}{
		{"limit", "stream error", "false", "build", "AI_APICallError: " + limit, true},
		{"overload", "stream error", "false", "build", "AI_APICallError: Overloaded", true},
		{"title-error", "stream error", "true", "title", "AI_RetryError: Failed after 3 attempts. Last error: " + limit, true},
		{"other-session", "stream error", "false", "build", "AI_APICallError: " + limit, false},
		{"retry-heals", "stream error", "false", "build", "AI_APICallError: Overloaded", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, ok := demo.Find(tt.name)
				require.True(t, ok)
				assert.Equal(t, demo.OpenCodeDialect, s.Dialect)
				r := open(t, demo.Options{Scenario: tt.name})
				_, _ = r.stop(r.prompt("go"))
				got := records(t, r)[0]
				assert.Equal(t, tt.message, got["message"])
				assert.Equal(t, tt.small, got["small"])
				assert.Equal(t, tt.agent, got["agent"])
				assert.Equal(t, tt.failure, got["error.error"])
				assert.Equal(t, tt.own, got["session.id"] == string(r.id))
				r.close()
			})
		})
	}
}

func TestGivingUpIsARecordAndABlockThatIsNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, demo.Options{Scenario: "overload"})
		_, err := r.stop(r.prompt("go"))
		require.Error(t, err)
		all := records(t, r)
		last := all[len(all)-1]
		assert.Equal(t, "process", last["message"])
		assert.Equal(t, "Overloaded", last["error"])
		assert.Contains(t, last["stack"], "\n", "a line break inside a value stays inside it")
		assert.Contains(t, r.stderr.String(), "\nError handling request {\n")
		r.close()
	})
}
