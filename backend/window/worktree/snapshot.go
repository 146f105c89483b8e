package worktree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Bounds of one snapshot: what is beyond them is not looked at.
const (
	largest    = 8 << 20   // of one file
	mostBytes  = 256 << 20 // of all files that have changed since the last one
	mostChosen = 20_000
)

// Snapshot is the state of a folder at one moment.
type Snapshot struct {
	Tree    string
	Skipped int // files that were too large, too many or no plain files
}

// Take looks at a folder now. Files that git ignores are left out. Under a name
// that is not empty the snapshot is kept for Kept.
func (s *Store) Take(ctx context.Context, folder, name string) (Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.find(ctx, folder)
	if err != nil {
		return Snapshot{}, err
	}
	if err := s.prepare(ctx, r); err != nil {
		return Snapshot{}, err
	}
	list, err := s.run(ctx, r.top, r.ours(), nil, "-c", "core.excludesFile="+r.exclude,
		"ls-files", "-z", "--modified", "--deleted", "--others", "--exclude-standard", "--", pathspec(r.inner))
	if err != nil {
		return Snapshot{}, err
	}
	chosen, skipped := choose(r.top, list)
	if _, err := s.run(ctx, r.top, r.ours(), chosen, "update-index", "--add", "--remove", "-z", "--stdin"); err != nil {
		return Snapshot{}, err
	}
	tree, err := s.run(ctx, r.top, r.ours(), nil, "write-tree")
	if err != nil {
		return Snapshot{}, err
	}
	snap := Snapshot{Tree: strings.TrimSpace(string(tree)), Skipped: skipped}
	if name == "" {
		return snap, nil
	}
	_, err = s.run(ctx, r.top, r.ours(), nil, "update-ref", refOf(name), snap.Tree)
	if err == nil {
		err = s.tidy(ctx, r)
	}
	return snap, err
}

// Kept gives the tree that was kept under a name; "" where there is none.
func (s *Store) Kept(ctx context.Context, folder, name string) (string, error) {
	r, err := s.find(ctx, folder)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(r.own); err != nil {
		return "", nil
	}
	out, err := s.run(ctx, r.top, r.ours(), nil, "for-each-ref", "--format=%(objectname)", refOf(name))
	return strings.TrimSpace(string(out)), err
}

var odd = regexp.MustCompile(`[^A-Za-z0-9/_-]`)

func refOf(name string) string { return "refs/turns/" + odd.ReplaceAllString(name, "_") }

// pathspec names a folder as it is, without patterns.
func pathspec(inner string) string { return ":(top,literal)" + strings.TrimPrefix(inner, ".") }

// prepare makes our git directory. Its index begins as a copy of the user's: what
// git knows of files that have not changed need not be read again.
func (s *Store) prepare(ctx context.Context, r repo) error {
	if _, err := os.Stat(filepath.Join(r.own, "HEAD")); err == nil {
		return nil
	}
	if err := os.MkdirAll(r.own, 0o700); err != nil {
		return fmt.Errorf("make snapshot store: %w", err)
	}
	env := append(plainEnv(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "HOME="+r.own)
	if _, err := s.run(ctx, r.own, env, nil, "init", "--quiet", "--bare", "--template=", r.own); err != nil {
		return err
	}
	return copyFile(filepath.Join(r.own, "snapshot.index"), r.index)
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("copy index: %w", err)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("copy index: %w", err)
	}
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Close()); err != nil {
		return fmt.Errorf("copy index: %w", errors.Join(err, os.Remove(to)))
	}
	return nil
}

// choose keeps, of a list parted by NUL, what is gone and the plain files and
// links within the bounds.
func choose(top string, list []byte) (chosen *bytes.Buffer, skipped int) {
	chosen = &bytes.Buffer{}
	total, n := int64(0), 0
	seen := map[string]bool{}
	for name := range strings.SplitSeq(string(list), "\x00") {
		if name == "" || seen[name] {
			continue
		}
		seen[name] = true
		info, err := os.Lstat(filepath.Join(top, filepath.FromSlash(name)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil, info.Size() > largest, total+info.Size() > mostBytes, n >= mostChosen,
			!info.Mode().IsRegular() && info.Mode()&fs.ModeSymlink == 0:
			skipped++
			continue
		default:
			total += info.Size()
		}
		n++
		chosen.WriteString(name)
		chosen.WriteByte(0)
	}
	return chosen, skipped
}

// Bounds of what is kept for one work tree.
const (
	keptMost = 600
	keptLess = 300
)

// tidy forgets the oldest snapshots of a work tree when there are many. Their
// names sort by time.
func (s *Store) tidy(ctx context.Context, r repo) error {
	out, err := s.run(ctx, r.top, r.ours(), nil, "for-each-ref", "--sort=refname", "--format=%(refname)", "refs/turns")
	if err != nil {
		return err
	}
	refs := strings.Fields(string(out))
	if len(refs) <= keptMost {
		return nil
	}
	var commands strings.Builder
	for _, ref := range refs[:len(refs)-keptLess] {
		fmt.Fprintf(&commands, "delete %s\n", ref)
	}
	if _, err := s.run(ctx, r.top, r.ours(), strings.NewReader(commands.String()), "update-ref", "--stdin"); err != nil {
		return err
	}
	_, err = s.run(ctx, r.top, r.ours(), nil, "prune", "--expire=now")
	return err
}
