//go:build unix

package managed_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/managed"
)

// machine is a home folder with programs in it.
type machine struct {
	t    *testing.T
	home string
}

func newMachine(t *testing.T) machine {
	t.Helper()
	home := t.TempDir()
	return machine{t, home}
}

func (m machine) put(name, text string, mode os.FileMode) string {
	m.t.Helper()
	file := filepath.Join(m.home, name)
	require.NoError(m.t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(m.t, os.WriteFile(file, []byte(text), mode))
	return file
}

func (m machine) find(ctx context.Context) map[agent.Kind]managed.Found {
	m.t.Helper()
	out := map[agent.Kind]managed.Found{}
	for _, f := range managed.Find(ctx, managed.Options{
		Self: "/opt/tw", Version: "0.1.0",
		Environ: []string{"HOME=" + m.home, "PATH=" + m.home + "/path:/usr/bin:/bin", "SECRET=CANARY"},
	}) {
		out[f.Kind] = f
	}
	return out
}

func TestFindTellsWhatIsThereAndWhatIsMissing(t *testing.T) {
	m := newMachine(t)
	m.put("path/gemini", "#!/bin/sh\ntest \"$1\" = --version && echo 0.61.0\n", 0o755)
	m.put(".npm-global/bin/gemini", "#!/bin/sh\necho 9.9.9\n", 0o755)
	m.put(".opencode/bin/opencode", "#!/bin/sh\necho opencode v1.18.33 >&2; echo 1.18.33\n", 0o755)
	m.put(".nvm/versions/node/v9.0.0/bin/qwen", "#!/bin/sh\necho 0.1.0\n", 0o755)
	m.put(".nvm/versions/node/v22.1.0/bin/qwen", "#!/bin/sh\necho 0.24.4\n", 0o755)
	m.put("path/kimi", "not a program", 0o644)
	cli := m.put("lib/node_modules/@github/copilot/dist/index.js", "#!/bin/sh\nexit 1\n", 0o755)
	m.put("lib/node_modules/@github/copilot/package.json", `{"name":"@github/copilot","version":"1.0.102"}`, 0o644)
	m.put("lib/node_modules/package.json", `{"version":"7.7.7"}`, 0o644)
	require.NoError(t, os.Symlink(cli, filepath.Join(m.home, "path/copilot")))

	got := m.find(t.Context())
	assert.Len(t, got, 11)
	for _, tc := range []struct {
		kind             agent.Kind
		program, version string
		launch           []string
		hint             string
	}{
		{agent.Gemini, "path/gemini", "0.61.0", []string{"--acp"}, ""},
		{agent.OpenCode, ".opencode/bin/opencode", "1.18.33", []string{"acp", "--print-logs", "--log-level", "ERROR", "--port", "PORT"}, ""},
		{agent.Qwen, ".nvm/versions/node/v22.1.0/bin/qwen", "0.24.4", []string{"--acp"}, ""},
		{agent.Copilot, "path/copilot", "1.0.102", []string{"--acp"}, ""},
		{agent.Kimi, "", "", nil, managed.HintNotExecutable},
		{agent.Claude, "", "", nil, managed.HintNotFound},
	} {
		t.Run(string(tc.kind), func(t *testing.T) {
			f := got[tc.kind]
			assert.Equal(t, tc.hint, f.Hint)
			assert.Equal(t, tc.version, f.Version)
			assert.Equal(t, tc.program != "", f.Ready())
			if tc.program == "" {
				assert.Empty(t, f.Program)
				return
			}
			assert.Equal(t, filepath.Join(m.home, tc.program), f.Program)
			assert.Equal(t, append([]string{f.Program}, tc.launch...), f.Launch)
		})
	}
	assert.Equal(t, "npm install -g @agentclientprotocol/claude-agent-acp", got[agent.Claude].Args["install"])
	assert.Equal(t, []string{"OPENCODE_SERVER_PASSWORD"}, got[agent.OpenCode].Env)
	assert.Equal(t, []string{"/opt/tw", "demo-agent"}, got[agent.Demo].Launch)
	assert.Equal(t, "0.1.0", got[agent.Demo].Version)
}

func TestFindTellsThatNodeIsTooOld(t *testing.T) {
	m := newMachine(t)
	m.put("path/node", "#!/bin/sh\necho v18.19.0\n", 0o755)
	m.put("path/claude-agent-acp", "#!/usr/bin/env node\n", 0o755)
	m.put(".volta/bin/kimi", "#!/usr/bin/env node\n", 0o755)
	m.put(".volta/bin/node", "#!/bin/sh\necho v24.1.0\n", 0o755)
	got := m.find(t.Context())
	assert.Equal(t, managed.HintOldNode, got[agent.Claude].Hint)
	assert.Equal(t, map[string]string{"need": "22", "have": "18.19.0"}, got[agent.Claude].Args)
	assert.True(t, got[agent.Claude].Ready(), "it may run all the same")
	assert.Empty(t, got[agent.Kimi].Hint, "the Node beside a program found off the PATH is the one that runs it")
}

func TestFindWaitsForNoProgramForLong(t *testing.T) {
	m := newMachine(t)
	m.put("path/gemini", "#!/bin/sh\nsleep 1000 & echo 1.2.3; wait\n", 0o755)
	ctx, stop := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer stop()
	got := m.find(ctx)
	assert.Equal(t, filepath.Join(m.home, "path/gemini"), got[agent.Gemini].Program)
	assert.Empty(t, got[agent.Gemini].Version)
}

func TestAnAgentFoundOffThePathRunsWithWhatLiesBesideIt(t *testing.T) {
	m := newMachine(t)
	self, err := os.Executable()
	require.NoError(t, err)
	m.put(".npm-global/bin/helper", "#!/bin/sh\nexec \""+self+"\" \"$@\"\n", 0o755)
	m.put(".npm-global/bin/gemini", "#!/usr/bin/env helper\n", 0o755)
	r := newRig(t)
	r.opts.Environ = []string{"HOME=" + m.home, "PATH=/usr/bin:/bin", "GORACE=atexit_sleep_ms=0"}
	c, err := managed.New(managed.Target{Kind: agent.Gemini, Env: map[string]string{fakeVar: "ok"}}, r.opts).
		Open(t.Context(), agent.OpenRequest{Dir: r.dir}, r.sink)
	require.NoError(t, err)
	assert.Equal(t, "Fake Agent", c.Info().Agent)
	require.NoError(t, c.Close(context.Background()))
}
