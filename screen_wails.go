//go:build (desktop && production) || bindings

package main

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"turnwatch/backend/local"
	"turnwatch/backend/settings"
	"turnwatch/backend/tray"
	"turnwatch/backend/window"
)

// screen is the open window: it follows its life, and asks the user by dialogs.
type screen struct {
	app    *app
	seat   *local.Seat // nil where there is none
	window *window.Window
	told   atomic.Bool // to end, by a signal

	desktop desktop

	mu     sync.Mutex
	ctx    context.Context // of Wails; nil before the start
	pump   context.CancelFunc
	pumped chan struct{}
}

func newScreen(a *app, seat *local.Seat) *screen {
	s := &screen{app: a, seat: seat, pumped: make(chan struct{})}
	s.desktop.hidden.Store(a.background)
	o := a.options(s)
	o.Quit = s.quit
	s.window = window.New(o)
	return s
}

// quit ends the program because the user wants that; running turns are asked about.
func (s *screen) quit() {
	ctx := s.wails()
	if ctx == nil {
		return
	}
	s.desktop.asked.Store(true)
	go runtime.Quit(ctx)
}

// started begins the work behind the window.
func (s *screen) started(ctx context.Context) {
	pumping, stop := context.WithCancel(ctx)
	s.mu.Lock()
	s.ctx, s.pump = ctx, stop
	s.mu.Unlock()
	s.obey(ctx)
	s.window.Start()
	go func() {
		defer close(s.pumped)
		s.window.Pump(pumping, func(name string, data any) { runtime.EventsEmit(ctx, name, data) })
	}()
	if s.app.task != "" {
		s.window.Ask(s.app.task)
	}
	s.stand(ctx)
	if s.seat == nil {
		return
	}
	if err := s.seat.Listen(s.open); err != nil {
		s.app.log.Warn("a second start cannot raise this window", "err", err)
	}
}

// raise brings the window to the front.
func raise(ctx context.Context) {
	runtime.WindowUnminimise(ctx)
	runtime.WindowShow(ctx)
	// Some window managers only obey a change.
	runtime.WindowSetAlwaysOnTop(ctx, true)
	runtime.WindowSetAlwaysOnTop(ctx, false)
}

// shown puts the window where it was, as far as that is on a screen.
func (s *screen) shown(ctx context.Context) {
	p := s.app.chosen.Get().Window
	if p == nil || p.Maximised || p.X == 0 && p.Y == 0 {
		return
	}
	screens, err := runtime.ScreenGetAll(ctx)
	if err != nil {
		return
	}
	width, height := 0, 0
	for _, screen := range screens {
		width, height = width+screen.Size.Width, max(height, screen.Size.Height)
	}
	if p.X > -p.Width/2 && p.Y >= 0 && p.X < width-100 && p.Y < height-100 {
		runtime.WindowSetPosition(ctx, p.X, p.Y)
	}
}

// leaving hides the window in the tray, or asks before running turns are ended,
// unless a signal has ended the window. It remembers the place.
func (s *screen) leaving(ctx context.Context) (prevent bool) {
	d := &s.desktop
	told := s.told.Load()
	asked := d.asked.Swap(false) || told
	n := s.window.Running()
	if told {
		n = 0
	}
	switch tray.Leaving(asked, d.tray != nil && d.hosted.Load(), s.app.chosen.Get().Desktop.Tray, n) {
	case tray.Hide:
		s.keepPlace(ctx)
		d.hidden.Store(true)
		runtime.WindowHide(ctx)
		return true
	case tray.Ask:
		if d.hidden.Swap(false) {
			raise(ctx) // whoever is asked must see what about
		}
		yes, err := s.ask(ctx, s.app.words.Say("confirm.close_title", nil), s.app.words.Count("confirm.close", n, nil))
		if err == nil && !yes {
			return true
		}
	}
	if !d.hidden.Load() {
		s.keepPlace(ctx)
	}
	return false
}

// keepPlace remembers where the window is.
func (s *screen) keepPlace(ctx context.Context) {
	if s.app.chosen.Trouble() != nil {
		return // a file that somebody broke is not replaced for this
	}
	var p settings.Place
	p.Maximised = runtime.WindowIsMaximised(ctx)
	p.Width, p.Height = runtime.WindowGetSize(ctx)
	p.X, p.Y = runtime.WindowGetPosition(ctx)
	if p.Maximised {
		p.Width, p.Height = firstWidth, firstHeight
	}
	_, err := s.app.chosen.Change(func(v *settings.Values) { v.Window = &p })
	if err != nil {
		s.app.log.Warn("place of the window could not be kept", "err", err)
	}
}

// over ends what ran behind the window.
func (s *screen) over(context.Context) {
	s.fall()
	s.mu.Lock()
	stop := s.pump
	s.mu.Unlock()
	if stop != nil {
		stop()
		<-s.pumped
	}
	ctx, done := context.WithTimeout(context.Background(), closing)
	defer done()
	if err := s.window.Close(ctx); err != nil {
		s.app.log.Error("data could not be closed", "err", err)
	}
	if s.seat != nil {
		if err := s.seat.Close(); err != nil {
			s.app.log.Warn("seat could not be given back", "err", err)
		}
	}
}

// wails gives the context of the window; nil before it is there.
func (s *screen) wails() context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ctx
}

// PickFolder shows the system's folder dialog.
func (s *screen) PickFolder(_ context.Context, start string) (string, error) {
	ctx := s.wails()
	if ctx == nil {
		return "", nil
	}
	return runtime.OpenDirectoryDialog(ctx, runtime.OpenDialogOptions{
		DefaultDirectory: start, Title: s.app.words.Say("confirm.folder_title", nil), CanCreateDirectories: true,
	})
}

// Confirm asks a question with yes and no.
func (s *screen) Confirm(_ context.Context, q window.Phrase) (bool, error) {
	ctx := s.wails()
	if ctx == nil {
		return false, nil
	}
	return s.ask(ctx, s.app.words.Say(q.Key+"_title", nil), s.app.words.Say(q.Key, q.Args))
}

func (s *screen) ask(ctx context.Context, title, text string) (bool, error) {
	answer, err := runtime.MessageDialog(ctx, runtime.MessageDialogOptions{
		Type: runtime.QuestionDialog, Title: title, Message: text, Buttons: []string{"Yes", "No"}, DefaultButton: "No", CancelButton: "No",
	})
	return answer == "Yes", err
}
