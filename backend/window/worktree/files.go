package worktree

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"sort"
	"strings"
)

// Bounds of a walk through a folder.
const (
	mostFiles = 50_000
	deepest   = 16
)

// Files lists the files of a folder, relative to it, with slashes: those that git
// knows or would take up, or where there is no git those of a bounded walk that
// leaves out hidden folders and node_modules. Links are not followed.
func (s *Store) Files(ctx context.Context, folder string) ([]string, error) {
	if _, err := s.find(ctx, folder); err == nil {
		out, err := s.run(ctx, folder, append(plainEnv(), "GIT_CONFIG_NOSYSTEM=1"), nil,
			"ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
		if err == nil {
			return fields(out), nil
		}
	}
	return walk(ctx, folder)
}

func fields(raw []byte) []string {
	var out []string
	for name := range strings.SplitSeq(string(raw), "\x00") {
		if name != "" && !strings.HasSuffix(name, "/") && len(out) < mostFiles {
			out = append(out, name)
		}
	}
	return out
}

var errEnough = errors.New("enough")

func walk(ctx context.Context, folder string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			if d != nil && d.IsDir() && path != folder {
				return fs.SkipDir // not ours to read
			}
			return err
		}
		rel, err := filepath.Rel(folder, path)
		if err != nil || rel == "." {
			return err
		}
		if d.IsDir() {
			if strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" || strings.Count(rel, string(filepath.Separator)) >= deepest {
				return fs.SkipDir
			}
			return nil
		}
		out = append(out, filepath.ToSlash(rel))
		if len(out) >= mostFiles {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	sort.Strings(out)
	return out, err
}
