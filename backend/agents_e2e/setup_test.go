//go:build agents

package agents_e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
)

// setup writes the configuration that points an agent at the provider, and
// returns what it needs in its environment. Every key in it is a made-up one.
func setup(t *testing.T, kind agent.Kind, url, home, project string) []string {
	t.Helper()
	switch kind {
	case agent.OpenCode:
		write(t, filepath.Join(project, "opencode.json"), encode(t, map[string]any{
			"$schema": "https://opencode.ai/config.json", "model": "fake/main", "small_model": "fake/small",
			"autoupdate": false, "share": "disabled",
			"permission": map[string]any{"bash": "ask", "edit": "ask"},
			"provider": map[string]any{"fake": map[string]any{
				"npm": "@ai-sdk/openai-compatible", "name": "Fake",
				"options": map[string]any{"baseURL": url + "/v1", "apiKey": "test"},
				"models": map[string]any{
					"main":  map[string]any{"name": "Main", "limit": map[string]any{"context": 100000, "output": 4096}},
					"small": map[string]any{"name": "Small", "limit": map[string]any{"context": 100000, "output": 4096}},
				},
			}},
		}))
		return []string{"OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_AUTOUPDATE=1"}
	case agent.Gemini:
		write(t, filepath.Join(home, ".gemini", "settings.json"), encode(t, map[string]any{
			"security": map[string]any{"auth": map[string]any{"selectedType": "gemini-api-key"}},
			"privacy":  map[string]any{"usageStatisticsEnabled": false},
			"general":  map[string]any{"disableAutoUpdate": true, "disableUpdateNag": true},
		}))
		return []string{
			"GEMINI_API_KEY=test", "GOOGLE_GEMINI_BASE_URL=" + url, "GEMINI_MODEL=gemini-2.5-pro",
			"GEMINI_CLI_NO_RELAUNCH=true",
		}
	case agent.Codex:
		write(t, filepath.Join(home, ".codex", "config.toml"), fmt.Sprintf(`model = "fake-model"
model_provider = "fake"
[model_providers.fake]
name = "fake"
base_url = "%s/v1"
env_key = "FAKE_API_KEY"
wire_api = "responses"
`, url))
		return []string{"CODEX_HOME=" + filepath.Join(home, ".codex"), "FAKE_API_KEY=test"}
	case agent.Claude:
		return []string{"ANTHROPIC_BASE_URL=" + url, "ANTHROPIC_API_KEY=test", "DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1"}
	}
	t.Fatalf("no setup for %s", kind)
	return nil
}

func encode(t *testing.T, v any) string {
	t.Helper()
	b, err := json.MarshalIndent(v, "", "  ")
	require.NoError(t, err)
	return string(b)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}
