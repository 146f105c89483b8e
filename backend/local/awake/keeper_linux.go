package awake

import (
	"context"
	"os"
	"time"

	"github.com/godbus/dbus/v5"
)

// patience is how long the desktop may take to answer.
const patience = 2 * time.Second

// suspend is the flag of GNOME's session for going to sleep by itself.
const suspend = uint32(4)

// New makes a keeper that asks the session's desktop and the system's login
// service. Either bus may be nil; they stay the caller's.
func New(session, system *dbus.Conn) *Keeper {
	return &Keeper{ask: func(ctx context.Context, why string) (func(), error) {
		var held []func()
		if r := askSession(ctx, session, why); r != nil {
			held = append(held, r)
		}
		if r := askLogin(ctx, system, why); r != nil {
			held = append(held, r)
		}
		if len(held) == 0 {
			return nil, ErrNobody
		}
		return func() {
			for _, release := range held {
				release()
			}
		}, nil
	}}
}

// askSession asks whoever sends this desktop to sleep: the first that answers.
func askSession(ctx context.Context, c *dbus.Conn, why string) func() {
	if c == nil {
		return nil
	}
	for _, x := range []struct {
		name, path, release string
		args                []any
	}{
		{"org.gnome.SessionManager", "/org/gnome/SessionManager", "Uninhibit", []any{"turnwatch", uint32(0), why, suspend}},
		{"org.freedesktop.PowerManagement.Inhibit", "/org/freedesktop/PowerManagement/Inhibit", "UnInhibit", []any{"turnwatch", why}},
		{"org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver", "UnInhibit", []any{"turnwatch", why}},
	} {
		if release := hold(ctx, c, x.name, x.path, x.release, x.args); release != nil {
			return release
		}
	}
	return nil
}

func hold(ctx context.Context, c *dbus.Conn, name, path, release string, args []any) func() {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	o := c.Object(name, dbus.ObjectPath(path))
	var cookie uint32
	if o.CallWithContext(ctx, name+".Inhibit", dbus.FlagNoAutoStart, args...).Store(&cookie) != nil {
		return nil
	}
	return func() {
		ctx, stop := context.WithTimeout(context.Background(), patience)
		defer stop()
		_ = o.CallWithContext(ctx, name+"."+release, dbus.FlagNoAutoStart, cookie).Err // it ends with the connection in any case
	}
}

// askLogin asks the system's login service, which sends a computer to sleep where
// no desktop does. The request lasts as long as the file that it gives is open.
func askLogin(ctx context.Context, c *dbus.Conn, why string) func() {
	if c == nil {
		return nil
	}
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	var fd dbus.UnixFD
	err := c.Object("org.freedesktop.login1", "/org/freedesktop/login1").CallWithContext(ctx,
		"org.freedesktop.login1.Manager.Inhibit", 0, "idle", "Turnwatch", why, "block").Store(&fd)
	if err != nil || fd < 0 {
		return nil
	}
	file := os.NewFile(uintptr(fd), "inhibit")
	return func() { _ = file.Close() }
}
