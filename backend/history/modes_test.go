//go:build !windows

package history_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/history"
)

// modes reads the modes of everything below dir.
func modes(t *testing.T, dir string) map[string]fs.FileMode {
	t.Helper()
	out := map[string]fs.FileMode{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := d.Info()
		require.NoError(t, err)
		out[path] = info.Mode().Perm()
		return nil
	}))
	return out
}

func TestEverythingIsTheUsersAlone(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	rows := []struct {
		name   string
		before func(t *testing.T, dir string)
	}{
		{"a new folder", func(*testing.T, string) {}},
		{"a folder that others may read", func(t *testing.T, dir string) {
			require.NoError(t, os.MkdirAll(filepath.Join(dir, "backups"), 0o777))
		}},
		{"a database that others may read", func(t *testing.T, dir string) {
			s, _ := mustOpen(t, history.Options{Dir: dir})
			require.NoError(t, s.CreateTask(t.Context(), history.Task{ID: "t1"}))
			require.NoError(t, s.Close(t.Context()))
			require.NoError(t, os.Chmod(filepath.Join(dir, "history.db"), 0o666))
			require.NoError(t, os.Chmod(dir, 0o755))
		}},
		{"an old schema", func(t *testing.T, dir string) {
			require.NoError(t, os.MkdirAll(dir, 0o755))
			loadFixture(t, dir, "v1.sql")
		}},
		{"a damaged one", func(t *testing.T, dir string) {
			require.NoError(t, os.MkdirAll(dir, 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "history.db"), []byte("garbage"), 0o600))
		}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "deep", "data")
			row.before(t, dir)
			p := mustPlace2(t, dir)
			p.store(t, 1, text(1, "a"))
			all := modes(t, dir)
			assert.Contains(t, all, filepath.Join(dir, "history.db-wal"))
			for path, mode := range all {
				assert.Zero(t, mode&0o077, "%s is %v", path, mode)
			}
		})
	}
}

// mustPlace2 is mustPlace in a history that may have the task already.
func mustPlace2(t *testing.T, dir string) *place {
	s, _ := mustOpen(t, history.Options{Dir: dir})
	p := &place{s, "t9", "s9", when}
	require.NoError(t, s.CreateTask(t.Context(), history.Task{ID: p.task}))
	require.NoError(t, s.CreateSession(t.Context(), history.NewSession{ID: p.session, Task: p.task}))
	return p
}
