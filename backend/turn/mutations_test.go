//go:build mutations

package turn_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// mutation is one deliberate mistake in a rule and the test that must notice it.
type mutation struct {
	name string
	file string // below the module
	pack string
	test string // "?" runs every test of the package and tells which failed
	old  string
	new  string
}

// lists are the files of mistakes: those of a turn, of the auto-resume policy, and of
// what drives it.
var lists = []string{"testdata/mutations.txt", "../policy/autoresume/testdata/mutations.txt", "../pilot/testdata/mutations.txt"}

// TestMutations makes each mistake of the lists in a copy of its
// file, builds the tests over it with "go test -overlay", and runs the test that
// the list names: it must fail. Run it with
//
//	go test -tags sqlite_fts5,mutations -run TestMutations -timeout 30m ./backend/turn
//
// "-run TestMutations/NAME" makes one of them. The files themselves are not touched.
func TestMutations(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	list := mutations(t)
	require.GreaterOrEqual(t, len(list), 20)
	for _, m := range list {
		t.Run(m.name, func(t *testing.T) {
			ctx, stop := context.WithTimeout(t.Context(), 3*time.Minute)
			defer stop()
			run := "^" + m.test + "$"
			if m.test == "?" {
				run = "."
			}
			cmd := exec.CommandContext(ctx, "go", "test", "-tags", "sqlite_fts5", "-vet=off", "-count=1", "-timeout=60s",
				"-overlay="+m.overlay(t, root), "-run="+run, "./"+m.pack)
			cmd.Dir = root
			out, err := cmd.CombinedOutput()
			require.NoError(t, ctx.Err())
			failed := regexp.MustCompile(`(?m)^--- FAIL: (\w+)`).FindAllStringSubmatch(string(out), -1)
			switch {
			case m.test == "?":
				t.Errorf("name the test: those that noticed are %v", failed)
			case err == nil:
				t.Errorf("%s does not notice it", m.test)
			case len(failed) == 0 && !bytes.Contains(out, []byte("test timed out")):
				t.Errorf("the mistake does not build or the test did not run:\n%.2000s", out)
			}
		})
	}
}

// TestTheMutationsNameTestsThatExist runs what the list names without a mistake.
func TestTheMutationsNameTestsThatExist(t *testing.T) {
	tests := map[string]map[string]bool{}
	for _, m := range mutations(t) {
		if tests[m.pack] == nil {
			tests[m.pack] = map[string]bool{}
		}
		tests[m.pack][m.test] = true
	}
	for pack, names := range tests {
		var all []string
		for name := range names {
			if whole, _, _ := strings.Cut(name, "/"); !slices.Contains(all, whole) {
				all = append(all, whole)
			}
		}
		cmd := exec.CommandContext(t.Context(), "go", "test", "-tags", "sqlite_fts5", "-vet=off", "-count=1", "-v",
			"-run=^("+strings.Join(all, "|")+")$", "./"+pack)
		cmd.Dir = filepath.Join("..", "..")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		for name := range names {
			require.Contains(t, string(out), "--- PASS: "+name+" ", "%s has no such test", pack)
		}
	}
}

// overlay writes the file with the mistake, and what tells the compiler of it.
func (m mutation) overlay(t *testing.T, root string) string {
	path := filepath.Join(root, filepath.FromSlash(m.file))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(text), m.old), "what the mistake replaces stands in %s once: %q", m.file, m.old)
	dir := t.TempDir()
	wrong := filepath.Join(dir, "wrong.go")
	require.NoError(t, os.WriteFile(wrong, []byte(strings.Replace(string(text), m.old, m.new, 1)), 0o600))
	raw, err := json.Marshal(map[string]any{"Replace": map[string]string{path: wrong}})
	require.NoError(t, err)
	overlay := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(overlay, raw, 0o600))
	return overlay
}

// mutations reads the lists. A test may be one of a table. An entry is
//
//	# what is wrong
//	in FILE
//	caught by TEST in PACKAGE
//	- what is replaced, of one line or more
//	+ what stands instead, of none or more
func mutations(t *testing.T) []mutation {
	var entries []string
	for _, name := range lists {
		raw, err := os.ReadFile(name)
		require.NoError(t, err)
		entries = append(entries, strings.Split("\n"+strings.TrimSpace(string(raw)), "\n# ")[1:]...)
	}
	var list []mutation
	for i, entry := range entries {
		lines := strings.Split(strings.TrimSpace(entry), "\n")
		m := mutation{name: lines[0]}
		var from, to []string
		for _, l := range lines[1:] {
			switch {
			case strings.HasPrefix(l, "- "):
				from = append(from, l[2:])
			case strings.HasPrefix(l, "+ "):
				to = append(to, l[2:])
			case strings.HasPrefix(l, "in "):
				m.file = l[3:]
			default:
				_, err := fmt.Sscanf(l, "caught by %s in %s", &m.test, &m.pack)
				require.NoError(t, err, "entry %d, line %q", i, l)
			}
		}
		m.old, m.new = strings.Join(from, "\n"), strings.Join(to, "\n")
		require.NotEmpty(t, m.old, "entry %d", i)
		require.NotEmpty(t, m.file, "entry %d", i)
		require.NotEmpty(t, m.test, "entry %d", i)
		list = append(list, m)
	}
	return list
}
