package detect_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/policy/detect"
)

// labelled is one string with what its detector has to say.
type labelled struct {
	ID       string `json:"id"`
	Detector string `json:"detector"`
	Want     bool   `json:"want"`
	Text     string `json:"text"`
	Note     string `json:"note"`
}

func strings(t testing.TB) []labelled {
	paths, err := filepath.Glob("testdata/*.jsonl")
	require.NoError(t, err)
	var all []labelled
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, line := range bytes.Split(bytes.TrimSpace(raw), []byte("\n")) {
			var l labelled
			require.NoError(t, json.Unmarshal(line, &l), "%s", line)
			all = append(all, l)
		}
	}
	return all
}

// TestLabelledStrings asks each detector about the strings of testdata.
func TestLabelledStrings(t *testing.T) {
	for _, l := range strings(t) {
		t.Run(l.ID, func(t *testing.T) {
			got, known := detect.Match(l.Detector, l.Text)
			require.True(t, known)
			assert.Equal(t, l.Want, got, "%s: %q", l.Note, l.Text)
		})
	}
}
