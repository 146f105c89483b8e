package history_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/history"
)

// loadFixture makes the database that an earlier version has left.
func loadFixture(t *testing.T, dir, name string) {
	t.Helper()
	script, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	sqlExec(t, dir, "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;"+string(script))
}

// schema lists all that makes up a schema.
func schema(t *testing.T, dir string) []string {
	t.Helper()
	return query(t, dir, `SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY 1`)
}

func query(t *testing.T, dir, q string) []string {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(dir, "history.db")+"?mode=ro")
	require.NoError(t, err)
	defer db.Close()
	rows, err := db.Query(q)
	require.NoError(t, err)
	defer rows.Close()
	var out []string
	for rows.Next() {
		var s string
		require.NoError(t, rows.Scan(&s))
		out = append(out, s)
	}
	require.NoError(t, rows.Err())
	return out
}

func TestAMigratedSchemaEqualsAFreshOne(t *testing.T) {
	fresh := t.TempDir()
	mustPlace(t, fresh)
	fixtures, err := filepath.Glob("testdata/v*.sql")
	require.NoError(t, err)
	require.NotEmpty(t, fixtures)
	for _, f := range fixtures {
		t.Run(filepath.Base(f), func(t *testing.T) {
			dir := t.TempDir()
			loadFixture(t, dir, filepath.Base(f))
			mustOpen(t, history.Options{Dir: dir})
			assert.Equal(t, schema(t, fresh), schema(t, dir))
			for _, pragma := range []string{"application_id", "auto_vacuum", "journal_mode"} {
				q := fmt.Sprintf("SELECT * FROM pragma_%s", pragma)
				assert.Equal(t, query(t, fresh, q), query(t, dir, q), pragma)
			}
		})
	}
}

func TestMigrationKeepsACopyAndWhatWasThere(t *testing.T) {
	dir := t.TempDir()
	loadFixture(t, dir, "v1.sql")
	s, opened := mustOpen(t, history.Options{Dir: dir})
	assert.True(t, opened.Migrated)
	require.FileExists(t, opened.Backup)
	info, err := os.Stat(opened.Backup)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	assert.Equal(t, []string{"1:fix the parser", "2:done, and streaming"}, texts(t, s, "s1"))
	require.NoError(t, s.Flush(t.Context()))
	assert.Equal(t, []string{"s1/1"}, found(t, s, "parser"), "the index is made from what was there")
	assert.Equal(t, []string{"s1/2"}, found(t, s, "streaming"))
	assert.Len(t, opened.Recovered, 1, "the turn that was open")

	// The copy is the database as it was: put back, it migrates again.
	again := t.TempDir()
	b, err := os.ReadFile(opened.Backup)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(again, "history.db"), b, 0o600))
	_, opened = mustOpen(t, history.Options{Dir: again})
	assert.True(t, opened.Migrated)
	assert.Len(t, opened.Recovered, 1)
}

func TestOnlyTheNewestCopiesAreKept(t *testing.T) {
	dir := t.TempDir()
	c := newClock()
	var backups []string
	for range 5 {
		for _, suffix := range []string{"", "-wal", "-shm"} {
			os.Remove(filepath.Join(dir, "history.db"+suffix))
		}
		loadFixture(t, dir, "v1.sql")
		c.advance(time.Hour)
		s, opened := mustOpen(t, history.Options{Dir: dir, Clock: c})
		require.NoError(t, s.Close(t.Context()))
		backups = append(backups, opened.Backup)
	}
	for i, b := range backups {
		if i < 2 {
			assert.NoFileExists(t, b)
		} else {
			assert.FileExists(t, b)
		}
	}
}

func TestOpeningAgainMigratesNothing(t *testing.T) {
	dir := t.TempDir()
	s, opened := mustOpen(t, history.Options{Dir: dir})
	assert.False(t, opened.Migrated, "a new one is not a migrated one")
	require.NoError(t, s.Close(t.Context()))
	_, opened = mustOpen(t, history.Options{Dir: dir})
	assert.Equal(t, history.Opened{}, opened)
}

// newest is the newest schema version: the numbers of the migrations follow each
// other.
func newest(t *testing.T) int {
	t.Helper()
	names, err := filepath.Glob("migrations/*.sql")
	require.NoError(t, err)
	for i, name := range names {
		require.True(t, strings.HasPrefix(filepath.Base(name), fmt.Sprintf("%04d_", i+1)), name)
	}
	return len(names)
}

func TestEveryVersionButTheNewestHasItsFixture(t *testing.T) {
	for v := 1; v < newest(t); v++ {
		assert.FileExists(t, fmt.Sprintf("testdata/v%d.sql", v), "the database as that version left it")
	}
}
