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

// incident plays a limit with secrets in the prompt and gives the data folder and
// the id of its task.
func incident(t *testing.T) (data, id string) {
	t.Helper()
	data = filepath.Join(t.TempDir(), "data")
	const prompt = "fix the login of `CANARY@example.com` with sk-CANARY1234567890abcdef in /home/CANARY/src\n# not a heading"
	_, stderr, status := call(t, "", "run", "--data", data, "--agent", "demo", "--prompt", prompt, "--", program, "demo-agent", "--pace", "0", "--scenario", "limit")
	require.Equal(t, 12, status, stderr)
	out, stderr, status := call(t, "", "history", "--data", data, "--json")
	require.Zero(t, status, stderr)
	var task struct{ ID string }
	require.NoError(t, json.Unmarshal([]byte(out), &task))
	return data, task.ID
}

// clean holds an export to hold nothing that it must not.
func clean(t *testing.T, out, data string) {
	t.Helper()
	for _, secret := range []string{"CANARY", "wrk_", "https://", "opencode.ai", "ses_", data, filepath.Base(filepath.Dir(data)), program} {
		assert.NotContains(t, out, secret)
	}
}

func TestAnExportSaysWhatHappenedAndNotWhatWasSaid(t *testing.T) {
	data, id := incident(t)
	t.Run("Markdown", func(t *testing.T) {
		out, stderr, status := call(t, "", "export", "--data", data, strings.ToLower(id))
		require.Zero(t, status, stderr)
		clean(t, out, data)
		for _, want := range []string{"# Incident " + id, "`quota_limited`", "- Model: `limit`", "5-hour usage limit reached", "- Reset: `20", "- Outcome: `Failed`"} {
			assert.Contains(t, out, want)
		}
		assert.NotContains(t, out, "fix the login")
	})
	t.Run("JSON", func(t *testing.T) {
		out, stderr, status := call(t, "", "export", "--data", data, "--json", id)
		require.Zero(t, status, stderr)
		clean(t, out, data)
		assert.NotContains(t, out, "fix the login")
		var b struct {
			Type     string
			Task     string
			Sessions []struct {
				ID    string
				Turns []struct {
					Outcome string
					Failure map[string]any
					Parts   []map[string]any
				}
			}
		}
		require.NoError(t, json.Unmarshal([]byte(out), &b))
		assert.Equal(t, "incident", b.Type)
		assert.Equal(t, id, b.Task)
		require.Len(t, b.Sessions, 1)
		require.Len(t, b.Sessions[0].Turns, 1)
		turn := b.Sessions[0].Turns[0]
		assert.Equal(t, "failed", turn.Outcome)
		assert.Equal(t, "quota_limited", turn.Failure["code"])
		assert.Nil(t, turn.Failure["remediation_url"], "an export has no link")
		assert.NotEmpty(t, turn.Parts)

		one, stderr, status := call(t, "", "export", "--data", data, "--json", b.Sessions[0].ID)
		require.Zero(t, status, stderr)
		assert.Equal(t, out, one, "a session alone, of a task that has one")
	})
	t.Run("with texts", func(t *testing.T) {
		for _, form := range []string{"--json", "--json=false"} {
			out, stderr, status := call(t, "", "export", "--data", data, "--texts", form, id)
			require.Zero(t, status, stderr)
			clean(t, out, data)
			assert.Contains(t, out, "fix the login of")
			assert.NotContains(t, out, "\n# not a heading", "a text is no Markdown")
		}
	})
}

func TestAnExportNeverWritesOverAFile(t *testing.T) {
	data, id := incident(t)
	path := filepath.Join(t.TempDir(), "incident.md")
	out, stderr, status := call(t, "", "export", "--data", data, id, "-o", path)
	require.Zero(t, status, stderr)
	assert.Empty(t, out)
	first, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Contains(t, string(first), "# Incident "+id)
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	_, stderr, status = call(t, "", "export", "--data", data, "--json", id, "-o", path)
	assert.Equal(t, 1, status)
	assert.Contains(t, stderr, path+" is there already")
	again, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, first, again)

	_, stderr, status = call(t, "", "export", "--data", data, id, "-o", filepath.Join(path, "no"))
	assert.Equal(t, 1, status)
	assert.Contains(t, stderr, "not a directory")
}

func TestAnExportOfNothing(t *testing.T) {
	data, _ := incident(t)
	for _, tc := range []struct {
		name   string
		args   []string
		status int
		says   string
	}{
		{"no id", nil, 2, "takes one ID, not 0"},
		{"two ids", []string{"a", "b"}, 2, "takes one ID, not 2"},
		{"a blank id", []string{" "}, 2, "takes one ID"},
		{"an id of nobody", []string{"nobody\x1b[2J"}, 1, "There is no task and no session nobody"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out, stderr, status := call(t, "", append([]string{"export", "--data", data}, tc.args...)...)
			assert.Equal(t, tc.status, status)
			assert.Contains(t, stderr, tc.says)
			assert.NotContains(t, stderr, "\x1b")
			assert.Empty(t, out)
		})
	}
	_, stderr, status := call(t, "", "export", "--data", filepath.Join(t.TempDir(), "none"), "x")
	assert.Equal(t, 1, status)
	assert.NotEmpty(t, stderr)
}
