package stamp_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"turnwatch/build/task/internal/stamp"
)

func write(t *testing.T, root, path, text string) {
	t.Helper()
	full := filepath.Join(root, filepath.FromSlash(path))
	require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
	require.NoError(t, os.WriteFile(full, []byte(text), 0o644))
}

func goFiles(path string) bool { return strings.HasSuffix(path, ".go") }

func TestFilesKey(t *testing.T) {
	tests := []struct {
		name    string
		change  func(t *testing.T, root string)
		changed bool
	}{
		{"nothing", func(*testing.T, string) {}, false},
		{"the same text written again", func(t *testing.T, root string) { write(t, root, "a/x.go", "one") }, false},
		{"another text", func(t *testing.T, root string) { write(t, root, "a/x.go", "two") }, true},
		{"a new file", func(t *testing.T, root string) { write(t, root, "a/z.go", "") }, true},
		{"a file gone", func(t *testing.T, root string) { require.NoError(t, os.Remove(filepath.Join(root, "a", "x.go"))) }, true},
		{"a file renamed", func(t *testing.T, root string) {
			require.NoError(t, os.Rename(filepath.Join(root, "a", "x.go"), filepath.Join(root, "a", "w.go")))
		}, true},
		{"text moved to the next file", func(t *testing.T, root string) {
			write(t, root, "a/x.go", "on")
			write(t, root, "a/y.go", "emore")
		}, true},
		{"a file that is not wanted", func(t *testing.T, root string) { write(t, root, "a/x.txt", "new") }, false},
		{"what was built", func(t *testing.T, root string) { write(t, root, "build/bin/x.go", "new") }, false},
		{"what npm brought", func(t *testing.T, root string) { write(t, root, "a/node_modules/x.go", "new") }, false},
		{"another folder named bin", func(t *testing.T, root string) { write(t, root, "a/bin/x.go", "new") }, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			write(t, root, "a/x.go", "one")
			write(t, root, "a/y.go", "more")
			before, err := stamp.Files(root, goFiles)
			require.NoError(t, err)
			tt.change(t, root)
			after, err := stamp.Files(root, goFiles)
			require.NoError(t, err)
			assert.Equal(t, tt.changed, before != after)
		})
	}
}

func TestFilesOfNoFolderIsAnError(t *testing.T) {
	_, err := stamp.Files(filepath.Join(t.TempDir(), "nowhere"), goFiles)
	assert.ErrorIs(t, err, os.ErrNotExist)
}

func TestOfTellsListsApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.StringMatching(`[ab:1]{0,3}`))
		a, b := words.Draw(t, "a"), words.Draw(t, "b")
		same := strings.Join(a, "\x00") == strings.Join(b, "\x00") && len(a) == len(b)
		assert.Equal(t, same, stamp.Of(a...) == stamp.Of(b...), "%q %q", a, b)
	})
}

func TestStampIsOfOneKeyOnly(t *testing.T) {
	f := stamp.Folder(filepath.Join(t.TempDir(), "made", "when needed"))
	one, two := stamp.Of("one"), stamp.Of("two")
	assert.False(t, f.Done("lint", one), "nothing was done yet")

	require.NoError(t, f.Mark("lint", one))
	assert.True(t, f.Done("lint", one))
	assert.False(t, f.Done("lint", two))
	assert.False(t, f.Done("test", one), "other work")

	require.NoError(t, f.Mark("lint", two))
	assert.False(t, f.Done("lint", one), "the key before is forgotten")

	require.NoError(t, f.Forget("lint"))
	assert.False(t, f.Done("lint", two))
	require.NoError(t, f.Forget("lint"), "forgetting twice is no error")
}
