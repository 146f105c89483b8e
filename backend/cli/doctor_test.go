//go:build unix

package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDoctorSaysWhatIsThereAndWhatIsNot(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	stdout, stderr, status := call(t, "", "--data", data, "doctor")
	assert.Equal(t, 0, status, "a machine without a desktop is no failure")
	assert.Empty(t, stderr)
	for _, want := range []string{"Data folder", "is not there yet", "Agents", "Clock", "Tray", "Notifications", "WebKit"} {
		assert.Contains(t, stdout, want)
	}
	assert.NotContains(t, stdout, filepath.Dir(data), "the way to the folder is not told")
	assert.NoDirExists(t, data, "it changes nothing")

	require.NoError(t, os.Mkdir(data, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(data, "settings.json"), []byte("{"), 0o600))
	stdout, _, status = call(t, "", "--data", data, "doctor", "--json")
	assert.Equal(t, 1, status)
	states := map[string]string{}
	for line := range strings.Lines(stdout) {
		var f struct{ Name, State, Key, Text string }
		require.NoError(t, json.Unmarshal([]byte(line), &f), line)
		assert.NotEmpty(t, f.Text)
		assert.NotEqual(t, f.Key, f.Text, "it has words")
		states[f.Name] = f.State
	}
	assert.Equal(t, "bad", states["permissions"])
	assert.Equal(t, "bad", states["settings"])
	assert.Equal(t, "ok", states["data"])
}

func TestTheSelfTest(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	stdout, _, status := call(t, "", "doctor", "--self-test")
	assert.Equal(t, 0, status)
	assert.Equal(t, "This program works.\n", stdout)
	left, err := os.ReadDir(os.Getenv("TMPDIR"))
	require.NoError(t, err)
	assert.Empty(t, left)
}
