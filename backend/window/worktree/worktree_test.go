package worktree_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/window/worktree"
)

// git runs a command of the user's in dir.
func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
}

// project is a repository with a few committed files.
func project(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	put(t, dir, "a.txt", "one\ntwo\n")
	put(t, dir, "inner/b.txt", "b\n")
	put(t, dir, "gone.txt", "gone\n")
	put(t, dir, ".gitignore", "*.secret\n")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", "first")
	return dir
}

// told writes changes as lines.
func told(changes []worktree.Change) []string {
	show := func(s *string) string {
		if s == nil {
			return "-"
		}
		return *s
	}
	var out []string
	for _, c := range changes {
		l := fmt.Sprintf("%s: %q -> %q", c.Path, show(c.Old), show(c.New))
		if c.Odd {
			l = c.Path + ": odd"
		}
		out = append(out, l)
	}
	return out
}

func take(t *testing.T, s *worktree.Store, dir, name string) string {
	t.Helper()
	snap, err := s.Take(t.Context(), dir, name)
	require.NoError(t, err)
	return snap.Tree
}

func TestWhatChangedBetweenTwoMoments(t *testing.T) {
	dir, s := project(t), worktree.Open(t.TempDir())
	put(t, dir, "a.txt", "one\ntwo\nmine, not the turn's\n")
	put(t, dir, "untracked.txt", "before\n")
	before := take(t, s, dir, "S1/1/start")
	put(t, dir, "a.txt", "one\n2\nmine, not the turn's\n")
	put(t, dir, "untracked.txt", "after\n")
	put(t, dir, "new dir/ü \"q\".txt", "new\n")
	put(t, dir, "key.secret", "never stored")
	require.NoError(t, os.Remove(filepath.Join(dir, "gone.txt")))
	put(t, dir, "bin", "a\x00b")
	put(t, dir, "large.txt", strings.Repeat("x", 600<<10))
	after := take(t, s, dir, "S1/1/end")

	changes, cut, err := s.Compare(t.Context(), dir, before, after)
	require.NoError(t, err)
	assert.False(t, cut)
	assert.Equal(t, []string{
		`a.txt: "one\ntwo\nmine, not the turn's\n" -> "one\n2\nmine, not the turn's\n"`,
		`bin: "-" -> "a\x00b"`,
		`gone.txt: "gone\n" -> "-"`,
		`large.txt: odd`,
		`new dir/ü "q".txt: "-" -> "new\n"`,
		`untracked.txt: "before\n" -> "after\n"`,
	}, told(changes))

	kept, err := s.Kept(t.Context(), dir, "S1/1/start")
	require.NoError(t, err)
	assert.Equal(t, before, kept)
	kept, err = s.Kept(t.Context(), dir, "S1/2/start")
	require.NoError(t, err)
	assert.Empty(t, kept)
}

func TestAFolderInsideAWorkTreeIsAllThatIsLookedAt(t *testing.T) {
	dir, s := project(t), worktree.Open(t.TempDir())
	inner := filepath.Join(dir, "inner")
	before := take(t, s, inner, "")
	put(t, dir, "a.txt", "changed\n")
	put(t, dir, "inner/b.txt", "changed\n")
	changes, _, err := s.Compare(t.Context(), inner, before, take(t, s, inner, ""))
	require.NoError(t, err)
	assert.Equal(t, []string{`inner/b.txt: "b\n" -> "changed\n"`}, told(changes))
}

