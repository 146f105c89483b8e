//go:build unix

package cli_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestVersionForPrograms(t *testing.T) {
	stdout, _, status := call(t, "", "version", "--json")
	require.Equal(t, 0, status)
	var said struct{ Version, Go, OS, Arch, Licence string }
	require.NoError(t, json.Unmarshal([]byte(stdout), &said), stdout)
	assert.NotEmpty(t, said.Version)
	assert.Equal(t, runtime.Version(), said.Go)
	assert.Equal(t, runtime.GOOS+"/"+runtime.GOARCH, said.OS+"/"+said.Arch)
	assert.Equal(t, "Apache-2.0", said.Licence)
}

func TestLicencesOfABuildFromTheSources(t *testing.T) {
	_, stderr, status := call(t, "", "licences")
	assert.Equal(t, 1, status)
	assert.Contains(t, stderr, "go run ./build/task package")
}

func TestLicences(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "bin"), 0o755))
	require.NoError(t, os.MkdirAll(filepath.Join(root, "share", "turnwatch"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, "share", "turnwatch", "licences.json"), []byte(
		`{"works":[{"name":"example.org/a","version":"v1.0.0","from":"go","licence":"MIT","texts":["x"]}],"texts":{"x":"Permission is granted"}}`), 0o644))
	original := tw(t)
	installed := filepath.Join(root, "bin", "tw")
	program, err := os.ReadFile(original.Path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(installed, program, 0o755))

	tests := []struct {
		name   string
		args   []string
		stdout string
		stderr string
		status int
	}{
		{"the list", []string{"licences"}, "example.org/a v1.0.0  MIT\n", "", 0},
		{"for programs", []string{"licences", "--json"}, `{"name":"example.org/a","version":"v1.0.0","from":"go","licence":"MIT"}` + "\n", "", 0},
		{"a text", []string{"licences", "example.org/a"}, "Permission is granted\n", "", 0},
		{"nothing of that name", []string{"licences", "b"}, "", "There is nothing called b in this program.", 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), installed, tt.args...)
			cmd.Env = original.Env
			out, err := cmd.Output()
			assert.Equal(t, tt.stdout, string(out))
			assert.Equal(t, tt.status, cmd.ProcessState.ExitCode())
			if tt.stderr != "" {
				var exit *exec.ExitError
				require.ErrorAs(t, err, &exit)
				assert.Contains(t, string(exit.Stderr), tt.stderr)
			}
		})
	}
}
