package release_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/build/task/internal/release"
)

func TestParse(t *testing.T) {
	tests := []struct {
		text   string
		dotted string
		debian string
		early  bool
		err    bool
	}{
		{text: "0.1.0\n", dotted: "0.1.0.0", debian: "0.1.0", early: true},
		{text: "1.20.3", dotted: "1.20.3.0", debian: "1.20.3"},
		{text: "2.0.0-rc.1", dotted: "2.0.0.0", debian: "2.0.0~rc.1", early: true},
		{text: "v1.0.0", err: true},
		{text: "1.0", err: true},
		{text: "1.0.0+build", err: true},
		{text: "01.0.0", err: true},
		{text: "1.0.0; rm", err: true},
		{text: "99999.0.0", err: true},
		{text: "", err: true},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			v, err := release.Parse(tt.text)
			if tt.err {
				require.ErrorContains(t, err, "is not like 1.2.3")
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tt.dotted, v.Dotted())
			assert.Equal(t, tt.debian, v.Debian())
			assert.Equal(t, tt.early, v.Early())
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add("1.2.3-rc.1")
	f.Fuzz(func(t *testing.T, text string) {
		v, err := release.Parse(text)
		if err != nil {
			return
		}
		again, err := release.Parse(v.String())
		require.NoError(t, err)
		assert.Equal(t, v, again)
		assert.Regexp(t, `^[0-9A-Za-z.~]+$`, v.Debian())
	})
}

func TestEpoch(t *testing.T) {
	at, ok, err := release.Epoch("1700000000")
	require.NoError(t, err)
	assert.True(t, ok)
	assert.Equal(t, time.Date(2023, 11, 14, 22, 13, 20, 0, time.UTC), at)
	_, ok, err = release.Epoch("")
	require.NoError(t, err)
	assert.False(t, ok)
	for _, bad := range []string{"yesterday", "-1", "99999999999999"} {
		_, _, err = release.Epoch(bad)
		assert.ErrorContains(t, err, "no number of seconds since 1970", bad)
	}
}

func TestSumsAreReadBySha256sum(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b.deb"), []byte("b"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.rpm"), []byte("aa"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte("old"), 0o644))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"), 0o755))
	files, err := release.Files(dir, "SHA256SUMS")
	require.NoError(t, err)
	require.Len(t, files, 2)
	assert.Equal(t, "a.rpm", files[0].Name)
	assert.EqualValues(t, 2, files[0].Size)
	assert.Equal(t, "961b6dd3ede3cb8ecbaacbd68de040cd78eb2ed5889130cceb4c49268ea4d506  a.rpm\n"+
		"3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d  b.deb\n", release.Sums(files))
	program, err := exec.LookPath("sha256sum")
	if err != nil {
		return // the text is checked above
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte(release.Sums(files)), 0o644))
	check := exec.CommandContext(t.Context(), program, "-c", "SHA256SUMS")
	check.Dir = dir
	out, err := check.CombinedOutput()
	require.NoError(t, err, string(out))
}

func TestDiffering(t *testing.T) {
	a := []release.File{{Name: "same", Sum: "1"}, {Name: "other", Sum: "1"}, {Name: "gone", Sum: "1"}}
	b := []release.File{{Name: "same", Sum: "1"}, {Name: "other", Sum: "2"}, {Name: "new", Sum: "1"}}
	assert.Equal(t, []string{"gone", "new", "other"}, release.Differing(a, b))
	assert.Empty(t, release.Differing(a, a))
}
