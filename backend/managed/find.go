package managed

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/opencode"
	"turnwatch/backend/proc"
)

// Bounds of asking programs for their version.
const (
	versionBound = 5 * time.Second
	versionSide  = 4 // at most so many side by side
)

// Found is what is known of one agent on this machine.
type Found struct {
	Kind    agent.Kind
	Name    string   // its proper name, the same in every language
	Program string   // absolute path; "" where it was not found
	Version string   // as it says itself; "" where it does not
	Launch  []string // the exact command line; PORT stands for a free port of the moment
	Env     []string // names of the variables that are set for it, never their values
	Hint    string   // what to do about what is missing or too old, "" where nothing is
	Args    map[string]string
}

// Ready reports whether there is a program to launch. Where a Hint stands all the
// same, the launch may fail for that reason: packages ask for a newer Node than
// some of their versions really need.
func (f Found) Ready() bool { return f.Program != "" }

// Find looks for every agent that Turnwatch knows, on the PATH of the
// environment and in the usual places, and asks each one found for its version,
// side by side and for at most 5 seconds. The order is fixed. It blocks; when ctx
// ends, versions that are not known yet stay "".
func Find(ctx context.Context, o Options) []Found {
	f := newFinder(o.Environ)
	all := profiles()
	out := make([]Found, len(all))
	slots := make(chan struct{}, versionSide)
	var wg sync.WaitGroup
	for i, p := range all {
		at := f.look(p, o)
		out[i] = describe(p, at)
		if at.file == "" {
			continue
		}
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			f.ask(ctx, p, at, o, &out[i])
		})
	}
	wg.Wait()
	return out
}

// look finds the program of an agent.
func (f finder) look(p profile, o Options) place {
	if p.kind != agent.Demo {
		return f.locate(p.programs, p.own)
	}
	if o.Self == "" {
		return place{}
	}
	return place{file: o.Self, onPath: true}
}

// describe says what is known without starting anything.
func describe(p profile, at place) Found {
	out := Found{Kind: p.kind, Name: p.name, Program: at.file}
	switch {
	case at.file != "":
		out.Launch = append([]string{at.file}, p.args...)
		if p.kind == agent.OpenCode {
			out.Launch = append(append([]string{at.file}, openCodeArgs()...), "PORT")
			out.Env = []string{opencode.PasswordVar}
		}
	case at.closed != "":
		out.Hint, out.Args = HintNotExecutable, map[string]string{"program": filepath.Base(at.closed)}
	case p.kind == agent.Demo:
		out.Hint, out.Args = HintNotFound, map[string]string{"program": "tw", "install": ""}
	default:
		out.Hint, out.Args = HintNotFound, map[string]string{"program": p.programs[0], "install": p.install}
	}
	return out
}

// ask fills in the version, and what is wrong with the Node that would run it.
func (f finder) ask(ctx context.Context, p profile, at place, o Options, out *Found) {
	if p.kind == agent.Demo {
		out.Version = o.Version
		return
	}
	ctx, stop := context.WithTimeout(ctx, versionBound)
	defer stop()
	if !p.silent {
		out.Version = printed(ctx, at.file, f.environ(o.Environ, at), o)
	}
	if out.Version == "" {
		out.Version = packageVersion(at.file)
	}
	if p.node == "" || !nodeScript(at.file) {
		return
	}
	node := f.locate([]string{"node"}, nil)
	if beside := filepath.Join(filepath.Dir(at.file), "node"); !at.onPath && runs(beside) {
		node = place{file: beside, onPath: true}
	}
	have := ""
	if node.onPath {
		have = printed(ctx, node.file, o.Environ, o)
	}
	if !node.onPath || olderThan(have, p.node) {
		out.Hint, out.Args = HintOldNode, map[string]string{"need": p.node, "have": have}
	}
}

// environ is the environment that a program found at a place is started with:
// the folder of one found off the PATH is put on it, for the interpreter that
// lies beside it.
func (f finder) environ(base []string, at place) []string {
	if at.onPath {
		return base
	}
	return proc.Environ(base, map[string]string{"PATH": withFolder(f.env, filepath.Dir(at.file))})
}

// withFolder is the PATH with a folder before it.
func withFolder(e environment, dir string) string {
	if e.path() == "" {
		return dir
	}
	return dir + string(filepath.ListSeparator) + e.path()
}

// printed runs a program with --version and finds the version in what it prints.
// Its stdin is closed at once, and nothing of it is left when ctx ends.
func printed(ctx context.Context, program string, env []string, o Options) string {
	p, err := proc.Start(ctx, proc.Options{
		Path: program, Args: []string{"--version"}, Env: env, Dir: os.TempDir(),
		Ledger: o.Ledger, Log: o.Log,
	})
	if err != nil {
		return ""
	}
	_ = p.Stdin().Close()
	text := make(chan string, 1)
	go func() {
		head, _ := io.ReadAll(io.LimitReader(p.Stdout(), 4<<10))
		_, _ = io.Copy(io.Discard, p.Stdout())
		text <- string(head)
	}()
	select {
	case <-p.Done():
	case <-ctx.Done():
	}
	_ = p.Stop(context.Background(), proc.Stopping{Grace: -1, Term: -1})
	out := <-text // stdout ends with the process, at the latest two seconds after
	_ = p.Stdout().Close()
	if ctx.Err() != nil {
		return ""
	}
	return parseVersion(out)
}

// nodeScript reports whether a file is a script for Node.
func nodeScript(file string) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 128)
	n, _ := io.ReadFull(f, head)
	return slices.Contains(shebang(head[:n]), "node")
}

func runs(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}
