package history_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/history"
)

// locks counts the locks that this process holds on a file.
func locks(t *testing.T, file string) int {
	t.Helper()
	info, err := os.Stat(file)
	require.NoError(t, err)
	held, err := os.ReadFile("/proc/locks")
	require.NoError(t, err)
	n := 0
	for line := range strings.Lines(string(held)) {
		if strings.Contains(line, fmt.Sprintf(" %d ", os.Getpid())) &&
			strings.Contains(line, fmt.Sprintf(":%d ", info.Sys().(*syscall.Stat_t).Ino)) {
			n++
		}
	}
	return n
}

// SQLite's locks on a file are the whole process's, and are lost when any file
// descriptor of it is closed. So nothing here may open the database but SQLite.
func TestLookingAgainTakesNoLockAway(t *testing.T) {
	dir := t.TempDir()
	p := mustPlace(t, dir)
	p.store(t, 1, text(1, "one"))
	file := filepath.Join(dir, "history.db")
	before := locks(t, file)
	require.Positive(t, before)

	r, err := history.OpenReader(t.Context(), history.Options{Dir: dir})
	require.NoError(t, err)
	require.NoError(t, r.Close(t.Context()))
	assert.Equal(t, before, locks(t, file), "after a reader")
	s, _ := mustOpen(t, history.Options{Dir: dir})
	require.NoError(t, s.Close(t.Context()))
	assert.Equal(t, before, locks(t, file), "after a writer")
}
