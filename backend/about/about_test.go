package about_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/about"
)

const good = `{"works":[{"name":"a","version":"v1.0.0","from":"go","licence":"MIT","texts":["x"]}],"texts":{"x":"Permission is granted"}}`

func TestReadNotices(t *testing.T) {
	tests := []struct {
		name string
		path string // of the file, below a root that holds the program as bin/tw
		text string
		err  string
	}{
		{"beside the program", "bin/licences.json", good, ""},
		{"in share", "share/turnwatch/licences.json", good, ""},
		{"in the resources of an app", "Resources/licences.json", good, ""},
		{"nowhere", "licences.json", good, "no notices beside the program"},
		{"no JSON", "bin/licences.json", "<html>", "read notices in "},
		{"cut short", "bin/licences.json", good[:60], "unexpected EOF"},
		{"a work without a text", "bin/licences.json", strings.Replace(good, `["x"]`, `[]`, 1), `work "a" has no name, no licence or no text`},
		{"a text that is missing", "bin/licences.json", strings.Replace(good, `["x"]`, `["y"]`, 1), `text "y" is missing`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			file := filepath.Join(root, filepath.FromSlash(tt.path))
			require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
			require.NoError(t, os.WriteFile(file, []byte(tt.text), 0o644))
			got, err := about.ReadNotices(filepath.Join(root, "bin", "tw"))
			if tt.err != "" {
				require.ErrorContains(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			require.Len(t, got.Works, 1)
			assert.Equal(t, about.Work{Name: "a", Version: "v1.0.0", From: "go", Licence: "MIT", Texts: []string{"x"}}, got.Works[0])
			assert.Equal(t, "Permission is granted", got.Texts["x"])
		})
	}
}

func TestReadNoticesFollowsALinkToTheProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a right there that tests do not have")
	}
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "opt"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, "opt", "tw"), nil, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, "opt", about.File), []byte(good), 0o644))
	link := filepath.Join(t.TempDir(), "tw")
	require.NoError(t, os.Symlink(filepath.Join(root, "opt", "tw"), link))
	got, err := about.ReadNotices(link)
	require.NoError(t, err)
	assert.Len(t, got.Works, 1)
}

// The version of a package is written by the linker: if the variable is renamed,
// the packages say "dev".
func TestTheLinkerWritesTheVersion(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "say.exe")
	source := filepath.Join("testdata", "say", "main.go")
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-ldflags", "-X turnwatch/backend/about.release=1.2.3-rc.1", "-o", program, source)
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	said, err := exec.CommandContext(t.Context(), program).Output()
	require.NoError(t, err)
	assert.Equal(t, "1.2.3-rc.1\n", string(said))
}

func TestThisSaysWhatItIs(t *testing.T) {
	p := about.This()
	assert.Equal(t, about.Version(), p.Version)
	assert.Equal(t, runtime.Version(), p.Go)
	assert.Equal(t, "Apache-2.0", p.Licence)
	assert.NotEmpty(t, p.Version)
}
