package settings_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"turnwatch/backend/settings"
)

func TestWhatIsSetIsThereNextTime(t *testing.T) {
	dir := t.TempDir()
	s, err := settings.Open(dir)
	require.NoError(t, err)
	assert.Equal(t, settings.Defaults(), s.Get())
	_, err = s.Change(func(v *settings.Values) {
		v.Theme, v.Language = settings.Dark, "de-CH"
		v.Window = &settings.Place{X: -10, Y: 20, Width: 800, Height: 600}
	})
	require.NoError(t, err)
	require.NoError(t, s.Trust(filepath.Join(dir, "project", "..", "project")))
	require.NoError(t, s.Trust(filepath.Join(dir, "project")))

	again, err := settings.Open(dir)
	require.NoError(t, err)
	require.NoError(t, again.Trouble())
	assert.Equal(t, s.Get(), again.Get())
	assert.Equal(t, []string{filepath.Join(dir, "project")}, again.Get().Trusted)
	assert.True(t, again.Trusts(filepath.Join(dir, "project")))
	assert.False(t, again.Trusts(filepath.Join(dir, "project", "inner")), "trust is for one folder")
	info, err := os.Stat(filepath.Join(dir, "settings.json"))
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	left, err := filepath.Glob(filepath.Join(dir, "*.tmp"))
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestABrokenFileLeavesTheLastGoodValuesInForce(t *testing.T) {
	tests := []struct{ name, text string }{
		{"half a file", `{"theme": "dar`},
		{"nothing", ``},
		{"another form", `["theme"]`},
		{"a theme that is none", `{"theme": "blue"}`},
		{"a name that is none", `{"thema": "dark"}`},
		{"a relative folder", `{"trusted": ["here"]}`},
		{"a language that is none", `{"language": "../en"}`},
		{"a window of no size", `{"window": {"x":0,"y":0,"width":0,"height":10}}`},
		{"a history too small to hold a turn", `{"keep": {"mib": 1}}`},
		{"days that are none", `{"keep": {"days": -1}}`},
		{"an idle time of two days", `{"keep": {"idle": 2880}}`},
		{"two objects", `{"theme":"dark"} {"theme":"light"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			s, err := settings.Open(dir)
			require.NoError(t, err)
			_, err = s.Change(func(v *settings.Values) { v.Theme = settings.Light })
			require.NoError(t, err)
			file := filepath.Join(dir, "settings.json")
			require.NoError(t, os.WriteFile(file, []byte(tt.text), 0o600))

			s, err = settings.Open(dir)
			require.NoError(t, err)
			require.ErrorIs(t, s.Trouble(), settings.ErrBroken)
			assert.Equal(t, settings.Light, s.Get().Theme)
			kept, err := os.ReadFile(file)
			require.NoError(t, err)
			assert.Equal(t, tt.text, string(kept), "it is left alone until something is set")

			_, err = s.Change(func(v *settings.Values) { v.Theme = settings.Dark })
			require.NoError(t, err)
			require.NoError(t, s.Trouble())
			aside, err := os.ReadFile(filepath.Join(dir, "settings.broken.json"))
			require.NoError(t, err)
			assert.Equal(t, tt.text, string(aside))
		})
	}
}

func TestAChangeThatIsRefusedChangesNothing(t *testing.T) {
	s, err := settings.Open(t.TempDir())
	require.NoError(t, err)
	_, err = s.Change(func(v *settings.Values) { v.Theme = "blue" })
	require.ErrorContains(t, err, "theme")
	assert.Equal(t, settings.Defaults(), s.Get())
	got := s.Get()
	got.Trusted = append(got.Trusted, "/x")
	assert.Empty(t, s.Get().Trusted, "what is handed out is a copy")
}

func TestAFolderThatCannotBeWrittenIsSaid(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	s, err := settings.Open(filepath.Join(file, "data"))
	require.Error(t, err)
	_, err = s.Change(func(v *settings.Values) { v.Theme = settings.Dark })
	require.ErrorContains(t, err, "write settings")
	assert.Equal(t, settings.System, s.Get().Theme)
}

func TestWhatIsParsedIsValidAndStaysSo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, err := settings.Parse([]byte(rapid.String().Draw(t, "text")))
		if err == nil {
			require.NoError(t, v.Check())
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"theme":"dark","language":"en","trusted":["/a"],"commands":["a b"],"window":{"x":1,"y":2,"width":3,"height":4}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if v, err := settings.Parse(raw); err == nil {
			require.NoError(t, v.Check())
		}
	})
}
