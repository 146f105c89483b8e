package history_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
)

// full makes a history of some size in dir and closes it.
func full(t *testing.T, dir string) {
	t.Helper()
	p := mustPlace(t, dir)
	facts := []agent.Fact{agent.TurnStarted{Generation: 1, Prompt: prompt("p1", "go")}}
	for seq := range uint64(500) {
		facts = append(facts, text(seq+1, words(int(seq), 20)))
	}
	p.store(t, 1, append(facts, agent.TurnSettled{Outcome: agent.Completed})...)
	require.NoError(t, p.Close(t.Context()))
}

func change(t *testing.T, dir string, f func([]byte) []byte) {
	t.Helper()
	name := filepath.Join(dir, "history.db")
	b, err := os.ReadFile(name)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(name, f(b), 0o600))
}

func TestADamagedDatabaseIsSetAside(t *testing.T) {
	rows := []struct {
		name  string
		spoil func(t *testing.T, dir string)
	}{
		{"garbage", func(t *testing.T, dir string) {
			change(t, dir, func(b []byte) []byte { return bytes.Repeat([]byte("garbage "), 4096) })
		}},
		{"garbage shorter than a header", func(t *testing.T, dir string) {
			change(t, dir, func([]byte) []byte { return []byte("x") })
		}},
		{"cut in the middle", func(t *testing.T, dir string) {
			change(t, dir, func(b []byte) []byte { return b[:len(b)/2] })
		}},
		{"cut within a page", func(t *testing.T, dir string) {
			change(t, dir, func(b []byte) []byte { return b[:len(b)-100] })
		}},
		{"cut to its header", func(t *testing.T, dir string) {
			change(t, dir, func(b []byte) []byte { return b[:100] })
		}},
		{"an impossible page size", func(t *testing.T, dir string) {
			change(t, dir, func(b []byte) []byte { b[16], b[17] = 3, 7; return b })
		}},
		{"a malformed schema page", func(t *testing.T, dir string) {
			change(t, dir, func(b []byte) []byte { copy(b[100:400], make([]byte, 300)); return b })
		}},
		{"malformed pages in the middle", func(t *testing.T, dir string) {
			change(t, dir, func(b []byte) []byte {
				copy(b[len(b)/2:len(b)/2+40960], bytes.Repeat([]byte{0xa5}, 40960))
				return b
			})
		}},
		{"somebody else's database", func(t *testing.T, dir string) {
			require.NoError(t, os.Remove(filepath.Join(dir, "history.db")))
			sqlExec(t, dir, "CREATE TABLE theirs (x)")
		}},
		{"a log without its database", func(t *testing.T, dir string) {
			require.NoError(t, os.Remove(filepath.Join(dir, "history.db")))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "history.db-wal"), bytes.Repeat([]byte{7}, 5000), 0o600))
		}},
		{"an empty database with a log", func(t *testing.T, dir string) {
			change(t, dir, func([]byte) []byte { return nil })
			require.NoError(t, os.WriteFile(filepath.Join(dir, "history.db-wal"), bytes.Repeat([]byte{7}, 5000), 0o600))
		}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			dir := t.TempDir()
			full(t, dir)
			row.spoil(t, dir)
			before := contents(t, dir)

			s, opened := mustOpen(t, history.Options{Dir: dir})
			require.NotEmpty(t, opened.SetAside)
			assert.True(t, strings.HasPrefix(filepath.Base(opened.SetAside), "history.damaged-"))
			assert.Equal(t, before, contents(t, dir, opened.SetAside), "nothing of it is lost")
			tasks, err := s.Tasks(t.Context(), history.TaskFilter{})
			require.NoError(t, err)
			assert.Empty(t, tasks)
			require.NoError(t, s.CreateTask(t.Context(), history.Task{ID: "new"}), "the new one works")
			require.NoError(t, s.Close(t.Context()))

			_, opened = mustOpen(t, history.Options{Dir: dir})
			assert.Empty(t, opened.SetAside, "the new one is not taken for damaged")
		})
	}
}

// contents reads the database with its log, by the name that it has now.
func contents(t *testing.T, dir string, name ...string) string {
	t.Helper()
	file := filepath.Join(dir, "history.db")
	if len(name) > 0 {
		file = name[0]
	}
	var all []byte
	for _, suffix := range []string{"", "-wal"} {
		b, err := os.ReadFile(file + suffix)
		if err != nil {
			require.ErrorIs(t, err, os.ErrNotExist)
		}
		all = append(append(all, '|'), b...)
	}
	return string(all)
}

func sqlExec(t *testing.T, dir, query string) {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(dir, "history.db"))
	require.NoError(t, err)
	defer db.Close()
	_, err = db.Exec(query)
	require.NoError(t, err)
}

