package bustest

import (
	"testing"

	"github.com/godbus/dbus/v5"
)

const notifications = "org.freedesktop.Notifications"

// Notes is a notification server. Shown and Closed tell what it is asked for.
type Notes struct {
	Shown  chan Note
	Closed chan uint32

	t    testing.TB
	conn *dbus.Conn
}

// Note is what the server was asked to show.
type Note struct {
	ID, Replaces uint32
	Name         string
	Title, Body  string
	Actions      []string
	Hints        map[string]dbus.Variant
}

// NewNotes brings a notification server up on a bus.
func NewNotes(t testing.TB, address string) *Notes {
	t.Helper()
	n := &Notes{Shown: make(chan Note, 64), Closed: make(chan uint32, 64), t: t, conn: Dial(t, address)}
	err := n.conn.Export(&counter{n: n}, "/org/freedesktop/Notifications", notifications)
	if err == nil {
		_, err = n.conn.RequestName(notifications, dbus.NameFlagDoNotQueue)
	}
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Invoke has the user use an action of a note.
func (n *Notes) Invoke(id uint32, action string) {
	n.t.Helper()
	n.emit("ActionInvoked", id, action)
}

// Close has a note leave the screen: 1 its time is over, 2 the user put it away,
// 3 it was withdrawn.
func (n *Notes) Close(id, reason uint32) {
	n.t.Helper()
	n.emit("NotificationClosed", id, reason)
}

func (n *Notes) emit(name string, body ...any) {
	n.t.Helper()
	if err := n.conn.Emit("/org/freedesktop/Notifications", notifications+"."+name, body...); err != nil {
		n.t.Fatal(err)
	}
}

// Leave takes the server off the bus.
func (n *Notes) Leave() { _ = n.conn.Close() }

type counter struct {
	n    *Notes
	last uint32
}

// Notify is what a program calls; the bus hands in one call after the other.
func (c *counter) Notify(name string, replaces uint32, _, title, body string, actions []string, hints map[string]dbus.Variant, _ int32) (uint32, *dbus.Error) {
	id := replaces
	if id == 0 {
		c.last++
		id = c.last
	}
	c.n.Shown <- Note{ID: id, Replaces: replaces, Name: name, Title: title, Body: body, Actions: actions, Hints: hints}
	return id, nil
}

// CloseNotification is what a program calls.
func (c *counter) CloseNotification(id uint32) *dbus.Error {
	c.n.Closed <- id
	return nil
}

// GetServerInformation says who the server is.
func (c *counter) GetServerInformation() (name, vendor, version, spec string, err *dbus.Error) {
	return "stub", "tests", "1", "1.2", nil
}
