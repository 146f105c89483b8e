package window

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"

	"turnwatch/backend/about"
	"turnwatch/backend/core"
	"turnwatch/backend/settings"
)

// Options say what a window works with. A window that is only described, for the
// generation of bindings, needs none of them.
type Options struct {
	// Open opens the data; it is called once, by Start. Its error is what every
	// call is then rejected with.
	Open func(context.Context) (*core.Core, error)
	// Settings are the user's.
	Settings *settings.Store
	// Words holds LANGUAGE.json files; Languages are the system's, best first.
	Words     fs.FS
	Languages []string
	// Dialogs ask the user outside the page. Nil answers as if closed.
	Dialogs Dialogs
	// Terminal opens the user's terminal with a command of ours in a folder. Nil
	// opens nothing.
	Terminal func(command []string, dir string) error
	// OpenLink shows a checked address in the user's browser. Nil shows nothing.
	OpenLink func(link string) error
	// OpenFolder shows a folder in the desktop's program for files. Nil shows nothing.
	OpenFolder func(dir string) error
	// Quit ends the program and returns at once. Nil ends nothing.
	Quit    func()
	Version string
	// Notices reads whose work is inside the program. Nil knows of none.
	Notices func() (about.Notices, error)
	Dir     string // the data folder
	Log     *slog.Logger
}

// Dialogs are questions that the page cannot answer for the user. They may block
// until the user has answered or ctx ends.
type Dialogs interface {
	// PickFolder gives an absolute folder, or "" where the dialog was closed.
	PickFolder(ctx context.Context, start string) (string, error)
	// Confirm asks for a yes to a sentence by key and arguments.
	Confirm(ctx context.Context, question Phrase) (bool, error)
}

// Window is what a page is bound to: the three parts and, by Pump, the stream of
// batches. All methods are safe from any goroutine.
type Window struct {
	Tasks    *Tasks
	History  *History
	Settings *Settings

	room *room
}

// New makes a window. Nothing is opened and nothing runs before Start.
func New(o Options) *Window {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	ctx, stop := context.WithCancel(context.Background())
	r := &room{o: o, ctx: ctx, stop: stop, opened: make(chan struct{}), agents: newLook()}
	return &Window{Tasks: &Tasks{r}, History: &History{r}, Settings: &Settings{r}, room: r}
}

// Start opens the data in the background; calls wait for it. Call it once.
func (w *Window) Start() { w.room.work.Go(w.room.open) }

// Opened waits for the data and gives it, or why it could not be opened.
func (w *Window) Opened(ctx context.Context) (*core.Core, error) { return w.room.wait(ctx) }

// Running tells how many turns are open here.
func (w *Window) Running() int {
	select {
	case <-w.room.opened:
	default:
		return 0
	}
	if w.room.err != nil {
		return 0
	}
	return w.room.desk.running()
}

// Close ends what runs for the window and closes the data: turns are interrupted
// and their agents stopped. It returns when that is done or ctx ends.
func (w *Window) Close(ctx context.Context) error {
	r := w.room
	r.stop()
	done := make(chan struct{})
	go func() {
		r.work.dismiss()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
	select {
	case <-r.opened:
	default:
		return ctx.Err()
	}
	if r.err != nil {
		return nil
	}
	r.desk.close()
	return r.core.Close(ctx)
}

// room is what the parts share.
type room struct {
	o    Options
	ctx  context.Context
	stop context.CancelFunc
	work crew // what runs beside the calls

	opened chan struct{} // closed when the four below are set
	core   *core.Core
	err    error
	desk   *desk
	traces *traces

	agents *look
}

func (r *room) open() {
	defer close(r.opened)
	if r.o.Open == nil {
		r.err = &Error{Key: "error.unreachable"}
		return
	}
	r.core, r.err = r.o.Open(r.ctx)
	if r.err == nil && r.ctx.Err() != nil {
		r.err = errors.Join(core.ErrClosed, r.core.Close(context.WithoutCancel(r.ctx)))
	}
	if r.err != nil {
		r.o.Log.Error("data could not be opened", "err", r.err)
		r.err = failed(r.o.Log, r.err)
		return
	}
	r.traces = newTraces(r)
	r.desk = newDesk(r)
	r.work.Go(func() { r.agents.fill(r.ctx, r.core) })
	r.work.Go(r.rearm)
}

// wait gives the core as soon as it is there.
func (r *room) wait(ctx context.Context) (*core.Core, error) {
	select {
	case <-r.opened:
		return r.core, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-r.ctx.Done():
		return nil, core.ErrClosed
	}
}
