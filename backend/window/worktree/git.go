package worktree

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// ErrNoGit says that there is no git, or that the folder lies in no work tree.
var ErrNoGit = errors.New("folder is not in a git work tree")

// bound is how long one question to git may take, most how much it may say.
const (
	bound = 20 * time.Second
	most  = 64 << 20
)

// Store keeps snapshots below one folder.
type Store struct {
	dir string
	git string // "" where there is none

	mu sync.Mutex // one snapshot at a time
}

// Open makes a store that keeps its things in dir, which is made when needed.
func Open(dir string) *Store {
	git, err := exec.LookPath("git")
	if err != nil {
		git = ""
	}
	return &Store{dir: dir, git: git}
}

// repo is where a folder lies, and what we keep for that work tree.
type repo struct {
	top     string // of the user's work tree
	inner   string // the folder below top, with slashes; "." for top
	objects string // the user's, to be read
	index   string // the user's, to be copied
	exclude string // the user's list of what is ignored
	own     string // our git directory
}

// find asks git where a folder lies.
func (s *Store) find(ctx context.Context, folder string) (repo, error) {
	if s.git == "" {
		return repo{}, ErrNoGit
	}
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return repo{}, fmt.Errorf("find work tree: %w", err)
	}
	out, err := s.run(ctx, real, plainEnv(), nil, "rev-parse", "--path-format=absolute",
		"--show-toplevel", "--git-path", "objects", "--git-path", "index", "--git-path", "info/exclude")
	lines := strings.Split(strings.TrimRight(string(out), "\n"), "\n")
	if err != nil || len(lines) != 4 {
		if ctx.Err() != nil {
			return repo{}, ctx.Err()
		}
		return repo{}, ErrNoGit
	}
	top, err := filepath.EvalSymlinks(filepath.FromSlash(lines[0]))
	if err != nil {
		return repo{}, fmt.Errorf("find work tree: %w", err)
	}
	inner, err := filepath.Rel(top, real)
	if err != nil || !filepath.IsLocal(inner) {
		return repo{}, ErrNoGit
	}
	sum := sha256.Sum256([]byte(top))
	return repo{
		top: top, inner: filepath.ToSlash(inner), objects: lines[1], index: lines[2], exclude: lines[3],
		own: filepath.Join(s.dir, hex.EncodeToString(sum[:8])+".git"),
	}, nil
}

// ours is the environment of a git that knows our git directory and nothing of
// the user's but objects to read and files to look at.
func (r repo) ours() []string {
	return append(plainEnv(),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "HOME="+r.own, "XDG_CONFIG_HOME="+r.own,
		"GIT_DIR="+r.own, "GIT_WORK_TREE="+r.top, "GIT_INDEX_FILE="+filepath.Join(r.own, "snapshot.index"),
		"GIT_ALTERNATE_OBJECT_DIRECTORIES="+r.objects, "GIT_ATTR_NOSYSTEM=1")
}

// plainEnv is our environment without what would make git do other things.
func plainEnv() []string {
	var env []string
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GIT_") {
			env = append(env, kv)
		}
	}
	return append(env, "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C")
}

// quietly are settings that outrank every configuration.
func quietly() []string {
	return []string{
		"-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "core.attributesFile=" + os.DevNull,
		"-c", "core.untrackedCache=false", "-c", "core.splitIndex=false", "-c", "gc.auto=0", "-c", "core.quotePath=false",
		"-c", "core.autocrlf=false", "-c", "core.safecrlf=false",
	}
}

// run runs one git command and gives what it printed.
func (s *Store) run(ctx context.Context, dir string, env []string, in io.Reader, args ...string) ([]byte, error) {
	ctx, stop := context.WithTimeout(ctx, bound)
	defer stop()
	var out limited
	cmd := exec.CommandContext(ctx, s.git, append(quietly(), args...)...)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout = dir, env, in, &out
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return nil, fmt.Errorf("run git %s: %w", args[0], err)
	}
	return out.Bytes(), nil
}

// limited takes so much and no more.
type limited struct{ bytes.Buffer }

// Write fails when too much was said, which ends the command.
func (l *limited) Write(p []byte) (int, error) {
	if l.Len()+len(p) > most {
		return 0, errors.New("output is too long")
	}
	return l.Buffer.Write(p)
}
