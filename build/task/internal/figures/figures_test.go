package figures_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/build/task/internal/figures"
)

var update = flag.Bool("update", false, "write the golden file")

func recorded(t *testing.T) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "run.json"))
	require.NoError(t, err)
	return data
}

func TestMarkdown(t *testing.T) {
	run, err := figures.Parse(recorded(t))
	require.NoError(t, err)
	got := figures.Markdown(run, "On a machine.")
	golden := filepath.Join("testdata", "run.md")
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}

func TestARunThatIsNotWhole(t *testing.T) {
	tests := []struct {
		name string
		take func(run map[string]any)
		err  string
	}{
		{"no start of the bare window", func(run map[string]any) { delete(run["start"].(map[string]any), "hello") }, "nothing was measured of hello"},
		{"no round", func(run map[string]any) { run["memory"].(map[string]any)["window"] = []float64{} }, "nothing was measured of window"},
		{"no frames", func(run map[string]any) { delete(run, "scroll") }, "no frame was seen"},
		{"no update was seen", func(run map[string]any) { run["follow"].(map[string]any)["way99"] = nil }, "no frame was seen"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var run map[string]any
			require.NoError(t, json.Unmarshal(recorded(t), &run))
			tt.take(run)
			data, err := json.Marshal(run)
			require.NoError(t, err)
			_, err = figures.Parse(data)
			require.ErrorContains(t, err, tt.err)
		})
	}
	_, err := figures.Parse([]byte("node: not found"))
	require.ErrorContains(t, err, "read figures")
}