func TestADamagedDatabaseIsLeftWhereAnotherProgramHasItOpen(t *testing.T) {
	dir := t.TempDir()
	full(t, dir)
	o := startOther(t, "hold", dir)
	o.until(t, "started")
	change(t, dir, func([]byte) []byte { return []byte("garbage") })
	_, _, err := history.Open(t.Context(), history.Options{Dir: dir})
	assert.ErrorIs(t, err, history.ErrDamaged)
	b, err := os.ReadFile(filepath.Join(dir, "history.db"))
	require.NoError(t, err)
	assert.Equal(t, "garbage", string(b))
}

// Damage that no quick look finds is found when it is written to; the next start
// reads everything and sets the database aside.
func TestDamageFoundWhileWritingIsRememberedForTheNextStart(t *testing.T) {
	dir := t.TempDir()
	p := mustPlace(t, dir)
	p.store(t, 1, text(1, strings.Repeat("more than is read through at each start ", 100000)))
	require.NoError(t, p.Close(t.Context()))
	root, err := strconv.Atoi(query(t, dir, "SELECT rootpage FROM sqlite_schema WHERE name = 'notices'")[0])
	require.NoError(t, err)
	change(t, dir, func(b []byte) []byte { copy(b[(root-1)*4096:root*4096], bytes.Repeat([]byte{0xa5}, 4096)); return b })

	told := make(chan history.Health, 10)
	s, opened := mustOpen(t, history.Options{Dir: dir, OnHealth: func(h history.Health) { told <- h }})
	assert.Empty(t, opened.SetAside)
	p.Store = s
	p.Record(p.entries(1, agent.Noticed{Notice: agent.Notice{Kind: "quiet"}}), true, nil)
	assert.ErrorIs(t, (<-told).Err, history.ErrDamaged)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, s.Close(ctx), history.ErrDamaged)

	s, opened = mustOpen(t, history.Options{Dir: dir})
	assert.NotEmpty(t, opened.SetAside)
	assert.NoFileExists(t, filepath.Join(dir, "history.suspect"))
	require.NoError(t, s.Close(t.Context()))
}

func TestASuspectThatIsSoundIsKept(t *testing.T) {
	dir := t.TempDir()
	full(t, dir)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "history.suspect"), nil, 0o600))
	s, opened := mustOpen(t, history.Options{Dir: dir})
	assert.Empty(t, opened.SetAside)
	assert.NoFileExists(t, filepath.Join(dir, "history.suspect"))
	assert.Len(t, texts(t, s, "s1"), 500)
}

func TestATooNewDatabaseIsRefusedAndNotTouched(t *testing.T) {
	dir := t.TempDir()
	full(t, dir)
	sqlExec(t, dir, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)")
	sqlExec(t, dir, "PRAGMA wal_checkpoint(TRUNCATE)")
	before := contents(t, dir)
	opens := map[string]func() error{
		"for writing": func() error {
			_, _, err := history.Open(t.Context(), history.Options{Dir: dir})
			return err
		},
		"for reading": func() error {
			_, err := history.OpenReader(t.Context(), history.Options{Dir: dir})
			return err
		},
	}
	for name, open := range opens {
		t.Run(name, func(t *testing.T) {
			err := open()
			require.ErrorIs(t, err, history.ErrTooNew)
			var e *history.Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, history.HintTooNew, e.Hint)
			assert.Equal(t, map[string]string{"dir": dir, "have": "999", "know": fmt.Sprint(newest(t))}, e.Args)
			assert.Equal(t, before, contents(t, dir))
		})
	}
}

func TestAReaderSaysWhatIsWrong(t *testing.T) {
	rows := []struct {
		name string
		make func(t *testing.T, dir string)
		want error
		hint string
	}{
		{"no folder", func(t *testing.T, dir string) { require.NoError(t, os.Remove(dir)) }, history.ErrNothing, history.HintNothing},
		{"an empty folder", func(*testing.T, string) {}, history.ErrNothing, history.HintNothing},
		{"an empty file", func(t *testing.T, dir string) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "history.db"), nil, 0o600))
		}, history.ErrNothing, history.HintNothing},
		{"garbage", func(t *testing.T, dir string) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "history.db"), bytes.Repeat([]byte("x"), 9000), 0o600))
		}, history.ErrDamaged, history.HintDamaged},
		{"an older schema", func(t *testing.T, dir string) { loadFixture(t, dir, "v1.sql") }, history.ErrNothing, history.HintOld},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			dir := t.TempDir()
			row.make(t, dir)
			_, err := history.OpenReader(t.Context(), history.Options{Dir: dir})
			require.ErrorIs(t, err, row.want)
			var e *history.Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, row.hint, e.Hint)
			assert.NoFileExists(t, filepath.Join(dir, "history.lock"), "a reader makes nothing")
		})
	}
}
