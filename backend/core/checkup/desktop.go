package checkup

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"time"

	"github.com/godbus/dbus/v5"

	"turnwatch/backend/history"
	"turnwatch/backend/local/bus"
	"turnwatch/backend/tray/host"
)

// patience is how long the desktop may take to answer.
const patience = 2 * time.Second

// unread says why the history could not be read. That there is none yet is fine.
func unread(err error, shown string) Finding {
	var h *history.Error
	switch {
	case errors.Is(err, history.ErrNothing):
		return finding("history", OK, "check.history_none")
	case errors.As(err, &h):
		return finding("history", Bad, h.Hint, "dir", shown, "have", h.Args["have"], "know", h.Args["know"])
	}
	return finding("history", Bad, "check.history_bad")
}

// webkit looks for the library that shows the window.
func webkit() Finding {
	if runtime.GOOS != "linux" {
		return finding("webkit", OK, "check.webkit_system")
	}
	for _, pattern := range []string{"/usr/lib/*/", "/usr/lib64/", "/usr/lib/", "/lib/*/", "/usr/local/lib/", "/usr/local/lib/*/"} {
		if found, _ := filepath.Glob(pattern + "libwebkit2gtk-4.1.so.0*"); len(found) > 0 {
			return finding("webkit", OK, "check.webkit_ok")
		}
	}
	return finding("webkit", Note, "check.webkit_none")
}

// panel asks whether somebody shows tray icons.
func panel(ctx context.Context) Finding {
	if runtime.GOOS != "linux" {
		if host.Answers(ctx, nil) {
			return finding("tray", OK, "check.tray_ok")
		}
		return finding("tray", Note, "check.tray_none")
	}
	c, err := bus.Connect(ctx)
	if err != nil {
		return finding("tray", Note, "check.no_bus")
	}
	defer func() { _ = c.Close() }()
	if !host.Answers(ctx, c) {
		return finding("tray", Note, "check.tray_none")
	}
	return finding("tray", OK, "check.tray_ok")
}

// notes asks whether somebody shows notifications: now, or when asked to.
func notes(ctx context.Context) Finding {
	if runtime.GOOS != "linux" {
		return finding("notifications", OK, "check.notes_system")
	}
	c, err := bus.Connect(ctx)
	if err != nil {
		return finding("notifications", Note, "check.no_bus")
	}
	defer func() { _ = c.Close() }()
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	for _, list := range []string{"ListNames", "ListActivatableNames"} {
		var names []string
		if c.BusObject().CallWithContext(ctx, "org.freedesktop.DBus."+list, dbus.FlagNoAutoStart).Store(&names) != nil {
			continue
		}
		for _, n := range names {
			if n == "org.freedesktop.Notifications" {
				return finding("notifications", OK, "check.notes_ok")
			}
		}
	}
	return finding("notifications", Note, "check.notes_none")
}
