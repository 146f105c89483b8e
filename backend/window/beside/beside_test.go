package beside_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"go.uber.org/goleak"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
	"turnwatch/backend/notify"
	"turnwatch/backend/settings"
	"turnwatch/backend/tray"
	"turnwatch/backend/view"
	"turnwatch/backend/window"
	"turnwatch/backend/window/beside"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// desktop writes down what is asked of it. Everything happens in one bubble, so
// it is read when nothing moves.
type desktop struct {
	hear func(view.Summary, window.Looking)
	gone chan string
	log  strings.Builder

	mu     sync.Mutex
	chosen settings.Desktop
	hidden bool
	did    []string
	refuse error
}

func (d *desktop) add(what string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.did = append(d.did, what)
	return d.refuse
}

// set changes what is so, when all is at rest.
func (d *desktop) set(f func()) {
	synctest.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	f()
}

func (d *desktop) Show(m tray.Model) { _ = d.add("tray " + string(m.State)) }

type notes struct{ *desktop }

func (n notes) Show(_ context.Context, x notify.Note) error {
	return n.add("show " + x.ID + ": " + x.Title + ": " + x.Body)
}

func (n notes) Withdraw(_ context.Context, id string) error {
	return n.add("withdraw " + id)
}

func (d *desktop) awake(_ context.Context, on bool, _ string) error {
	if on {
		return d.add("awake")
	}
	return nil
}

// told gives what was asked since the last time, when all is at rest.
func (d *desktop) told() []string {
	var out []string
	d.set(func() { out, d.did = d.did, nil })
	return out
}

// play runs a test beside a window, at virtual time.
func play(t *testing.T, test func(t *testing.T, d *desktop)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d := &desktop{chosen: settings.Defaults().Desktop, gone: make(chan string)}
		ctx, stop := context.WithCancel(t.Context())
		begun, ended := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(ended)
			beside.Run(ctx, beside.Options{
				Follow: func(ctx context.Context, hear func(view.Summary, window.Looking)) {
					d.hear = hear
					close(begun)
					<-ctx.Done()
				},
				Chosen: func() settings.Desktop {
					d.mu.Lock()
					defer d.mu.Unlock()
					return d.chosen
				},
				Say: func(p view.Phrase) string { return strings.TrimSpace(p.Key + " " + p.Args["Count"]) },
				Hidden: func() bool {
					d.mu.Lock()
					defer d.mu.Unlock()
					return d.hidden
				},
				Now: time.Now, Log: slog.New(slog.NewTextHandler(&d.log, nil)),
				Tray: d, Notes: notes{d}, Awake: d.awake, Gone: d.gone,
			})
		}()
		<-begun
		test(t, d)
		stop()
		<-ended
	})
}

func of(b ...view.Brief) view.Summary { return view.Summary{Tasks: b} }

func working() view.Brief {
	return view.Brief{Task: "a", Session: "s", Title: "Mend it", Agent: "Demo", State: agent.TaskRunning, Phase: "working", Turn: 1}
}

func asking() view.Brief {
	b := working()
	b.Phase, b.Ask, b.Detail = "asks", "1", view.Phrase{Key: "row.asks"}
	return b
}

func limited(reset time.Time) view.Brief {
	b := working()
	b.Phase, b.State = "idle", agent.TaskNeedsYou
	b.Ended = view.Ending{Outcome: agent.Failed, Code: failure.QuotaLimited, Reset: reset}
	return b
}

func TestATaskIsFollowed(t *testing.T) {
	play(t, func(t *testing.T, d *desktop) {
		away := window.Looking{}
		d.hear(of(), away)
		assert.Equal(t, []string{"tray idle"}, d.told())
		d.hear(of(working()), away)
		assert.Equal(t, []string{"tray running"}, d.told(), "a state is shown at once")
		d.hear(of(asking()), away)
		assert.Equal(t, []string{"tray needs"}, d.told())
		<-time.After(2 * time.Second)
		assert.Equal(t, []string{"show task-a: Mend it: row.asks"}, d.told())
		d.hear(of(working()), away)
		assert.Equal(t, []string{"withdraw task-a", "tray running"}, d.told())
		reset := time.Now().Add(3 * time.Hour)
		d.hear(of(limited(reset)), away)
		assert.Equal(t, []string{"tray limited"}, d.told())
		<-time.After(2 * time.Second)
		assert.Equal(t, []string{"show task-a: Mend it: notify.limited_until"}, d.told())
		<-time.After(4 * time.Hour)
		assert.Equal(t, []string{"show task-a: Mend it: notify.capacity_back", "tray needs"}, d.told())
		<-time.After(100 * time.Hour)
		assert.Empty(t, d.told())
	})
}

func TestWhoIsLookingIsNotTold(t *testing.T) {
	play(t, func(t *testing.T, d *desktop) {
		here := window.Looking{Focused: true, Task: "a"}
		d.hear(of(working()), here)
		d.hear(of(asking()), here)
		<-time.After(time.Minute)
		assert.NotContains(t, strings.Join(d.told(), "\n"), "show")
		d.hear(of(working()), here)
		d.set(func() { d.hidden = true })
		d.hear(of(asking()), here)
		<-time.After(time.Minute)
		assert.Contains(t, d.told(), "show task-a: Mend it: row.asks", "a page that is hidden may not know it")
	})
}

func TestSettingsHoldAtOnce(t *testing.T) {
	play(t, func(t *testing.T, d *desktop) {
		d.hear(of(working()), window.Looking{})
		assert.NotContains(t, d.told(), "awake", "off until asked")
		d.set(func() { d.chosen.Awake, d.chosen.Notify.Asks = true, false })
		d.hear(of(working()), window.Looking{})
		assert.Contains(t, d.told(), "awake")
		d.hear(of(asking()), window.Looking{})
		<-time.After(time.Minute)
		assert.NotContains(t, strings.Join(d.told(), "\n"), "show")
		d.hear(of(limited(time.Time{})), window.Looking{})
		assert.NotContains(t, d.told(), "awake", "nothing runs")
	})
}

func TestTheTrayIsCalm(t *testing.T) {
	play(t, func(t *testing.T, d *desktop) {
		b := working()
		for range 10 {
			b.Title += "."
			d.hear(of(b), window.Looking{})
			synctest.Wait()
		}
		assert.Equal(t, []string{"tray running"}, d.told())
		<-time.After(calm)
		assert.Equal(t, []string{"tray running"}, d.told(), "the last of them, a while later")
	})
}

// calm is a moment longer than two changes of the tray are apart.
const calm = 1100 * time.Millisecond

func TestADesktopThatRefusesIsLoggedOnce(t *testing.T) {
	play(t, func(t *testing.T, d *desktop) {
		d.set(func() { d.refuse = errors.New("no server") })
		d.hear(of(working()), window.Looking{})
		for range 3 {
			d.hear(of(asking()), window.Looking{})
			<-time.After(2 * time.Second)
			d.hear(of(working()), window.Looking{})
			<-time.After(2 * time.Second)
		}
		synctest.Wait()
		assert.Equal(t, 1, strings.Count(d.log.String(), "no server"))
		d.gone <- "task-a"
	})
}
