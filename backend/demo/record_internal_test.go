package demo

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Whatever a value holds, a record is one line and the value can be read back.
func TestRecordsHoldAnyValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.String().Draw(t, "value")
		line := record(time.Unix(0, 0), "00000000", field{"error", v})
		require.Equal(t, 1, strings.Count(line, "\n"))
		_, got, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " error=")
		require.True(t, ok)
		if strings.HasPrefix(got, `"`) {
			require.NoError(t, json.Unmarshal([]byte(got), &got))
		}
		require.Equal(t, v, got)
	})
}

func TestRecordLooksAsOpenCodeWritesIt(t *testing.T) {
	at := time.Date(2026, 11, 30, 17, 15, 36, 561_000_000, time.UTC)
	assert.Equal(t, `timestamp=2026-11-30T17:15:36.561Z level=ERROR run=d3300000 message="stream error" small=false stack="a\nb"`+"\n",
		record(at, "d3300000", field{"message", "stream error"}, field{"small", "false"}, field{"stack", "a\nb"}))
}

func TestTitleIsShort(t *testing.T) {
	assert.Equal(t, "Fix it", title("Fix it\nplease"))
	assert.Equal(t, strings.Repeat("ä", 59)+"…", title(strings.Repeat("ä", 100)))
}
