// The program bridge serves the page to a browser test: the real core, the real
// window calls, a loopback port. It prints one line of JSON with the address,
// and ends when its standard input does. A line there that is a duration (6m) sets
// the clock ahead.
//
// Asked for demo-agent it is the demo agent, like every program of Turnwatch.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"time"

	"turnwatch/backend/cli"
	"turnwatch/backend/core"
	"turnwatch/backend/locale"
	"turnwatch/backend/settings"
	"turnwatch/backend/window"
	"turnwatch/backend/window/bridge"
	"turnwatch/locales"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "demo-agent" {
		os.Exit(cli.Main())
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bridge:", err)
		os.Exit(1)
	}
}

// flags are what a test chooses.
type flags struct {
	data, page, folder string
	confirm            bool
	tasks, parts       int
}

func run() error {
	var f flags
	flag.StringVar(&f.data, "data", "", "data folder (needed)")
	flag.StringVar(&f.page, "page", filepath.Join("frontend", "dist"), "the built page")
	flag.StringVar(&f.folder, "folder", "", "what the folder dialog answers")
	flag.BoolVar(&f.confirm, "confirm", true, "what a question outside the page is answered")
	flag.IntVar(&f.tasks, "tasks", 0, "fill a new history with so many tasks")
	flag.IntVar(&f.parts, "parts", 2, "parts in the transcript of the last of them")
	flag.Parse()
	if f.data == "" {
		return fmt.Errorf("say where the data goes with --data")
	}
	dir, err := filepath.Abs(f.data)
	if err != nil {
		return fmt.Errorf("find data folder: %w", err)
	}
	if f.tasks > 0 {
		if err := seed(context.Background(), dir, f.folder, f.tasks, f.parts); err != nil {
			return err
		}
	}
	now := newClock()
	o, links, err := options(dir, f, now)
	if err != nil {
		return err
	}
	w := window.New(o)
	w.Start()
	b, err := bridge.New(w, os.DirFS(f.page))
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ctx, done := context.WithCancel(ctx)
	go func() {
		now.follow(os.Stdin)
		done()
	}()
	links.say(map[string]string{"url": b.URL(), "token": b.Token(), "host": b.Host(), "data": dir})
	err = b.Serve(ctx)
	last, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if closed := w.Close(last); err == nil {
		err = closed
	}
	return err
}

// options join the real core with answers in place of dialogs.
func options(dir string, f flags, now *clock) (window.Options, *lines, error) {
	self, err := os.Executable()
	if err != nil {
		return window.Options{}, nil, fmt.Errorf("find own program: %w", err)
	}
	chosen, err := settings.Open(dir)
	if err != nil {
		return window.Options{}, nil, err
	}
	out := &lines{out: os.Stdout}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	return window.Options{
		Open: func(ctx context.Context) (*core.Core, error) {
			return core.Open(ctx, core.Options{
				Dir: dir, Self: self, Version: cli.Version(), Log: log, Clock: now, Awake: now.awake, Retries: true,
				Auto: func() settings.Auto { return chosen.Get().Auto },
			})
		},
		Settings: chosen, Words: locales.Files, Languages: locale.Languages(os.Getenv),
		Dialogs: answers{f}, OpenLink: out.link, OpenFolder: out.link, Quit: func() { out.say(map[string]string{"quit": "asked"}) }, Version: cli.Version(), Dir: dir, Log: log,
	}, out, nil
}

// answers is what the user would say.
type answers struct{ f flags }

func (a answers) PickFolder(context.Context, string) (string, error)   { return a.f.folder, nil }
func (a answers) Confirm(context.Context, window.Phrase) (bool, error) { return a.f.confirm, nil }

// lines tells the test what happens, one object a line.
type lines struct {
	mu  sync.Mutex
	out io.Writer
}

func (l *lines) say(v map[string]string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if b, err := json.Marshal(v); err == nil {
		_, _ = fmt.Fprintln(l.out, string(b))
	}
}

func (l *lines) link(address string) error {
	l.say(map[string]string{"opened": address})
	return nil
}
