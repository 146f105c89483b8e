// Package backend_test keeps the order of the rooms.
package backend_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEveryRoomImportsOnlyRoomsAbove(t *testing.T) {
	listed := list(t)
	require.Greater(t, len(listed), 5, "go list found hardly any package: the test would show nothing")
	for _, l := range listed {
		for _, breach := range breaches(l.pack(t)) {
			t.Error(breach)
		}
	}
}

func TestNoFileIsTooLong(t *testing.T) {
	for _, l := range list(t) {
		for _, file := range l.files() {
			data, err := os.ReadFile(filepath.Join(l.Dir, file))
			require.NoError(t, err)
			lines := bytes.Count(data, []byte("\n"))
			assert.LessOrEqual(t, lines, longest, "%s/%s: ask what it knows too much of, and part it", l.ImportPath, file)
		}
	}
}

func TestBreaches(t *testing.T) {
	tests := []struct {
		name string
		pack pack
		want []string // parts of the breaches, in order
	}{
		{"a room above", pack{"backend/turn", "turn", []string{"turnwatch/backend/failure", "strings"}}, nil},
		{"a module from elsewhere", pack{"backend/history", "history", []string{"github.com/pressly/goose/v3"}}, nil},
		{"its own folder", pack{"backend/history", "history", []string{"turnwatch/backend/history/migrations"}}, nil},
		{"a folder inside a room", pack{"backend/history/migrations", "migrations", []string{"turnwatch/backend/core"}}, []string{"only what is above"}},
		{"the root wires everything", pack{".", "main", []string{"turnwatch/backend/cli", "turnwatch/backend/window"}}, nil},
		{"a room below", pack{"backend/turn", "turn", []string{"turnwatch/backend/history"}}, []string{"backend/turn (line 3) stands above backend/history (line 4)"}},
		{"a room on the same line", pack{"backend/proc", "proc", []string{"turnwatch/backend/acp"}}, []string{"same line (4)"}},
		{"agent beyond the standard library", pack{"backend/agent", "agent", []string{"golang.org/x/text"}}, []string{"standard library only"}},
		{"redact and agent", pack{"backend/redact", "redact", []string{"turnwatch/backend/agent"}}, []string{"same line (1)"}},
		{"an unknown room", pack{"backend/attic", "attic", nil}, []string{"give it a line in layers() of backend/layers_table_test.go"}},
		{"an unknown room imported", pack{"backend/core", "core", []string{"turnwatch/backend/attic"}}, []string{"unknown room"}},
		{"a name that begins like a room's", pack{"backend/acpx", "acpx", nil}, []string{"unknown room"}},
		{"the root imported", pack{"backend/cli", "cli", []string{"turnwatch"}}, []string{"only what is above"}},
		{"the runner imports a room", pack{"build/task", "main", []string{"turnwatch/backend/agent"}}, []string{"imports no room"}},
		{"the runner imports a library", pack{"build/task", "main", []string{"github.com/spf13/cobra"}}, []string{"standard library only"}},
		{"a room imports the runner", pack{"backend/core", "core", []string{"turnwatch/build/task/internal/step"}}, []string{"no room to import"}},
		{"a vague name", pack{"backend/core/util", "util", nil}, []string{"says nothing"}},
		{"two at once", pack{"backend/agent", "agent", []string{"turnwatch/backend/cli", "example.org/x"}}, []string{"only what is above", "standard library only"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := breaches(tt.pack)
			require.Len(t, got, len(tt.want), "%q", got)
			for i, part := range tt.want {
				assert.Contains(t, got[i], part)
			}
		})
	}
}

func TestEveryRoomHasOnePlace(t *testing.T) {
	seen := map[string]bool{}
	for _, rooms := range layers() {
		for _, room := range rooms {
			assert.False(t, seen[room], "%s stands twice in layers()", room)
			seen[room] = true
		}
	}
}

// listing is what go list says of a package.
type listing struct {
	Dir, ImportPath, Name string
	GoFiles, CgoFiles     []string
	IgnoredGoFiles        []string
}

// files are those of all platforms and build tags, without tests.
func (l listing) files() []string {
	all := slices.Concat(l.GoFiles, l.CgoFiles, l.IgnoredGoFiles)
	return slices.DeleteFunc(all, func(f string) bool { return strings.HasSuffix(f, "_test.go") })
}

// pack reads what the files of a package import.
func (l listing) pack(t *testing.T) pack {
	t.Helper()
	p := pack{path: strings.TrimPrefix(strings.TrimPrefix(l.ImportPath, module), "/"), name: l.Name}
	if p.path == "" {
		p.path = "."
	}
	for _, name := range l.files() {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(l.Dir, name), nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			if !slices.Contains(p.imports, path) {
				p.imports = append(p.imports, path)
			}
		}
	}
	return p
}

// list asks go for every package of the module.
func list(t *testing.T) []listing {
	t.Helper()
	os.Getenv("TURNWATCH_SOURCES") // a changed tree makes a remembered result stale
	cmd := exec.CommandContext(t.Context(), "go", "list", "-e", "-json=Dir,ImportPath,Name,GoFiles,CgoFiles,IgnoredGoFiles", "-tags", "sqlite_fts5,agents", module+"/...")
	cmd.Dir = ".." // the root of the module
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	require.NoError(t, err, "%s", &complaints)
	var all []listing
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listing
		err := decoder.Decode(&l)
		if errors.Is(err, io.EOF) {
			return all
		}
		require.NoError(t, err)
		all = append(all, l)
	}
}
