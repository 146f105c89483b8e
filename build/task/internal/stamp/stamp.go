// Package stamp remembers which work was done for which input, so that it is
// not done again.
//
// It may read the tree that it hashes and write below one folder of stamps.
package stamp

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Key tells one state of an input from another.
type Key string

// Of makes the key of a list of words. The order counts, and no two different
// lists have the same key.
func Of(words ...string) Key {
	h := sha256.New()
	for _, w := range words {
		_, _ = fmt.Fprintf(h, "%d:%s", len(w), w)
	}
	return Key(hex.EncodeToString(h.Sum(nil))[:32])
}

// Files makes a key of the names and the contents of the files below root that
// want keeps. Folders named .git and node_modules, and build/bin, are not
// entered. want gets paths relative to root with forward slashes.
func Files(root string, want func(path string) bool) (Key, error) {
	h := sha256.New()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if d.Name() == ".git" || d.Name() == "node_modules" || rel == "build/bin" {
				return filepath.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() || !want(rel) {
			return nil
		}
		return hashFile(h, rel, path)
	})
	if err != nil {
		return "", fmt.Errorf("hash files below %s: %w", root, err)
	}
	return Key(hex.EncodeToString(h.Sum(nil))[:32]), nil
}

func hashFile(h io.Writer, name, path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(h, "%d:%s%d:%s", len(name), name, len(data), data)
	return err
}

// Folder is where stamps are kept, one file for each kind of work.
type Folder string

// Done tells whether the work was done for this key.
func (f Folder) Done(work string, k Key) bool {
	data, err := os.ReadFile(f.path(work))
	return err == nil && strings.TrimSpace(string(data)) == string(k)
}

// Mark remembers that the work was done for this key and forgets the key before
// it.
func (f Folder) Mark(work string, k Key) error {
	if err := os.MkdirAll(string(f), 0o755); err != nil {
		return fmt.Errorf("make folder of stamps: %w", err)
	}
	if err := os.WriteFile(f.path(work), []byte(k+"\n"), 0o644); err != nil {
		return fmt.Errorf("write stamp: %w", err)
	}
	return nil
}

// Forget makes the work due again.
func (f Folder) Forget(work string) error {
	if err := os.Remove(f.path(work)); err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("remove stamp: %w", err)
	}
	return nil
}

func (f Folder) path(work string) string { return filepath.Join(string(f), work+".stamp") }
