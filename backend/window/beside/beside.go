// Package beside keeps what stands beside the window true: the tray, the
// notifications, and whether the computer stays awake. One goroutine holds all of
// it; it waits for the desktop within the bounds of those that it is given, and
// never for the page.
package beside

import (
	"context"
	"log/slog"
	"reflect"
	"time"

	"turnwatch/backend/notify"
	"turnwatch/backend/settings"
	"turnwatch/backend/tray"
	"turnwatch/backend/view"
	"turnwatch/backend/window"
)

// Options say what there is beside the window. What is nil is not there.
type Options struct {
	Follow func(context.Context, func(view.Summary, window.Looking))
	Chosen func() settings.Desktop
	Say    func(view.Phrase) string
	Hidden func() bool // the window is out of sight whatever the page says
	Now    func() time.Time
	Log    *slog.Logger

	Tray  Tray
	Notes Notes
	Awake func(ctx context.Context, on bool, why string) error
	Gone  <-chan string // IDs of notes that are not on the screen any more
}

// Tray shows a model, and does not wait.
type Tray interface{ Show(tray.Model) }

// Notes are on the user's screen.
type Notes interface {
	Show(ctx context.Context, n notify.Note) error
	Withdraw(ctx context.Context, id string) error
}

// Bounds of the loop.
const (
	calm = time.Second      // between two changes of the tray, unless its state changes
	nap  = 30 * time.Second // at most until the wall clock is looked at: it goes on while the computer sleeps
)

// news is the latest of what Follow tells.
type news struct {
	summary view.Summary
	looking window.Looking
}

// Run works until ctx ends.
func Run(ctx context.Context, o Options) {
	latest := make(chan news, 1)
	done := make(chan struct{})
	go func() {
		defer close(done)
		o.Follow(ctx, func(s view.Summary, l window.Looking) {
			select {
			case <-latest: // nobody has taken the one before
			default:
			}
			latest <- news{s, l}
		})
	}()
	b := &beside{o: o, chosen: o.Chosen()}
	b.desk = notify.New(wishes(b.chosen.Notify))
	b.loop(ctx, latest)
	if o.Awake != nil {
		ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), calm)
		defer stop()
		_ = o.Awake(ctx, false, "") // it ends with the program in any case
	}
	<-done
}

// beside is what the one goroutine holds.
type beside struct {
	o      Options
	desk   *notify.Desk
	chosen settings.Desktop
	news   news
	heard  bool

	model  tray.Model
	drawn  time.Time // when the tray was last changed
	due    time.Time // when it is to be; zero for not
	failed map[string]bool
}

func (b *beside) loop(ctx context.Context, latest <-chan news) {
	wake := time.NewTimer(nap)
	defer wake.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case n := <-latest:
			b.news = n
			b.hear(ctx)
		case id := <-b.o.Gone:
			b.desk.Closed(id)
		case <-wake.C:
			now := b.now()
			b.do(ctx, b.desk.Tick(now))
			b.draw(now)
		}
		wake.Reset(b.rest())
	}
}

// now is the wall clock: capacity is back by that.
func (b *beside) now() time.Time { return b.o.Now().Round(0) }

// hear takes what is new, of the tasks as of the settings.
func (b *beside) hear(ctx context.Context) {
	now := b.now()
	if c := b.o.Chosen(); c != b.chosen {
		b.chosen = c
		b.do(ctx, b.desk.Wish(wishes(c.Notify), now))
	}
	look := notify.Attention{Focused: b.news.looking.Focused && !b.o.Hidden(), Task: string(b.news.looking.Task)}
	if b.heard { // the first summary is no news, whatever the user looks at
		b.do(ctx, b.desk.Attend(look, now))
	}
	b.do(ctx, b.desk.Hear(b.news.summary, now))
	if !b.heard {
		b.heard = true
		b.do(ctx, b.desk.Attend(look, now))
	}
	b.keepAwake(ctx)
	b.draw(now)
}

// do shows and withdraws. What the desktop refuses is said once to the log.
func (b *beside) do(ctx context.Context, effects []notify.Effect) {
	if b.o.Notes == nil {
		return
	}
	for _, e := range effects {
		switch e := e.(type) {
		case notify.Show:
			title := e.Text
			if e.Title.Key != "" {
				title = b.o.Say(e.Title)
			}
			b.once("notification", b.o.Notes.Show(ctx, notify.Note{
				ID: e.ID, Title: title, Body: view.Tidy(b.o.Say(e.Body), longestBody), Action: b.o.Say(view.Phrase{Key: "notify.open"}),
			}))
		case notify.Withdraw:
			b.once("notification", b.o.Notes.Withdraw(ctx, e.ID))
		}
	}
}

// longestBody is how many characters a notification says.
const longestBody = 200

// once says to the log that something does not work, when it begins not to.
func (b *beside) once(what string, err error) {
	if b.failed == nil {
		b.failed = map[string]bool{}
	}
	if err != nil && !b.failed[what] {
		b.o.Log.Warn("desktop does not do what it is asked", "what", what, "err", err)
	}
	b.failed[what] = err != nil
}

func (b *beside) keepAwake(ctx context.Context) {
	if b.o.Awake == nil {
		return
	}
	running := false
	for _, t := range b.news.summary.Tasks {
		running = running || t.Open()
	}
	b.once("awake", b.o.Awake(ctx, running && b.chosen.Awake, b.o.Say(view.Phrase{Key: "awake.why"})))
}

// draw brings the tray up to date, now or when it has been calm for a while.
func (b *beside) draw(now time.Time) {
	if b.o.Tray == nil {
		return
	}
	m := tray.Of(b.news.summary, now)
	if reflect.DeepEqual(m, b.model) {
		b.due = time.Time{}
		return
	}
	if next := b.drawn.Add(calm); m.State == b.model.State && now.Before(next) {
		b.due = next
		return
	}
	b.model, b.drawn, b.due = m, now, time.Time{}
	b.o.Tray.Show(m)
}

// rest is how long nothing is to be done.
func (b *beside) rest() time.Duration {
	now := b.now()
	wait := 24 * time.Hour
	for _, at := range []time.Time{b.desk.Next(), b.due, tray.Next(b.news.summary, now)} {
		if !at.IsZero() {
			wait = min(wait, nap, at.Sub(now))
		}
	}
	return max(wait, time.Millisecond)
}

func wishes(n settings.Notify) notify.Wishes {
	from, to := n.Quiet()
	return notify.Wishes{
		Kinds: map[notify.Kind]bool{
			notify.Asks: n.Asks, notify.Limited: n.Limited, notify.Failed: n.Failed, notify.NeverStarted: n.NeverStarted,
			notify.CapacityBack: n.CapacityBack, notify.Finished: n.Finished,
		},
		Quiet: notify.Hours{From: from, To: to},
	}
}
