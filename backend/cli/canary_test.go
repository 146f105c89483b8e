//go:build unix

package cli_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Secrets that an agent has in its stderr, its events, its error answers and its
// last words are in no byte of the data folder, no log, no output and no export.
func TestNoSecretOfAnAgentIsWrittenDown(t *testing.T) {
	for _, tc := range []struct {
		prompt, code string
		status       int
	}{
		{"by a record", "quota_limited", 12},
		{"by an error", "", 11},
		{"by its exit", "agent_crashed", 11},
	} {
		t.Run(tc.prompt, func(t *testing.T) {
			data := filepath.Join(t.TempDir(), "data")
			cmd := tw(t, "run", "--data", data, "--json", "--log", "debug", "--agent", "demo", "--prompt", tc.prompt,
				"--", program, "demo-agent", "--pace", "0", "--scenario", "secrets")
			var out, logs bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &logs
			_ = cmd.Run() // the status is that of a failure
			require.Equal(t, tc.status, cmd.ProcessState.ExitCode(), logs.String())
			require.NotEmpty(t, logs.String(), "there is a log to look at")
			spotless(t, "output", out.String())
			spotless(t, "log", logs.String())
			if tc.code != "" {
				assert.Contains(t, out.String(), `"code":"`+tc.code+`"`)
			}

			files := 0
			require.NoError(t, filepath.WalkDir(data, func(path string, d fs.DirEntry, err error) error {
				if err != nil || !d.Type().IsRegular() {
					return err
				}
				raw, err := os.ReadFile(path)
				files++
				spotless(t, filepath.Base(path), string(raw))
				return err
			}))
			assert.NotZero(t, files)

			list, stderr, status := call(t, "", "history", "--data", data, "--json")
			require.Zero(t, status, stderr)
			var task struct{ ID string }
			require.NoError(t, json.Unmarshal([]byte(list), &task))
			for _, args := range [][]string{{"history"}, {"history", "--json"}, {"export"}, {"export", "--json"}, {"export", "--texts"}} {
				told, stderr, status := call(t, "", append(args, "--data", data, task.ID)...)
				require.Zero(t, status, stderr)
				spotless(t, strings.Join(args, " "), told+stderr)
				if args[0] == "export" {
					assert.NotContains(t, told, "opencode.ai")
				}
			}
		})
	}
}

// spotless holds a text to have nothing of a planted secret.
func spotless(t *testing.T, where, text string) {
	t.Helper()
	if i := strings.Index(text, "CANARY"); i >= 0 {
		t.Errorf("a secret is in the %s: …%q", where, text[max(0, i-80):min(len(text), i+40)])
	}
}
