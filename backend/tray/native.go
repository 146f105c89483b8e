//go:build linux || windows

package tray

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"time"

	"fyne.io/systray"

	"turnwatch/backend/view"
)

// Tray is the icon and its menu. All methods are safe from any goroutine and do
// not wait for the panel; Close does, within a bound.
type Tray struct {
	o    Options
	quit chan struct{} // closed when the icon is to go
	over chan struct{} // closed when the loop below has ended
	work sync.WaitGroup

	ending sync.Once

	mu      sync.Mutex
	closed  bool
	shown   Model
	icon    State
	tip     string
	lines   lines
	rebuilt *time.Timer // a line of the menu has rested
}

// closing is how long the panel may take to let go.
const closing = 3 * time.Second

// Start puts the icon there, for an idle program. Call it once in a process, and
// on Linux only where there is a session bus. Where nobody shows icons it shows
// itself as soon as somebody does.
func Start(o Options) (*Tray, error) {
	t := &Tray{o: o, quit: make(chan struct{}), over: make(chan struct{})}
	ready := make(chan struct{})
	go func() {
		defer close(t.over)
		defer func() { // the library lets go of a connection that it may not have
			if p := recover(); p != nil {
				o.Log.Warn("tray ended badly", "err", fmt.Sprint(p))
			}
		}()
		t.run(func() { close(ready) })
	}()
	select {
	case <-ready:
		return t, nil
	case <-t.over:
		return nil, errors.New("start tray: it ended at once")
	}
}

// build makes the menu; all that changes afterwards is what its lines say.
func (t *Tray) build() {
	t.mu.Lock()
	defer t.mu.Unlock()
	w := t.o.words()
	l := &t.lines
	l.state = systray.AddMenuItem("", "")
	l.state.Disable()
	l.needs = t.list(w.needs, func(i *item, _ int) { t.hear(i.line, i.click(Open)) })
	l.running = t.list(w.running, func(i *item, _ int) {
		t.hear(i.line.AddSubMenuItem(w.openTask, ""), i.click(Open))
		t.hear(i.line.AddSubMenuItem(w.cancel, ""), i.click(Cancel))
	})
	l.capacity = t.list(w.capacity, func(i *item, _ int) { t.hear(i.line, i.click(Open)) })
	l.more = systray.AddMenuItem(w.more, "")
	t.hear(l.more, func() (Action, bool) { return Action{Do: Open}, true })
	systray.AddSeparator()
	t.hear(systray.AddMenuItem(w.open, ""), func() (Action, bool) { return Action{Do: Open}, true })
	l.stop = systray.AddMenuItem(w.stop, "")
	t.hear(l.stop, func() (Action, bool) { return Action{Do: Stop}, true })
	t.hear(systray.AddMenuItem(w.quit, ""), func() (Action, bool) { return Action{Do: Quit}, true })
	t.put(Of(view.Summary{}, t.o.Now()))
}

// hear acts on the clicks of a line. The library drops a click that nobody waits
// for, so the acting itself happens elsewhere.
func (t *Tray) hear(i *systray.MenuItem, what func() (Action, bool)) {
	t.work.Go(func() {
		for {
			select {
			case <-i.ClickedCh:
			case <-t.over:
				return
			}
			t.mu.Lock()
			a, ok := what()
			ok = ok && !t.closed
			t.mu.Unlock()
			if ok {
				go t.o.Act(a)
			}
		}
	})
}

// Show changes what is shown.
func (t *Tray) Show(m Model) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closed && !reflect.DeepEqual(m, t.shown) {
		t.put(m)
	}
}

// put writes a model into the lines that are there. The lock is held.
func (t *Tray) put(m Model) {
	defer func() { // the library panics when the bus has gone; then there is no panel either
		if p := recover(); p != nil {
			t.o.Log.Warn("tray has lost the panel", "err", fmt.Sprint(p))
			t.closed = true
		}
	}()
	t.shown = m
	if m.State != t.icon {
		t.icon = m.State
		if runtime.GOOS == "windows" {
			systray.SetIcon(ICO(m.State))
		} else {
			systray.SetIcon(PNG(m.State))
		}
	}
	if tip := t.o.tooltip(m); tip != t.tip {
		t.tip = tip
		systray.SetTooltip(t.o.Name + ": " + tip)
		t.lines.state.SetTitle(tip)
	}
	now := t.o.Now()
	l := &t.lines
	left := m.More
	for _, x := range []struct {
		list    *list
		entries []Entry
	}{{&l.needs, m.Needs}, {&l.running, m.Running}, {&l.capacity, m.Capacity}} {
		left += x.list.put(x.entries, now, t.o.label)
	}
	show(l.more, left > 0)
	show(l.stop, m.Automation)
	t.again(now)
}

// again puts the same model once more when a line has rested that may be wanted.
func (t *Tray) again(now time.Time) {
	if t.rebuilt != nil {
		t.rebuilt.Stop()
		t.rebuilt = nil
	}
	next := t.lines.next(now)
	if next.IsZero() {
		return
	}
	t.rebuilt = time.AfterFunc(max(next.Sub(now), 0), func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if !t.closed {
			t.put(t.shown)
		}
	})
}

// Close takes the icon away. It returns when that is done or a bound is over.
func (t *Tray) Close() error {
	t.mu.Lock()
	t.closed = true
	if t.rebuilt != nil {
		t.rebuilt.Stop()
	}
	t.mu.Unlock()
	t.ending.Do(func() { close(t.quit) })
	select {
	case <-t.over:
		t.work.Wait()
		return nil
	case <-time.After(closing):
		return errors.New("close tray: the panel does not let go")
	}
}
