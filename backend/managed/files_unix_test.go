//go:build unix

package managed

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

// house is a session's folder beside a secret.
type house struct {
	*folder
	dir, out string
}

func newHouse(t *testing.T) house {
	t.Helper()
	base := t.TempDir()
	h := house{dir: filepath.Join(base, "proj"), out: filepath.Join(base, "out")}
	for _, d := range []string{h.dir, h.out, filepath.Join(h.dir, "sub")} {
		require.NoError(t, os.Mkdir(d, 0o755))
	}
	for name, text := range map[string]string{
		filepath.Join(h.out, "secret"): "CANARY", filepath.Join(h.dir, "a.txt"): "one\ntwo\nthree", filepath.Join(h.dir, "sub", "b"): "b\n",
		filepath.Join(h.dir, "bin"): "a\x00b", filepath.Join(h.dir, "latin"): "gr\xfc\xdfe",
		filepath.Join(h.dir, "big"): strings.Repeat("x", fileLimit+1),
	} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	links := map[string]string{"out-file": "../out/secret", "out-dir": "../out", "abs": filepath.Join(h.out, "secret"), "in": "sub/b", "loop": "loop", "up": ".."}
	for name, to := range links {
		require.NoError(t, os.Symlink(to, filepath.Join(h.dir, name)))
	}
	require.NoError(t, unix.Mkfifo(filepath.Join(h.dir, "pipe"), 0o600))
	f, err := openFolder(h.dir)
	require.NoError(t, err)
	t.Cleanup(func() { f.close() })
	h.folder = f
	return h
}

func TestFilesStayInsideTheFolder(t *testing.T) {
	h := newHouse(t)
	for _, tc := range []struct {
		name, path string
		want       error
	}{
		{"dot dot", h.dir + "/../out/secret", errOutside},
		{"dot dot in the middle", h.dir + "/sub/../../out/secret", errOutside},
		{"absolute elsewhere", "/etc/passwd", errOutside},
		{"proc", "/proc/self/environ", errOutside},
		{"proc root link", "/proc/self/root" + h.out + "/secret", errOutside},
		{"relative", "a.txt", errRelative},
		{"relative and outside", "../out/secret", errRelative},
		{"empty", "", errRelative},
		{"the folder itself", h.dir, errFolder},
		{"the folder itself, ending in a slash", h.dir + "/", errFolder},
		{"a folder inside", h.dir + "/sub", errFolder},
		{"a name that begins alike", h.dir + "2/x", errOutside},
		{"zero byte", h.dir + "/a.txt\x00", errOutside},
		{"link to a file outside", h.dir + "/out-file", errOutside},
		{"link to a folder outside", h.dir + "/out-dir/secret", errOutside},
		{"absolute link", h.dir + "/abs", errOutside},
		{"link upwards", h.dir + "/up/out/secret", errOutside},
		{"link to itself", h.dir + "/loop", errOutside},
		{"pipe", h.dir + "/pipe", errNotFile},
		{"below a file", h.dir + "/a.txt/x", errNotFile},
	} {
		t.Run(tc.name, func(t *testing.T) {
			text, err := h.read(tc.path, nil, nil)
			assert.ErrorIs(t, err, tc.want)
			assert.Empty(t, text)
			assert.ErrorIs(t, h.write(tc.path, "PWNED"), tc.want)
			if err != nil {
				assert.NotContains(t, err.Error(), h.dir)
			}
		})
	}
	secret, err := os.ReadFile(filepath.Join(h.out, "secret"))
	require.NoError(t, err)
	assert.Equal(t, "CANARY", string(secret), "nothing outside was written")
	entries, err := os.ReadDir(h.out)
	require.NoError(t, err)
	assert.Len(t, entries, 1)
}

func TestReadRefusesWhatIsNoText(t *testing.T) {
	h := newHouse(t)
	for _, tc := range []struct {
		name string
		want error
	}{
		{"bin", errNotText}, {"latin", errNotText}, {"big", errTooLarge}, {"sub", errFolder}, {"none", errNoFile},
		{strings.Repeat("n", 300), unix.ENAMETOOLONG},
	} {
		t.Run(tc.name[:3], func(t *testing.T) {
			_, err := h.read(filepath.Join(h.dir, tc.name), nil, nil)
			assert.ErrorIs(t, err, tc.want)
		})
	}
}

