package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"turnwatch/build/task/internal/stamp"
	"turnwatch/build/task/internal/step"
)

// tags are the build tags of vet, test and lint: SQLite's full-text search. No
// window, so no GTK.
const tags = "sqlite_fts5"

// task is what a verb works with.
type task struct {
	root    string // folder of go.mod
	args    []string
	options options
	console *step.Console
}

// options are the flags that verbs share.
type options struct {
	verbose  bool
	full     bool          // test-agents: also claude and the long matrix
	agents   string        // test-agents: only these, by name, parted by commas
	match    string        // bench, mutate, test: only those whose name matches
	count    int           // bench, figures: repetitions
	time     time.Duration // bench, figures: how long each is measured; 0 is what the verb thinks best
	check    bool          // package: also install and run what was made
	twice    bool          // package: also make everything again and compare
	markdown bool          // figures: write the table into docs/figures.md
}

// verb is one thing that the runner does.
type verb struct {
	name  string
	does  string
	flags bool // it takes the runner's flags; otherwise its arguments are passed on
	do    func(context.Context, *task) error
}

func verbs() []verb {
	return []verb{
		{"test", "installs what the tests need; go vet, then every test with the race detector", true, test},
		{"test-agents", "installs pinned agents from npm and runs the tests that drive them, 15 minutes at most", true, testAgents},
		{"mutate", "makes each mistake of two lists in the rules of turns and auto-resume; each must fail a test", true, mutate},
		{"fuzz", "runs each fuzz target for five seconds, or for as long as -time says", true, fuzz},
		{"lint", "golangci-lint over the whole tree; go vet for Linux, Windows and macOS", true, lint},
		{"bench", "runs the benchmarks and writes their table into README.md", true, bench},
		{"figures", "measures the window beside a bare one and beside Chromium: start, memory, processor, frames", true, measureWindow},
		{"test-window", "the part of test that drives the window that is shipped, on a virtual screen", true, testWindow},
		{"build", "installs what the window needs and builds it, and tw, into build/bin", true, build},
		{"run", "builds the window and opens it; further arguments go to it", false, openWindow},
		{"demo", "builds tw and runs the demo agent in the terminal; further arguments go to tw run", false, runDemo},
		{"package", "makes .deb, .rpm and the Windows installer in build/bin/package/out; on a Mac the app", true, packages},
		{"help", "this text", true, nil},
	}
}

func find(name string) (verb, bool) {
	for _, v := range verbs() {
		if v.name == name && v.do != nil {
			return v, true
		}
	}
	return verb{}, false
}

func help() string {
	var b strings.Builder
	b.WriteString("usage: go run ./build/task VERB [flags]\n\n")
	for _, v := range verbs() {
		fmt.Fprintf(&b, "  %-12s %s\n", v.name, v.does)
	}
	b.WriteString("\nflags (not of run and demo):\n")
	set, _ := newFlags("")
	set.SetOutput(&b)
	set.PrintDefaults()
	b.WriteString(`
Everything that is built or downloaded goes to build/bin and may be deleted.

For tests: TURNWATCH_SOURCES holds a hash of the sources. A test that builds a
program itself reads it, so that go does not take its result from the cache when
a source has changed that only that program is made of. The tests of test-agents
have the build tag agents and get TURNWATCH_TEST_AGENTS (a folder, one sub-folder
per agent with node_modules/.bin), TURNWATCH_TEST_AGENT_NAMES (those to run,
parted by commas), TURNWATCH_TEST_NODE (the folder of a node that is new enough)
and, with -full, TURNWATCH_TEST_FULL=1.

For benchmarks: name sub-benchmarks by what is compared, BenchmarkX/ours and
BenchmarkX/rawpipe. The first name that begins with raw is the baseline, else the
first that is not ours; numbers are sizes, measured by the first. Report rates
with b.ReportMetric or b.SetBytes; time per operation is shown where there are
none.

Exit status: 0 done, 1 a step failed, 2 wrong usage or something is missing that
we may not install, 130 interrupted, 143 terminated. go run itself turns all but
0 into 1.
`)
	return b.String()
}

func newFlags(name string) (*flag.FlagSet, *options) {
	o := &options{}
	set := flag.NewFlagSet(name, flag.ContinueOnError)
	set.BoolVar(&o.verbose, "v", false, "show what commands print while they run")
	set.BoolVar(&o.full, "full", false, "test-agents: also claude and the long matrix")
	set.StringVar(&o.agents, "agents", "", "test-agents: only these `names`, parted by commas")
	set.StringVar(&o.match, "match", "", "test, test-agents, mutate, bench, fuzz: only those whose name matches the `pattern`")
	set.BoolVar(&o.check, "check", false, "package: also install, run, upgrade and remove what was made, on a clean system")
	set.BoolVar(&o.twice, "twice", false, "package: also make everything again elsewhere, with an empty cache, and compare")
	set.IntVar(&o.count, "count", 1, "bench, figures: repetitions; the median is shown (figures: 5)")
	set.DurationVar(&o.time, "time", 0, "bench, figures: how long each is measured; fuzz: how long each is fuzzed (1s, 1m)")
	set.BoolVar(&o.markdown, "markdown", false, "figures: also write the table into docs/figures.md")
	return set, o
}

func parseOptions(name string, args []string) (options, []string, error) {
	set, o := newFlags(name)
	set.SetOutput(io.Discard)
	if err := set.Parse(args); err != nil {
		return options{}, nil, usageError{fmt.Sprintf("%s: %v; go run ./build/task help lists the flags", name, err)}
	}
	if set.NArg() > 0 {
		return options{}, nil, usageError{fmt.Sprintf("%s takes no argument %q; go run ./build/task help lists the flags", name, set.Arg(0))}
	}
	return *o, nil, nil
}

// bin is a path below build/bin.
func (t *task) bin(parts ...string) string {
	return filepath.Join(append([]string{t.root, "build", "bin"}, parts...)...)
}

func (t *task) stamps() stamp.Folder { return stamp.Folder(t.bin("stamps")) }

// command is a step that runs one command in the root of the project.
func (t *task) command(ctx context.Context, name string, env []string, args ...string) error {
	return t.commandIn(ctx, t.root, name, env, args...)
}

func (t *task) commandIn(ctx context.Context, dir, name string, env []string, args ...string) error {
	return t.console.Do(ctx, name, func(ctx context.Context, log io.Writer) (string, error) {
		return "", step.Run(ctx, step.Command{Dir: dir, Env: env, Args: args}, log)
	})
}

// sources is the key of all that Go compiles or embeds, of what its tests read
// and of the linter's list. Papers and the window's sources are no part of it.
func (t *task) sources() (stamp.Key, error) {
	return stamp.Files(t.root, func(path string) bool {
		for _, part := range []string{"backend/", "build/", "locales/", "frontend/e2e/"} {
			if strings.HasPrefix(path, part) {
				return true
			}
		}
		return !strings.Contains(path, "/") && !strings.HasSuffix(path, ".md")
	})
}
