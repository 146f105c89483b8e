//go:build (desktop && production) || bindings

package main

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"turnwatch/backend/agent"
	"turnwatch/backend/local/awake"
	"turnwatch/backend/local/bus"
	"turnwatch/backend/settings"
	"turnwatch/backend/tray"
	"turnwatch/backend/tray/host"
	"turnwatch/backend/view"
	"turnwatch/backend/window/beside"
)

// How long a window that was started out of sight, or whose panel has gone, waits
// for somebody who shows its icon before it shows itself.
const (
	panelComes  = 20 * time.Second
	panelReturn = 10 * time.Second
)

// desktop is what of the system stands beside the window.
type desktop struct {
	hosted atomic.Bool // somebody shows the icon
	hidden atomic.Bool // the window is in the tray
	asked  atomic.Bool // the user wants to quit, and not only to close the window

	stop context.CancelFunc
	work sync.WaitGroup
	tray *tray.Tray
	end  []func() // closes what was opened, in order
}

// stand brings up what stands beside the window. What the system does not have is
// left out; the log says so.
func (s *screen) stand(ctx context.Context) {
	d := &s.desktop
	ctx, d.stop = context.WithCancel(ctx)
	panel, err := bus.Connect(ctx)
	if err != nil {
		s.app.log.Info("no session bus", "err", err)
		panel = nil
	} else {
		d.end = append(d.end, func() { _ = panel.Close() })
	}
	o := beside.Options{
		Follow: s.window.Follow, Say: s.say, Now: time.Now, Log: s.app.log, Hidden: d.hidden.Load,
		Chosen: func() settings.Desktop { return s.app.chosen.Get().Desktop },
	}
	if panel != nil || tray.WithoutBus {
		if d.tray, err = tray.Start(tray.Options{Say: s.say, Act: s.act, Now: time.Now, Log: s.app.log, Name: "Turnwatch"}); err == nil {
			o.Tray = d.tray
		} else {
			s.app.log.Info("no tray", "err", err)
		}
	}
	gone := make(chan string, 16)
	o.Gone = gone
	notes, err := s.notes(ctx, func(id string) {
		select {
		case gone <- id:
		default: // it is taken back in its turn
		}
	})
	if err == nil {
		o.Notes = notes
	} else {
		s.app.log.Info("no notifications", "err", err)
	}
	o.Awake = s.keeper(ctx).Want
	d.work.Go(func() { beside.Run(ctx, o) })
	if d.tray != nil {
		d.work.Go(func() { host.Watch(ctx, panel, s.panel) })
	}
	if d.hidden.Load() {
		s.showUnless(panelComes)
	}
}

// keeper asks for the computer to stay awake, over buses of its own.
func (s *screen) keeper(ctx context.Context) *awake.Keeper {
	d := &s.desktop
	session, err := bus.Connect(ctx)
	if err != nil {
		session = nil
	} else {
		d.end = append(d.end, func() { _ = session.Close() })
	}
	var system *dbus.Conn
	if session != nil {
		if system, err = dbus.ConnectSystemBus(); err != nil {
			system = nil
		} else {
			d.end = append(d.end, func() { _ = system.Close() })
		}
	}
	return awake.New(session, system)
}

// panel hears whether somebody shows the icon.
func (s *screen) panel(on bool) {
	s.desktop.hosted.Store(on)
	if !on && s.desktop.hidden.Load() {
		s.showUnless(panelReturn)
	}
}

// showUnless shows the window after a while, unless somebody shows its icon by
// then: a window that nobody can reach must not stay hidden.
func (s *screen) showUnless(wait time.Duration) {
	time.AfterFunc(wait, func() {
		ctx := s.wails()
		if s.desktop.hidden.Load() && !s.desktop.hosted.Load() && ctx != nil && ctx.Err() == nil {
			s.desktop.hidden.Store(false)
			runtime.WindowShow(ctx)
		}
	})
}

// fall ends what stands beside the window.
func (s *screen) fall() {
	d := &s.desktop
	if d.stop == nil {
		return
	}
	d.stop()
	d.work.Wait()
	if d.tray != nil {
		if err := d.tray.Close(); err != nil {
			s.app.log.Warn("tray did not close", "err", err)
		}
	}
	for _, end := range d.end {
		end()
	}
}

// act does what the user asked for in the tray.
func (s *screen) act(a tray.Action) {
	switch a.Do {
	case tray.Open:
		s.open(a.Task)
	case tray.Cancel:
		if err := s.window.Tasks.Cancel(string(a.Session)); err != nil {
			s.app.log.Warn("turn could not be cancelled", "err", err)
		}
	case tray.Stop:
		if _, err := s.window.Settings.StopAuto(true); err != nil {
			s.app.log.Warn("automation could not be stopped", "err", err)
		}
	case tray.Quit:
		s.quit()
	}
}

// open brings the window to the front because the user wants to see a task, or
// only the window where that is "".
func (s *screen) open(task agent.TaskID) {
	ctx := s.wails()
	if ctx == nil {
		return
	}
	if task != "" {
		s.window.Ask(task)
		runtime.EventsEmit(ctx, "show")
	}
	s.desktop.hidden.Store(false)
	raise(ctx)
}

// opened is called with the ID of a notification that the user opened.
func (s *screen) opened(id string) {
	task, _ := strings.CutPrefix(id, "task-")
	if task == id {
		task = "" // it is about several
	}
	s.open(agent.TaskID(task))
}

// say puts a phrase into words.
func (s *screen) say(p view.Phrase) string { return s.app.words.Tell(p.Key, p.Args, time.Now()) }
