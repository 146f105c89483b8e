package tray

import (
	"context"
	"time"

	"github.com/godbus/dbus/v5"
)

const watcher = "org.kde.StatusNotifierWatcher"

// patience is how long a panel may take to take the icon.
const patience = 2 * time.Second

// register hands the icon to the panel that is there and to every one that comes,
// until quit is closed. The library does so too, but begins to listen only after it
// has asked: a panel that comes in between would never hear of the icon. Being told
// twice is nothing to a panel.
func (t *Tray) register() {
	conn, err := dbus.SessionBus() // the connection that the library uses
	if err != nil {
		return // there is no bus
	}
	news := make(chan *dbus.Signal, 16)
	conn.Signal(news)
	defer conn.RemoveSignal(news)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() {
		select {
		case <-t.quit:
			stop()
		case <-ctx.Done():
		}
	}()
	err = conn.AddMatchSignalContext(ctx, dbus.WithMatchSender("org.freedesktop.DBus"), dbus.WithMatchInterface("org.freedesktop.DBus"),
		dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, watcher))
	if err != nil {
		return
	}
	for {
		ask, done := context.WithTimeout(ctx, patience)
		_ = conn.Object(watcher, "/StatusNotifierWatcher").CallWithContext(ask,
			watcher+".RegisterStatusNotifierItem", dbus.FlagNoAutoStart, "/StatusNotifierItem").Err // none is there, or it comes
		done()
		if !t.comes(ctx, news) {
			return
		}
	}
}

// comes waits for a panel; false when there is no more waiting.
func (t *Tray) comes(ctx context.Context, news <-chan *dbus.Signal) bool {
	for {
		select {
		case <-ctx.Done():
			return false
		case s, open := <-news:
			if !open {
				return false
			}
			if s.Name != "org.freedesktop.DBus.NameOwnerChanged" || len(s.Body) < 3 || s.Body[0] != any(watcher) {
				continue
			}
			if owner, is := s.Body[2].(string); is && owner != "" {
				return true
			}
		}
	}
}
