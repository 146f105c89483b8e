package notify

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"
)

const (
	server = "org.freedesktop.Notifications"
	place  = dbus.ObjectPath("/org/freedesktop/Notifications")
)

// patience is how long the server may take to answer.
const patience = 2 * time.Second

// Bus shows notes by the notification server of the desktop. All methods are safe
// from any goroutine.
//
// It tells a note that was put away from one that was opened. The window's own
// library does not: there, putting a note away would bring the window up.
type Bus struct {
	conn *dbus.Conn
	name string // of the program
	open func(id string)
	gone func(id string)
	done sync.WaitGroup

	mu  sync.Mutex
	ids map[string]uint32 // what is on the screen
}

// OnBus begins to speak to the server. open is told the ID of a note that the user
// opened, gone of one that is not on the screen any more by other hands than ours;
// both must return at once. The connection is the Bus's from here on.
func OnBus(ctx context.Context, conn *dbus.Conn, name string, open, gone func(id string)) (*Bus, error) {
	b := &Bus{conn: conn, name: name, open: open, gone: gone, ids: map[string]uint32{}}
	signals := make(chan *dbus.Signal, 16)
	conn.Signal(signals)
	for _, member := range []string{"ActionInvoked", "NotificationClosed"} {
		err := conn.AddMatchSignalContext(ctx, dbus.WithMatchSender(server), dbus.WithMatchObjectPath(place),
			dbus.WithMatchInterface(server), dbus.WithMatchMember(member))
		if err != nil {
			_ = conn.Close()
			return nil, fmt.Errorf("listen to notifications: %w", err)
		}
	}
	b.done.Go(func() {
		for s := range signals { // ends with the connection
			b.hear(s)
		}
	})
	return b, nil
}

func (b *Bus) hear(s *dbus.Signal) {
	if len(s.Body) < 2 {
		return
	}
	n, ok := s.Body[0].(uint32)
	if !ok {
		return
	}
	b.mu.Lock()
	id := ""
	for name, is := range b.ids {
		if is == n {
			id = name
		}
	}
	closed := s.Name == server+".NotificationClosed"
	if closed {
		delete(b.ids, id)
	}
	b.mu.Unlock()
	switch {
	case id == "":
	case closed:
		b.gone(id)
	case s.Name == server+".ActionInvoked":
		b.open(id)
	}
}

// Show shows a note, in the place of the one with the same ID.
func (b *Bus) Show(ctx context.Context, n Note) error {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	b.mu.Lock()
	old := b.ids[n.ID]
	b.mu.Unlock()
	hints := map[string]dbus.Variant{"desktop-entry": dbus.MakeVariant("turnwatch"), "urgency": dbus.MakeVariant(byte(1))}
	var id uint32
	err := b.conn.Object(server, place).CallWithContext(ctx, server+".Notify", 0,
		b.name, old, "turnwatch", n.Title, n.Body, []string{"default", n.Action, "open", n.Action}, hints, int32(-1)).Store(&id)
	if err != nil {
		return fmt.Errorf("show notification: %w", err)
	}
	b.mu.Lock()
	b.ids[n.ID] = id
	b.mu.Unlock()
	return nil
}

// Withdraw takes a note off the screen; one that is not there is no error.
func (b *Bus) Withdraw(ctx context.Context, id string) error {
	b.mu.Lock()
	n, there := b.ids[id]
	delete(b.ids, id)
	b.mu.Unlock()
	if !there {
		return nil
	}
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	if err := b.conn.Object(server, place).CallWithContext(ctx, server+".CloseNotification", dbus.FlagNoAutoStart, n).Err; err != nil {
		return fmt.Errorf("withdraw notification: %w", err)
	}
	return nil
}

// Close takes everything off the screen and lets the server go: what a note would
// open is not there any more.
func (b *Bus) Close(ctx context.Context) {
	b.mu.Lock()
	ids := make([]string, 0, len(b.ids))
	for id := range b.ids {
		ids = append(ids, id)
	}
	b.mu.Unlock()
	for _, id := range ids {
		if b.Withdraw(ctx, id) != nil {
			break // the server does not answer
		}
	}
	_ = b.conn.Close()
	b.done.Wait()
}
