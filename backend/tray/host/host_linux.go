package host

import (
	"context"
	"time"

	"github.com/godbus/dbus/v5"
)

// patience is how long the watcher may take to answer.
const patience = 2 * time.Second

const (
	watcher = "org.kde.StatusNotifierWatcher"
	place   = dbus.ObjectPath("/StatusNotifierWatcher")
)

// Answers asks over the session bus whether a tray icon would be seen now. c may
// be nil: there is no bus. No watcher is no, and so is one without a host.
func Answers(ctx context.Context, c *dbus.Conn) bool {
	if c == nil {
		return false
	}
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	var v dbus.Variant
	err := c.Object(watcher, place).CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get",
		dbus.FlagNoAutoStart, watcher, "IsStatusNotifierHostRegistered").Store(&v)
	is, ok := v.Value().(bool)
	return err == nil && ok && is
}

// Watch calls hear with whether a tray icon is seen, at once and whenever that
// changes, one call after the other, until ctx ends. c may be nil.
func Watch(ctx context.Context, c *dbus.Conn, hear func(bool)) {
	if c == nil {
		hear(false)
		<-ctx.Done()
		return
	}
	signals := make(chan *dbus.Signal, 16)
	c.Signal(signals)
	for _, match := range [][]dbus.MatchOption{
		{dbus.WithMatchInterface("org.freedesktop.DBus"), dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, watcher)},
		{dbus.WithMatchInterface(watcher), dbus.WithMatchObjectPath(place)},
	} {
		_ = c.AddMatchSignalContext(ctx, match...) // without it, it is asked once
	}
	last := Answers(ctx, c)
	hear(last)
	for {
		select {
		case <-ctx.Done():
			c.RemoveSignal(signals)
			return
		case _, open := <-signals:
			if !open { // the bus has gone
				if last {
					hear(false)
				}
				<-ctx.Done()
				return
			}
		}
		if now := Answers(ctx, c); now != last && ctx.Err() == nil {
			last = now
			hear(now)
		}
	}
}
