package checkup_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/core/checkup"
	"turnwatch/backend/history"
	"turnwatch/backend/local/bus/bustest"
	"turnwatch/backend/managed"
	"turnwatch/backend/settings"
)

// machine is a home with a data folder, where nothing else is.
type machine struct {
	t    *testing.T
	home string
	o    checkup.Options
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	home := t.TempDir()
	dir := filepath.Join(home, "share", "turnwatch")
	require.NoError(t, os.MkdirAll(dir, 0o700))
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	t.Setenv("XDG_RUNTIME_DIR", "")
	return &machine{t, home, checkup.Options{
		Dir: dir, Home: home, Version: "1", Now: time.Now(),
		Agents: func(context.Context) []managed.Found { return nil },
	}}
}

// history stores one task that was changed at a time.
func (m *machine) history(at time.Time) {
	m.t.Helper()
	store, _, err := history.Open(m.t.Context(), history.Options{Dir: m.o.Dir})
	require.NoError(m.t, err)
	require.NoError(m.t, store.CreateTask(m.t.Context(), history.Task{ID: "t", Dir: "/secret", Title: "secret", CreatedAt: at}))
	require.NoError(m.t, store.Close(m.t.Context()))
}

// look gives the findings as NAME STATE KEY.
func (m *machine) look() map[string]string {
	m.t.Helper()
	out := map[string]string{}
	for _, f := range checkup.Run(m.t.Context(), m.o) {
		out[f.Name] = fmt.Sprintf("%s %s", f.State, f.What.Key)
		for _, v := range f.What.Args {
			assert.NotContains(m.t, v, m.home, "the home folder is not named")
			assert.NotContains(m.t, v, "secret")
		}
	}
	return out
}

func TestWhatIsFound(t *testing.T) {
	tests := []struct {
		name, of, want string
		make           func(m *machine)
	}{
		{"no agents", "agents", "note check.agents_none", func(*machine) {}},
		{"a data folder", "data", "ok check.data_ok", func(*machine) {}},
		{"no data folder", "data", "note check.data_none", func(m *machine) { require.NoError(m.t, os.Remove(m.o.Dir)) }},
		{"a file in its place", "data", "bad check.data_bad", func(m *machine) {
			require.NoError(m.t, os.Remove(m.o.Dir))
			require.NoError(m.t, os.WriteFile(m.o.Dir, nil, 0o600))
		}},
		{"the user's alone", "permissions", "ok check.permissions_ok", func(*machine) {}},
		{"open to others", "permissions", "bad check.permissions_open", func(m *machine) { require.NoError(m.t, os.Chmod(m.o.Dir, 0o755)) }},
		{"no history", "history", "ok check.history_none", func(*machine) {}},
		{"a history", "history", "ok check.history_ok", func(m *machine) { m.history(time.Now()) }},
		{"a damaged history", "history", "bad hint.history_damaged", func(m *machine) {
			require.NoError(m.t, os.WriteFile(filepath.Join(m.o.Dir, "history.db"), []byte(strings.Repeat("no database", 1000)), 0o600))
		}},
		{"a clock that goes on", "clock", "ok check.clock_ok", func(m *machine) { m.history(time.Now()) }},
		{"a clock that was put back", "clock", "bad check.clock_back", func(m *machine) { m.history(time.Now().Add(48 * time.Hour)) }},
		{"settings", "settings", "ok check.settings_ok", func(*machine) {}},
		{"broken settings", "settings", "bad error.settings_broken", func(m *machine) {
			require.NoError(m.t, os.WriteFile(filepath.Join(m.o.Dir, "settings.json"), []byte("{"), 0o600))
			m.o.Trouble = settings.Check(m.o.Dir)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && tt.of == "permissions" {
				t.Skip("rights are the system's there")
			}
			m := newMachine(t)
			tt.make(m)
			before := tree(t, m.home)
			assert.Equal(t, tt.want, m.look()[tt.of])
			assert.Equal(t, before, tree(t, m.home), "it changes nothing")
		})
	}
}

// tree lists the files of a folder with their sizes; what SQLite keeps beside a
// database for its readers is its own.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	require.NoError(t, filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() && !strings.HasSuffix(path, "-shm") && !strings.HasSuffix(path, "-wal") {
			out = append(out, fmt.Sprint(path, info.Size()))
		}
		return err
	}))
	return out
}

func TestTheDesktop(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the session bus is of Linux")
	}
	m := newMachine(t)
	found := m.look()
	assert.Equal(t, "note check.no_bus", found["tray"])
	assert.Equal(t, "note check.no_bus", found["notifications"])
	address := bustest.Bus(t)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", address)
	found = m.look()
	assert.Equal(t, "note check.tray_none", found["tray"])
	assert.Equal(t, "note check.notes_none", found["notifications"])
	bustest.NewPanel(t, address, true)
	bustest.NewNotes(t, address)
	found = m.look()
	assert.Equal(t, "ok check.tray_ok", found["tray"])
	assert.Equal(t, "ok check.notes_ok", found["notifications"])
}

func TestWorst(t *testing.T) {
	ok, note, bad := checkup.Finding{State: checkup.OK}, checkup.Finding{State: checkup.Note}, checkup.Finding{State: checkup.Bad}
	assert.Equal(t, checkup.OK, checkup.Worst([]checkup.Finding{ok}))
	assert.Equal(t, checkup.Note, checkup.Worst([]checkup.Finding{ok, note, ok}))
	assert.Equal(t, checkup.Bad, checkup.Worst([]checkup.Finding{bad, note}))
}
