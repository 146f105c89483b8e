package window_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/settings"
	"turnwatch/backend/window"
)

func TestABrokenSettingsFileIsToldAndReadAgain(t *testing.T) {
	dir := t.TempDir()
	chosen, err := settings.Open(dir)
	require.NoError(t, err)
	w := window.New(window.Options{Settings: chosen, Dir: dir})
	p, err := w.Settings.Get()
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(dir, "settings.json"), p.File)
	assert.Nil(t, p.Trouble)
	_, err = w.Settings.Set(window.Prefs{Theme: "light"})
	require.NoError(t, err)

	tests := []struct {
		name, text string
		want       window.Phrase
	}{
		{"half a file", "{\n \"theme\": \"da", window.Phrase{Key: "settings.fault_syntax", Args: map[string]string{"line": "2"}}},
		{"a name that is none", `{"thema": "dark"}`, window.Phrase{Key: "settings.fault_name", Args: map[string]string{"line": "1", "name": "thema"}}},
		{"a value that is none", "{\n \"keep\": {\"idle\": -1}}", window.Phrase{Key: "settings.fault_value", Args: map[string]string{"line": "2", "name": "keep"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.NoError(t, os.WriteFile(p.File, []byte(tt.text), 0o600))
			got, err := w.Settings.Read()
			require.NoError(t, err)
			require.NotNil(t, got.Trouble)
			assert.Equal(t, tt.want, got.Trouble.What)
			assert.True(t, got.Trouble.Last)
			assert.NotEmpty(t, got.Trouble.Detail)
			assert.Equal(t, "light", got.Theme, "what held goes on to hold")
		})
	}
	require.NoError(t, os.WriteFile(p.File, []byte(`{"theme": "dark"}`), 0o600))
	p, err = w.Settings.Read()
	require.NoError(t, err)
	assert.Nil(t, p.Trouble)
	assert.Equal(t, "dark", p.Theme)

	require.NoError(t, os.WriteFile(p.File, []byte(`{`), 0o600))
	_, err = w.Settings.Read()
	require.NoError(t, err)
	p, err = w.Settings.Set(window.Prefs{Theme: "light"})
	require.NoError(t, err)
	assert.Nil(t, p.Trouble, "setting something writes a new file")
	aside, err := os.ReadFile(filepath.Join(dir, "settings.broken.json"))
	require.NoError(t, err)
	assert.Equal(t, "{", string(aside))
}

func TestAllowedCommandsCanBeTakenAwayAndNotGiven(t *testing.T) {
	dir := t.TempDir()
	chosen, err := settings.Open(dir)
	require.NoError(t, err)
	_, err = chosen.Change(func(v *settings.Values) { v.Commands = []string{"mine --acp", "other"} })
	require.NoError(t, err)
	w := window.New(window.Options{Settings: chosen, Dir: dir})
	p, err := w.Settings.Set(window.Prefs{Theme: "dark"})
	require.NoError(t, err)
	assert.Equal(t, []string{"mine --acp", "other"}, p.Commands, "what is not named stays")
	p, err = w.Settings.Set(window.Prefs{Theme: "dark", Commands: []string{"other", "rm -rf /"}})
	require.NoError(t, err)
	assert.Equal(t, []string{"other"}, p.Commands)
}

func TestFoldersAreShownByTheirOwner(t *testing.T) {
	r, _ := raise(t, t.TempDir(), quick())
	row := r.task("hello")
	assert.Equal(t, "error.folder_unopened", key(t, r.Tasks.OpenFolder(row.Session)), "nothing here shows folders")
	assert.Equal(t, "error.not_found", key(t, r.Tasks.OpenFolder("nobody")))
	assert.Equal(t, "error.argument", key(t, r.Tasks.OpenFolder("../x")))

	var shown []string
	quit := 0
	w := window.New(window.Options{Dir: "/data", Quit: func() { quit++ }, OpenFolder: func(dir string) error {
		shown = append(shown, dir)
		if len(shown) > 1 {
			return errors.New("no program")
		}
		return nil
	}})
	require.NoError(t, w.Settings.OpenFolder())
	assert.Equal(t, "error.folder_unopened", key(t, w.Settings.OpenFolder()))
	assert.Equal(t, []string{"/data", "/data"}, shown)
	require.NoError(t, w.Settings.Quit())
	assert.Equal(t, 1, quit)
	assert.Equal(t, "error.unreachable", key(t, window.New(window.Options{}).Settings.Quit()))
}
