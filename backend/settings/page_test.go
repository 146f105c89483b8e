package settings_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/settings"
)

func TestWhatThePageKeepsStaysWithTheData(t *testing.T) {
	dir := t.TempDir()
	s, err := settings.Open(dir)
	require.NoError(t, err)
	assert.Empty(t, s.Page(), "nothing yet")
	require.NoError(t, s.KeepPage(`{"task":"t1"}`))
	require.NoError(t, s.KeepPage(`{"task":"t2"}`))
	again, err := settings.Open(dir)
	require.NoError(t, err)
	assert.Equal(t, `{"task":"t2"}`, again.Page())
	info, err := os.Stat(filepath.Join(dir, "page.json"))
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	left, err := filepath.Glob(filepath.Join(dir, "*.tmp"))
	require.NoError(t, err)
	assert.Empty(t, left)
	other, err := settings.Open(t.TempDir())
	require.NoError(t, err)
	assert.Empty(t, other.Page(), "another folder knows nothing of it")
}

func TestThePageKeepsOnlyItsKind(t *testing.T) {
	large := `{"draft":"` + strings.Repeat("x", settings.PageBytes) + `"}`
	for _, row := range []struct{ name, text string }{
		{"nothing", ""}, {"half", `{"a":`}, {"a list", `[]`}, {"null", `null`}, {"two objects", `{} {}`}, {"too large", large},
	} {
		t.Run(row.name, func(t *testing.T) {
			dir := t.TempDir()
			s, err := settings.Open(dir)
			require.NoError(t, err)
			require.NoError(t, s.KeepPage(`{"task":"t1"}`))
			require.ErrorIs(t, s.KeepPage(row.text), settings.ErrPage)
			assert.Equal(t, `{"task":"t1"}`, s.Page(), "what was refused changes nothing")
			require.NoError(t, os.WriteFile(filepath.Join(dir, "page.json"), []byte(row.text), 0o600))
			assert.Empty(t, s.Page(), "a broken file is as none")
		})
	}
}