func TestASnapshotChangesNothingAndRunsNothingOfTheRepository(t *testing.T) {
	dir, s := project(t), worktree.Open(t.TempDir())
	ran := filepath.Join(t.TempDir(), "ran")
	script := filepath.Join(t.TempDir(), "evil")
	require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\necho \"$0 $*\" >> "+ran+"\ncat\n"), 0o755))
	put(t, dir, ".gitattributes", "*.txt filter=evil diff=evil\n")
	for _, kv := range [][2]string{
		{"filter.evil.clean", script}, {"filter.evil.process", script}, {"filter.evil.smudge", script},
		{"diff.evil.textconv", script}, {"diff.evil.command", script}, {"diff.external", script},
		{"core.fsmonitor", script}, {"core.hooksPath", filepath.Dir(script)}, {"core.pager", script},
		{"core.sshCommand", script}, {"core.askPass", script},
	} {
		git(t, dir, "config", kv[0], kv[1])
	}
	for _, hook := range []string{"post-index-change", "reference-transaction", "pre-commit"} {
		data, err := os.ReadFile(script)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(script), hook), data, 0o755))
		put(t, dir, ".git/hooks/"+hook, string(data))
		require.NoError(t, os.Chmod(filepath.Join(dir, ".git", "hooks", hook), 0o755))
	}
	before := fingerprint(t, dir)
	first := take(t, s, dir, "S/1/start")
	assert.Equal(t, before, fingerprint(t, dir), "the user's files and repository are as they were")
	put(t, dir, "a.txt", "changed\n")
	changes, _, err := s.Compare(t.Context(), dir, first, take(t, s, dir, "S/1/end"))
	require.NoError(t, err)
	assert.Len(t, changes, 1)
	_, err = s.Files(t.Context(), dir)
	require.NoError(t, err)
	said, _ := os.ReadFile(ran)
	assert.Empty(t, string(said), "nothing that the repository names was run")
}

// fingerprint is every file of a folder, .git too, with its contents.
func fingerprint(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		out[path] = fmt.Sprintf("%x", sha256.Sum256(data))
		return err
	}))
	return out
}

func TestWithoutGit(t *testing.T) {
	s := worktree.Open(t.TempDir())
	dir := t.TempDir()
	_, err := s.Take(t.Context(), dir, "")
	require.ErrorIs(t, err, worktree.ErrNoGit)
	put(t, dir, "x.txt", "")
	put(t, dir, "sub/y.txt", "")
	put(t, dir, ".hidden/z", "")
	put(t, dir, "node_modules/m/z", "")
	files, err := s.Files(t.Context(), dir)
	require.NoError(t, err)
	assert.Equal(t, []string{"sub/y.txt", "x.txt"}, files)

	t.Setenv("PATH", t.TempDir())
	_, err = worktree.Open(t.TempDir()).Take(t.Context(), t.TempDir(), "")
	require.ErrorIs(t, err, worktree.ErrNoGit, "no git on this machine")
}

func TestFilesThatGitKnows(t *testing.T) {
	dir, s := project(t), worktree.Open(t.TempDir())
	put(t, dir, "fresh.txt", "")
	put(t, dir, "x.secret", "")
	files, err := s.Files(t.Context(), filepath.Join(dir, "inner"))
	require.NoError(t, err)
	assert.Equal(t, []string{"b.txt"}, files)
	files, err = s.Files(t.Context(), dir)
	require.NoError(t, err)
	assert.ElementsMatch(t, []string{".gitignore", "a.txt", "fresh.txt", "gone.txt", "inner/b.txt"}, files)
}

func TestASnapshotEndsWithItsContext(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err := worktree.Open(t.TempDir()).Take(ctx, project(t), "")
	require.Error(t, err)
}

func TestAStateThatGitCannotMergeIsStillASnapshot(t *testing.T) {
	dir, s := project(t), worktree.Open(t.TempDir())
	git(t, dir, "checkout", "-q", "-b", "other")
	put(t, dir, "a.txt", "other\n")
	git(t, dir, "commit", "-q", "-am", "other")
	git(t, dir, "checkout", "-q", "-")
	put(t, dir, "a.txt", "ours\n")
	git(t, dir, "commit", "-q", "-am", "ours")
	cmd := exec.Command("git", "merge", "-q", "other")
	cmd.Dir = dir
	require.Error(t, cmd.Run(), "a conflict")
	before := take(t, s, dir, "")
	put(t, dir, "a.txt", "solved\n")
	changes, _, err := s.Compare(t.Context(), dir, before, take(t, s, dir, ""))
	require.NoError(t, err)
	require.Len(t, changes, 1)
	assert.Equal(t, "solved\n", *changes[0].New)
}