func TestReadCutsLines(t *testing.T) {
	h := newHouse(t)
	n := func(i int) *int { return &i }
	for _, tc := range []struct {
		name        string
		line, limit *int
		want        string
	}{
		{"all", nil, nil, "one\ntwo\nthree"},
		{"from the second", n(2), nil, "two\nthree"},
		{"one line", n(2), n(1), "two\n"},
		{"the last", n(3), n(9), "three"},
		{"behind the end", n(1 << 30), nil, ""},
		{"none", nil, n(0), ""},
		{"odd numbers", n(-1), n(-5), ""},
		{"more than there are", n(0), n(1 << 30), "one\ntwo\nthree"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := h.read(filepath.Join(h.dir, "a.txt"), tc.line, tc.limit)
			require.NoError(t, err)
			assert.Equal(t, tc.want, got)
		})
	}
}

func TestWriteMakesAndReplacesFiles(t *testing.T) {
	h := newHouse(t)
	require.NoError(t, os.Chmod(filepath.Join(h.dir, "a.txt"), 0o600))
	for _, tc := range []struct{ name, path, text string }{
		{"new", "new.txt", "hello"}, {"new folders", "x/y/z.txt", "deep"}, {"shorter", "a.txt", "1"},
		{"empty", "sub/b", ""}, {"by a link inside", "in", "linked"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.NoError(t, h.write(filepath.Join(h.dir, tc.path), tc.text))
			got, err := h.read(filepath.Join(h.dir, tc.path), nil, nil)
			require.NoError(t, err)
			assert.Equal(t, tc.text, got)
		})
	}
	info, err := os.Stat(filepath.Join(h.dir, "a.txt"))
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "the mode stays")
	assert.ErrorIs(t, h.write(filepath.Join(h.dir, "huge"), strings.Repeat("x", fileLimit+1)), errTooLarge)
	_, err = os.Stat(filepath.Join(h.dir, "huge"))
	assert.ErrorIs(t, err, os.ErrNotExist)
}

func TestTheFolderMayBeNamedByALink(t *testing.T) {
	h := newHouse(t)
	link := filepath.Join(h.out, "link")
	require.NoError(t, os.Symlink(h.dir, link))
	f, err := openFolder(link)
	require.NoError(t, err)
	defer f.close()
	for _, dir := range []string{link, h.dir} {
		got, err := f.read(filepath.Join(dir, "sub/b"), nil, nil)
		require.NoError(t, err)
		assert.Equal(t, "b\n", got)
	}
}

// A tree that changes under the reader's feet: a folder is swapped for a link to
// the outside and back, as fast as it goes.
func TestSwappedLinksNeverLeadOut(t *testing.T) {
	h := newHouse(t)
	real, swap, evil := filepath.Join(h.dir, "swap.real"), filepath.Join(h.dir, "swap"), filepath.Join(h.dir, "swap.evil")
	require.NoError(t, os.Mkdir(swap, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(swap, "secret"), []byte("mine"), 0o644))
	require.NoError(t, os.Symlink("../out", evil))
	text, err := h.read(filepath.Join(swap, "secret"), nil, nil)
	require.NoError(t, err, "as long as nothing is swapped it can be read")
	require.Equal(t, "mine", text)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			os.Rename(swap, real)
			os.Rename(evil, swap)
			runtime.Gosched()
			os.Rename(swap, evil)
			os.Rename(real, swap)
		}
	})
	for range 3000 {
		if text, err := h.read(filepath.Join(swap, "secret"), nil, nil); err == nil {
			require.Equal(t, "mine", text)
		}
		_ = h.write(filepath.Join(swap, "made"), "x")
	}
	close(stop)
	wg.Wait()
	entries, err := os.ReadDir(h.out)
	require.NoError(t, err)
	assert.Len(t, entries, 1, "nothing was written outside")
}

func TestLinesNeverMakeTextUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a\n]{0,30}`).Draw(t, "text")
		from, limit := rapid.IntRange(-2, 40).Draw(t, "from"), rapid.IntRange(-2, 40).Draw(t, "limit")
		all := strings.SplitAfter(text, "\n")
		first := min(max(from, 1)-1, len(all))
		last := min(first+max(limit, 0), len(all))
		assert.Equal(t, strings.Join(all[first:last], ""), lines(text, &from, &limit))
	})
}
