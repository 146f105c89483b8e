package settings_test

import (
	"os"
	"path/filepath"
	"strings"
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

func TestWhatIsWrongWithAFileIsTold(t *testing.T) {
	tests := []struct {
		name, text string
		want       settings.Fault
	}{
		{"half a file", "{\n  \"theme\": \"dar", settings.Fault{Slip: settings.BadSyntax, Line: 2}},
		{"nothing", "", settings.Fault{Slip: settings.BadSyntax}},
		{"a comma too many", "{\n  \"theme\": \"dark\",\n}", settings.Fault{Slip: settings.BadSyntax, Line: 3}},
		{"another form", `["theme"]`, settings.Fault{Slip: settings.BadSyntax, Line: 1}},
		{"a name that is none", "{\n\n \"thema\": \"dark\"}", settings.Fault{Slip: settings.BadName, Name: "thema", Line: 3}},
		{"a value of another kind", "{\"keep\": {\n\"days\": \"many\"}}", settings.Fault{Slip: settings.BadValue, Name: "keep.days", Line: 2}},
		{"a value out of bounds", "{\n\"keep\": {\"days\": -1}}", settings.Fault{Slip: settings.BadValue, Name: "keep", Line: 2}},
		{"a theme that is none", `{"theme": "blue"}`, settings.Fault{Slip: settings.BadValue, Name: "theme", Line: 1}},
		{"two objects", "{}\n{}", settings.Fault{Slip: settings.BadSyntax, Line: 2}},
		{"far too much", `{"theme": "` + strings.Repeat("x", 5<<20) + `"}`, settings.Fault{Slip: settings.TooLarge}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "settings.json"), []byte(tt.text), 0o600))
			s, err := settings.Open(dir)
			require.NoError(t, err)
			var f *settings.Fault
			require.ErrorAs(t, s.Trouble(), &f)
			assert.Equal(t, tt.want, settings.Fault{Slip: f.Slip, Name: f.Name, Line: f.Line, Last: f.Last})
			assert.NotEmpty(t, f.Error())
		})
	}
}

func TestAMendedFileIsReadAgain(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "settings.json")
	s, err := settings.Open(dir)
	require.NoError(t, err)
	assert.Equal(t, file, s.File())
	_, err = s.Change(func(v *settings.Values) { v.Theme = settings.Light })
	require.NoError(t, err)

	require.NoError(t, os.WriteFile(file, []byte(`{"theme": 1}`), 0o600))
	var f *settings.Fault
	require.ErrorAs(t, s.Read(), &f)
	assert.True(t, f.Last, "what held goes on to hold")
	require.ErrorAs(t, s.Read(), &f)
	assert.True(t, f.Last)
	assert.Equal(t, settings.Light, s.Get().Theme)

	require.NoError(t, os.WriteFile(file, []byte(`{"theme": "dark"}`), 0o600))
	require.NoError(t, s.Read())
	require.NoError(t, s.Trouble())
	assert.Equal(t, settings.Dark, s.Get().Theme)

	require.NoError(t, os.Remove(file))
	require.NoError(t, s.Read())
	assert.Equal(t, settings.Defaults(), s.Get(), "as at the next start")
}
