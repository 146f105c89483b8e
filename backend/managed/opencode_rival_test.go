package managed_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/managed"
)

// Whether OpenCode is set up with the plugin that sends prompts by itself. Each row
// is one file; home and repo stand for the folders.
func TestARivalIsSeenWhereOpenCodeLooks(t *testing.T) {
	const with = `{"plugin": ["opencode-auto-resume@1.2.0"]}`
	for _, tt := range []struct {
		name, file, text string
		env              string
		kind             agent.Kind
		want             bool
	}{
		{name: "nothing", want: false},
		{name: "the project's configuration", file: "repo/opencode.json", text: with, want: true},
		{name: "with options of its own", file: "repo/opencode.json", text: `{"plugin": [["file:///x/opencode-auto-resume/index.ts", {"maxRetries": 3}]]}`, want: true},
		{name: "another agent", file: "repo/opencode.json", text: with, kind: agent.Claude, want: false},
		{name: "in a comment", file: "repo/opencode.jsonc", text: "{\n// \"opencode-auto-resume\"\n\"a\": \"b // \\\" c\" /* \"opencode-auto-resume\" */\n}", want: false},
		{name: "behind a comment", file: "repo/opencode.jsonc", text: "{ // mine\n\"plugin\": [\"opencode-auto-resume\"] }", want: true},
		{name: "a comment that never ends", file: "repo/opencode.jsonc", text: "{ /* \"opencode-auto-resume\"", want: false},
		{name: "a string that never ends", file: "repo/opencode.jsonc", text: `{ "plugin \`, want: false},
		{name: "another plugin", file: "repo/opencode.json", text: `{"plugin": ["opencode-loop"]}`, want: false},
		{name: "in the folder itself", file: "repo/sub/opencode.json", text: with, want: true},
		{name: "in .opencode", file: "repo/.opencode/opencode.json", text: with, want: true},
		{name: "a plugin's file", file: "repo/.opencode/plugin/auto-resume.ts", want: true},
		{name: "a plugin's file, newer name", file: "repo/.opencode/plugins/my-auto-resume.js", want: true},
		{name: "another plugin's file", file: "repo/.opencode/plugins/notify.js", want: false},
		{name: "above the repository", file: "opencode.json", text: with, want: false},
		{name: "the user's configuration", file: "home/.config/opencode/opencode.json", text: with, want: true},
		{name: "the user's plugin", file: "home/.config/opencode/plugin/auto-resume.ts", want: true},
		{name: "a file that is named", file: "other.json", text: with, env: "OPENCODE_CONFIG=other.json", want: true},
		{name: "a folder that is named", file: "more/opencode.json", text: with, env: "OPENCODE_CONFIG_DIR=more", want: true},
		{name: "a folder in the place of the file", file: "repo/opencode.json/x", text: with, want: false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			base := t.TempDir()
			at := func(name string) string { return filepath.Join(base, filepath.FromSlash(name)) }
			require.NoError(t, os.MkdirAll(at("repo/.git"), 0o700))
			require.NoError(t, os.MkdirAll(at("repo/sub"), 0o700))
			if tt.file != "" {
				require.NoError(t, os.MkdirAll(filepath.Dir(at(tt.file)), 0o700))
				require.NoError(t, os.WriteFile(at(tt.file), []byte(tt.text), 0o600))
			}
			env := []string{"HOME=" + at("home"), "USERPROFILE=" + at("home")}
			switch tt.env {
			case "OPENCODE_CONFIG=other.json":
				env = append(env, "OPENCODE_CONFIG="+at("other.json"))
			case "OPENCODE_CONFIG_DIR=more":
				env = append(env, "OPENCODE_CONFIG_DIR="+at("more"))
			}
			if tt.kind == "" {
				tt.kind = agent.OpenCode
			}
			assert.Equal(t, tt.want, managed.Rival(tt.kind, at("repo/sub"), env))
		})
	}
	assert.True(t, managed.Rival(agent.OpenCode, t.TempDir(), []string{"OPENCODE_CONFIG_CONTENT=" + with}))
}

func FuzzRival(f *testing.F) {
	for _, s := range []string{`{"plugin":["opencode-auto-resume"]}`, "// \"", "/*", `"\`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := managed.Rival(agent.OpenCode, t.TempDir(), []string{"OPENCODE_CONFIG_CONTENT=" + text})
		if got {
			assert.Contains(t, text, "opencode-auto-resume")
		}
	})
}
