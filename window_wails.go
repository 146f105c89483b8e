//go:build (desktop && production) || bindings

package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/logger"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"

	"turnwatch/backend/local"
	"turnwatch/backend/window"
)

//go:embed all:frontend/dist
var dist embed.FS

// The smallest window, and the one of the first start, in pixels.
const (
	leastWidth, leastHeight = 360, 480
	firstWidth, firstHeight = 1240, 800
)

// closing is how long the end may take: agents are stopped and the history is
// written.
const closing = 30 * time.Second

// inspect is the variable by which a test keeps the view's inspector. Whoever may
// set it may drive the window, so nobody else's word is taken.
const inspect = "TURNWATCH_TEST_INSPECTOR"

// openWindow opens the window and gives the exit status when it is closed. A
// second start on the same data raises the first one and ends.
func openWindow(args []string) int {
	if describing {
		return status(wails.Run(appearance(&app{}, window.New(window.Options{}), nil)))
	}
	f, err := parseFlags(args, os.Stderr)
	if err != nil {
		return 2
	}
	a, err := newApp(f)
	if err != nil {
		return status(err)
	}
	seat, err := local.Take(a.dir)
	switch {
	case errors.Is(err, local.ErrTaken):
		return status(local.Raise(context.Background(), a.dir, a.task))
	case err != nil:
		a.log.Warn("window has no lock of its own", "err", err) // the page says what is wrong
	}
	if os.Getenv(inspect) == "" {
		_ = os.Unsetenv("WEBKIT_INSPECTOR_SERVER")
		_ = os.Unsetenv("WEBKIT_INSPECTOR_HTTP_SERVER")
	}
	s := newScreen(a, seat)
	return status(wails.Run(appearance(a, s.window, s)))
}

func status(err error) int {
	if err != nil {
		fmt.Fprintln(os.Stderr, "turnwatch:", err)
		return 1
	}
	return 0
}

// appearance is the window: what it shows, what it binds, how it looks. s is nil
// where it is only described.
func appearance(a *app, w *window.Window, s *screen) *options.App {
	page, err := fs.Sub(dist, "frontend/dist")
	if err != nil {
		page = dist
	}
	o := &options.App{
		Title: "Turnwatch", Width: firstWidth, Height: firstHeight, MinWidth: leastWidth, MinHeight: leastHeight,
		AssetServer:        &assetserver.Options{Assets: page, Middleware: window.Guard},
		Bind:               []any{w.Tasks, w.History, w.Settings},
		BackgroundColour:   options.NewRGB(0xf7, 0xf7, 0xf5),
		LogLevelProduction: logger.ERROR, Logger: silent{},
		Linux: &linux.Options{ProgramName: "turnwatch", WebviewGpuPolicy: linux.WebviewGpuPolicyNever},
	}
	if s == nil {
		return o
	}
	if p := a.chosen.Get().Window; p != nil {
		o.Width, o.Height = max(p.Width, leastWidth), max(p.Height, leastHeight)
		if p.Maximised {
			o.WindowStartState = options.Maximised
		}
	}
	o.StartHidden = a.background
	o.OnStartup, o.OnDomReady, o.OnBeforeClose, o.OnShutdown = s.started, s.shown, s.leaving, s.over
	return o
}

// silent drops what Wails would log: its lines may hold what a page or an agent
// said.
type silent struct{}

func (silent) Print(string)   {}
func (silent) Trace(string)   {}
func (silent) Debug(string)   {}
func (silent) Info(string)    {}
func (silent) Warning(string) {}
func (silent) Error(string)   {}

// Fatal is what nothing can go on after.
func (silent) Fatal(string) {
	fmt.Fprintln(os.Stderr, "turnwatch: the window could not go on")
	os.Exit(1)
}
