//go:build (desktop && production) || bindings

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/pkg/browser"

	"turnwatch/backend/about"
	"turnwatch/backend/agent"
	"turnwatch/backend/cli"
	"turnwatch/backend/core"
	"turnwatch/backend/local/link"
	"turnwatch/backend/local"
	"turnwatch/backend/locale"
	"turnwatch/backend/settings"
	"turnwatch/backend/window"
	"turnwatch/locales"
)

// app is what the window may ask of the backend, joined: the screen reaches what
// stands here and nothing else.
type app struct {
	dir    string // the data folder
	chosen *settings.Store
	words  *locale.Words
	log    *slog.Logger

	task       agent.TaskID // to be shown at the start; "" for none
	background bool         // the window is to start out of sight
}

// flags are what the window may be started with.
type flags struct {
	data, log  string
	background bool
	task       agent.TaskID
}

func parseFlags(args []string, complaints io.Writer) (flags, error) {
	var f flags
	set := flag.NewFlagSet("turnwatch", flag.ContinueOnError)
	set.SetOutput(complaints)
	set.StringVar(&f.data, "data", core.DefaultDir(), "data `folder`")
	set.StringVar(&f.log, "log", "warn", "write a log to stderr: off, error, warn, info or debug")
	set.BoolVar(&f.background, "background", false, "start out of sight, in the tray where there is one")
	err := set.Parse(args)
	if err == nil && set.NArg() > 0 {
		if f.task, err = link.Task(set.Arg(0)); err != nil || set.NArg() > 1 {
			err = link.ErrNone
			fmt.Fprintln(complaints, "turnwatch:", err)
		}
	}
	return f, err
}

// newApp reads the settings and the words; nothing is opened yet.
func newApp(f flags) (*app, error) {
	dir, err := filepath.Abs(f.data)
	if err != nil {
		return nil, fmt.Errorf("find data folder: %w", err)
	}
	a := &app{dir: dir, log: slog.New(slog.DiscardHandler), task: f.task}
	if f.log != "off" {
		var level slog.Level
		if err := level.UnmarshalText([]byte(f.log)); err != nil {
			return nil, fmt.Errorf("read --log: %w", err)
		}
		a.log = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level}))
	}
	if a.chosen, err = settings.Open(dir); err != nil {
		a.log.Warn("settings could not be read or kept", "err", err)
	}
	a.background = f.background && a.chosen.Get().Desktop.Tray
	a.words, err = locale.Open(locales.Files, a.languages()...)
	return a, err
}

// languages are the user's choice, then the system's.
func (a *app) languages() []string {
	system := locale.Languages(os.Getenv)
	if l := a.chosen.Get().Language; l != "" {
		return append([]string{l}, system...)
	}
	return system
}

// options say what the window works with; d asks the user outside the page.
func (a *app) options(d window.Dialogs) window.Options {
	return window.Options{
		Open: a.open, Settings: a.chosen, Words: locales.Files, Languages: locale.Languages(os.Getenv),
		Dialogs: d, OpenLink: browser.OpenURL, OpenFolder: openFolder, Terminal: local.Terminal, Version: cli.Version(), Dir: a.dir, Log: a.log, Notices: notices,
	}
}

// openFolder shows a folder in the desktop's program for files.
func openFolder(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("open folder: %w", err)
	}
	if !info.IsDir() {
		return errors.New("open folder: it is none")
	}
	path := filepath.ToSlash(dir)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive of Windows
	}
	return browser.OpenURL((&url.URL{Scheme: "file", Path: path}).String())
}

// notices reads whose work is inside this program.
func notices() (about.Notices, error) {
	self, err := os.Executable()
	if err != nil {
		return about.Notices{}, fmt.Errorf("find own program: %w", err)
	}
	return about.ReadNotices(self)
}

// open opens the data.
func (a *app) open(ctx context.Context) (*core.Core, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find own program: %w", err)
	}
	c, err := core.Open(ctx, core.Options{
		Dir: a.dir, Self: self, Version: cli.Version(), Log: a.log, Retries: true,
		Keep: func() settings.Keep { return a.chosen.Get().Keep },
		Auto: func() settings.Auto { return a.chosen.Get().Auto },
	})
	if err == nil {
		a.log.Info("data opened", "dir", a.dir, "reaped", len(c.Opened().Reaped), "recovered", len(c.Opened().History.Recovered))
	}
	return c, err
}
