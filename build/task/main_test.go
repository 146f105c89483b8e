package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/build/task/internal/step"
)

func write(t *testing.T, root, path, text string) {
	t.Helper()
	full := filepath.Join(root, filepath.FromSlash(path))
	require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
	require.NoError(t, os.WriteFile(full, []byte(text), 0o644))
}

func TestParseOptions(t *testing.T) {
	plain := options{count: 1}
	tests := []struct {
		name string
		args []string
		want func(o *options)
		err  string
	}{
		{"nothing", nil, func(*options) {}, ""},
		{"verbose", []string{"-v"}, func(o *options) { o.verbose = true }, ""},
		{"two dashes", []string{"--full", "--agents", "gemini,codex"}, func(o *options) { o.full, o.agents = true, "gemini,codex" }, ""},
		{"bench", []string{"-count", "3", "-time=2s", "-match", "Frames"}, func(o *options) { o.count, o.time, o.match = 3, 2*time.Second, "Frames" }, ""},
		{"an unknown flag", []string{"-fast"}, nil, "lint: flag provided but not defined: -fast; go run ./build/task help lists the flags"},
		{"an argument", []string{"-v", "backend"}, nil, `lint takes no argument "backend"`},
		{"no number", []string{"-count", "few"}, nil, "invalid value"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _, err := parseOptions("lint", tt.args)
			if tt.err != "" {
				require.ErrorContains(t, err, tt.err)
				assert.Equal(t, 2, status(err))
				return
			}
			require.NoError(t, err)
			want := plain
			tt.want(&want)
			assert.Equal(t, want, got)
		})
	}
}

func TestStatus(t *testing.T) {
	tests := []struct {
		name string
		err  error
		want int
	}{
		{"done", nil, 0},
		{"a step failed", errors.New("run go: exit status 1"), 1},
		{"the user has to do something", usageError{"run apt-get"}, 2},
		{"interrupted, whatever was said about it", fmt.Errorf("test: %w", step.ErrInterrupted), 130},
		{"terminated", step.ErrTerminated, 143},
		{"the program that was run for the user", exitStatus(12), 12},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, status(tt.err))
		})
	}
}

func TestHelpNamesEveryVerbAndFlag(t *testing.T) {
	text := help()
	for _, v := range verbs() {
		assert.Contains(t, text, "\n  "+v.name+" ")
	}
	for _, flag := range []string{"-v", "-full", "-agents", "-match", "-count", "-time", "-markdown"} {
		assert.Contains(t, text, "\n  "+flag)
	}
}

func TestAWrongVerbIsWrongUsage(t *testing.T) {
	for _, args := range [][]string{nil, {"tset"}, {"lint", "-nope"}} {
		assert.Equal(t, 2, status(run(t.Context(), args)), "%q", args)
	}
}

func TestModuleRootIsFoundFromInside(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	write(t, root, "go.mod", "module turnwatch\n\ngo 1.26.0\n")
	write(t, root, "build/tools/go.mod", "module turnwatch/build/tools\n")
	t.Chdir(filepath.Join(root, "build", "tools"))
	got, err := moduleRoot()
	require.NoError(t, err)
	assert.Equal(t, root, got, "the module of the tools is not the project")

	t.Chdir(t.TempDir())
	_, err = moduleRoot()
	assert.Equal(t, 2, status(err))
}

func TestBenchRooms(t *testing.T) {
	root := t.TempDir()
	write(t, root, "backend/acp/conn_test.go", "package acp_test\n\nfunc BenchmarkFrames(b *testing.B) {}\n")
	write(t, root, "backend/acp/more_test.go", "package acp_test\n\nfunc BenchmarkMore(b *testing.B) {}\n")
	write(t, root, "backend/turn/step_test.go", "package turn_test\n\n// func BenchmarkOld(b *testing.B) {}\nfunc TestStep(t *testing.T) {}\n")
	write(t, root, "backend/turn/bench.go", "package turn\n\nfunc BenchmarkTool() {}\n")
	write(t, root, "backend/history/store/page_test.go", "package store_test\n\nfunc BenchmarkPage(b *testing.B) {}\n")
	rooms, err := benchRooms(root)
	require.NoError(t, err)
	assert.Equal(t, []string{"./backend/acp", "./backend/history/store"}, rooms)
}

func TestSourcesAreWhatIsCompiledAndChecked(t *testing.T) {
	tests := []struct {
		path    string
		counted bool
	}{
		{"backend/acp/conn.go", true},
		{"backend/acp/testdata/frames.jsonl", true},
		{"locales/en.json", true},
		{"build/tools/go.mod", true},
		{".golangci.yml", true},
		{"main.go", true},
		{"go.sum", true},
		{"README.md", false},
		{"docs/architecture.md", false},
		{"frontend/src/app.ts", false},
		{"frontend/e2e/bridge/main.go", true},
		{"build/bin/tw", false},
		{".git/index", false},
	}
	for _, tt := range tests {
		t.Run(strings.ReplaceAll(tt.path, "/", " "), func(t *testing.T) {
			work := &task{root: t.TempDir()}
			before, err := work.sources()
			require.NoError(t, err)
			write(t, work.root, tt.path, "text")
			after, err := work.sources()
			require.NoError(t, err)
			assert.Equal(t, tt.counted, before != after)
		})
	}
}

func TestThePageIsBuiltAnewWhenItHasChanged(t *testing.T) {
	tests := []struct {
		path    string
		counted bool
	}{
		{"frontend/src/app.ts", true},
		{"frontend/index.html", true},
		{"frontend/package-lock.json", true},
		{"frontend/public/icon.svg", true},
		{"locales/en.json", true},
		{"frontend/dist/index.html", false},
		{"frontend/node_modules/x/index.js", false},
		{"frontend/src/wailsjs/go/models.ts", false},
		{"frontend/e2e/bridge/main.go", false},
		{"backend/window/doc.go", false},
	}
	for _, tt := range tests {
		t.Run(strings.ReplaceAll(tt.path, "/", " "), func(t *testing.T) {
			work := &task{root: t.TempDir()}
			before, err := work.pageKey()
			require.NoError(t, err)
			write(t, work.root, tt.path, "text")
			after, err := work.pageKey()
			require.NoError(t, err)
			assert.Equal(t, tt.counted, before != after)
		})
	}
}

func TestTheBuiltPageIsInsideTheProgram(t *testing.T) {
	work := &task{root: t.TempDir()}
	program := filepath.Join(work.root, "program")
	write(t, work.root, "program", "…assets/index-a1B_2.js…")
	require.Error(t, work.holdsPage(program), "no page was built")
	write(t, work.root, "frontend/dist/index.html", `<script src="./assets/index-a1B_2.js"></script>`)
	require.NoError(t, work.holdsPage(program))
	write(t, work.root, "frontend/dist/index.html", `<script src="./assets/index-other.js"></script>`)
	require.ErrorContains(t, work.holdsPage(program), "not inside")
}
