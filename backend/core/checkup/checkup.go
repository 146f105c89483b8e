// Package checkup looks at what Turnwatch needs on a machine and says what is in
// order and what is not, for "tw doctor" and the window's Check. It changes
// nothing: it looks at files, starts agents only to ask their version, reads the
// history as a reader does, and asks the session bus. It waits for all of them,
// each within a bound.
//
// Findings hold keys and arguments; nothing in them is private: no path but the
// data folder's with the home folder as ~, no environment values, no titles.
package checkup

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"turnwatch/backend/history"
	"turnwatch/backend/managed"
	"turnwatch/backend/redact"
	"turnwatch/backend/view"
)

// State is how bad a finding is.
type State string

// States.
const (
	OK   State = "ok"
	Note State = "note" // works without, or with less
	Bad  State = "bad"  // something will not work
)

// Finding is one thing that was looked at.
type Finding struct {
	Name  string // agents, program, data, permissions, history, settings, clock, tray, notifications, webkit
	State State
	What  view.Phrase
}

// Options say what is looked at.
type Options struct {
	Dir     string // the data folder
	Home    string // the user's home folder, which is not named
	Version string
	Now     time.Time
	// Agents looks for agents.
	Agents func(context.Context) []managed.Found
	// Trouble is what is wrong with the settings file; nil where nothing is.
	Trouble error
}

// Run looks at everything. It takes up to some seconds.
func Run(ctx context.Context, o Options) []Finding {
	out := []Finding{program(o), agents(ctx, o), folder(o)}
	if info, err := os.Stat(o.Dir); err == nil && info.IsDir() {
		out = append(out, permissions(o)) // of what is not there nothing can be said
	}
	out = append(out, record(ctx, o)...)
	return append(out, settingsFile(o), webkit(), panel(ctx), notes(ctx))
}

// Worst is the worst state among findings.
func Worst(list []Finding) State {
	worst := OK
	for _, f := range list {
		if f.State == Bad || f.State == Note && worst == OK {
			worst = f.State
		}
	}
	return worst
}

func finding(name string, s State, key string, pairs ...string) Finding {
	f := Finding{Name: name, State: s, What: view.Phrase{Key: key}}
	for i := 0; i+1 < len(pairs); i += 2 {
		if f.What.Args == nil {
			f.What.Args = map[string]string{}
		}
		f.What.Args[pairs[i]] = pairs[i+1]
	}
	return f
}

func program(o Options) Finding {
	return finding("program", OK, "check.version", "version", o.Version, "system", runtime.GOOS+"/"+runtime.GOARCH)
}

func agents(ctx context.Context, o Options) Finding {
	var names []string
	for _, f := range o.Agents(ctx) {
		if f.Ready() && f.Kind != "demo" {
			names = append(names, strings.TrimSpace(f.Name+" "+redact.Line(f.Version, 40)))
		}
	}
	if len(names) == 0 {
		return finding("agents", Note, "check.agents_none")
	}
	return finding("agents", OK, "check.agents_found", "agents", strings.Join(names, ", "))
}

// shown is the data folder as it may be named to others.
func shown(o Options) string {
	if rel, err := filepath.Rel(o.Home, o.Dir); o.Home != "" && err == nil && filepath.IsLocal(rel) {
		return filepath.Join("~", rel)
	}
	return filepath.Base(o.Dir)
}

// folder says where the data is, and whether it can be worked with.
func folder(o Options) Finding {
	name := shown(o)
	info, err := os.Stat(o.Dir)
	switch {
	case os.IsNotExist(err):
		return finding("data", Note, "check.data_none", "folder", name)
	case err != nil || !info.IsDir():
		return finding("data", Bad, "check.data_bad", "folder", name)
	}
	probe, err := os.CreateTemp(o.Dir, "check-*.tmp")
	if err != nil {
		return finding("data", Bad, "check.data_unwritable", "folder", name)
	}
	// An empty file can be made on a full disk, too.
	_, err = probe.Write(make([]byte, probed))
	if err == nil {
		err = probe.Sync()
	}
	_ = probe.Close()
	_ = os.Remove(probe.Name())
	if err != nil {
		return finding("data", Bad, "check.data_unwritable", "folder", name)
	}
	return finding("data", OK, "check.data_ok", "folder", name)
}

// probed is how much is written to see whether the disk takes it.
const probed = 64 << 10

// permissions looks whether others may read what is the user's alone.
func permissions(o Options) Finding {
	if runtime.GOOS == "windows" {
		return finding("permissions", OK, "check.permissions_system")
	}
	open := 0
	for _, name := range []string{".", "settings.json", "history.db", "window.sock", "window.lock"} {
		if info, err := os.Stat(filepath.Join(o.Dir, name)); err == nil && info.Mode().Perm()&0o077 != 0 {
			open++
		}
	}
	if open > 0 {
		return finding("permissions", Bad, "check.permissions_open")
	}
	return finding("permissions", OK, "check.permissions_ok")
}

// record reads the history, and tells by it whether the clock went back.
func record(ctx context.Context, o Options) []Finding {
	ctx, stop := context.WithTimeout(ctx, 10*time.Second)
	defer stop()
	clock := finding("clock", OK, "check.clock_ok", "zone", o.Now.Format("-07:00"))
	store, err := history.OpenReader(ctx, history.Options{Dir: o.Dir})
	if err != nil {
		return []Finding{unread(err, shown(o)), clock}
	}
	tasks, err := store.Tasks(ctx, history.TaskFilter{Limit: 1})
	_ = store.Close(ctx)
	if err != nil {
		return []Finding{unread(err, shown(o)), clock}
	}
	if len(tasks) > 0 && tasks[0].UpdatedAt.After(o.Now.Add(5*time.Minute)) {
		clock = finding("clock", Bad, "check.clock_back")
	}
	return []Finding{finding("history", OK, "check.history_ok"), clock}
}

func settingsFile(o Options) Finding {
	if o.Trouble != nil {
		return finding("settings", Bad, "error.settings_broken")
	}
	return finding("settings", OK, "check.settings_ok")
}
