package bustest

import (
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/godbus/dbus/v5/prop"
)

const watcher = "org.kde.StatusNotifierWatcher"

// Panel is a StatusNotifierWatcher. Items tells the bus name of each program that
// registers an icon.
type Panel struct {
	Items chan string

	t     testing.TB
	conn  *dbus.Conn
	props *prop.Properties
}

// NewPanel brings a panel up on a bus, with or without a host that shows icons.
func NewPanel(t testing.TB, address string, host bool) *Panel {
	t.Helper()
	p := &Panel{Items: make(chan string, 16), t: t, conn: Dial(t, address)}
	props, err := prop.Export(p.conn, "/StatusNotifierWatcher", prop.Map{watcher: {
		"IsStatusNotifierHostRegistered": {Value: host, Emit: prop.EmitTrue},
	}})
	if err == nil {
		err = p.conn.Export(registry{p}, "/StatusNotifierWatcher", watcher)
	}
	if err == nil {
		_, err = p.conn.RequestName(watcher, dbus.NameFlagDoNotQueue)
	}
	if err != nil {
		t.Fatal(err)
	}
	p.props = props
	return p
}

// SetHost has a host come or go.
func (p *Panel) SetHost(on bool) {
	p.t.Helper()
	p.props.SetMust(watcher, "IsStatusNotifierHostRegistered", on)
	signal := ".StatusNotifierHostRegistered"
	if !on {
		signal = ".StatusNotifierHostUnregistered"
	}
	if err := p.conn.Emit("/StatusNotifierWatcher", watcher+signal); err != nil {
		p.t.Fatal(err)
	}
}

// Leave takes the panel off the bus.
func (p *Panel) Leave() { _ = p.conn.Close() }

type registry struct{ p *Panel }

// RegisterStatusNotifierItem is what a program calls.
func (r registry) RegisterStatusNotifierItem(sender dbus.Sender, _ string) *dbus.Error {
	r.p.Items <- string(sender)
	return nil
}

// Icon is a program's icon, as a panel sees it.
type Icon struct {
	t    testing.TB
	conn *dbus.Conn
	name string
}

// Icon takes hold of the icon of a program by its bus name.
func (p *Panel) Icon(name string) Icon { return Icon{p.t, p.conn, name} }

// Pixels are the size and the ARGB bytes of the icon.
func (i Icon) Pixels() (width int32, pixels []byte) {
	i.t.Helper()
	var list []struct {
		W, H int32
		Pix  []byte
	}
	i.property("IconPixmap", &list)
	if len(list) == 0 {
		return 0, nil
	}
	return list[0].W, list[0].Pix
}

// Tip is the text of the tooltip.
func (i Icon) Tip() string {
	i.t.Helper()
	var tip struct {
		Name string
		Pics []struct {
			W, H int32
			Pix  []byte
		}
		Title, Text string
	}
	i.property("ToolTip", &tip)
	return tip.Title
}

func (i Icon) property(name string, into any) {
	i.t.Helper()
	v, err := i.conn.Object(i.name, "/StatusNotifierItem").GetProperty("org.kde.StatusNotifierItem." + name)
	if err == nil {
		err = v.Store(into)
	}
	if err != nil {
		i.t.Fatal(name, err)
	}
}

// Line is a line of the menu that can be seen.
type Line struct {
	ID   int32
	Text string
	On   bool
	Sub  []Line
}

type layout struct {
	ID    int32
	Props map[string]dbus.Variant
	Sub   []dbus.Variant
}

// Menu gives the lines that can be seen. Separators have no text.
func (i Icon) Menu() []Line {
	i.t.Helper()
	menu := i.conn.Object(i.name, "/StatusNotifierItem/menu")
	var root layout
	for range 2 { // the first answer after a change may leave submenus out
		var revision uint32
		if err := menu.Call("com.canonical.dbusmenu.GetLayout", 0, int32(0), int32(-1), []string{}).Store(&revision, &root); err != nil {
			i.t.Fatal(err)
		}
	}
	return linesOf(i.t, root.Sub)
}

func linesOf(t testing.TB, list []dbus.Variant) []Line {
	t.Helper()
	var out []Line
	for _, v := range list {
		var l layout
		if err := dbus.Store([]any{v.Value()}, &l); err != nil {
			t.Fatal(err)
		}
		if seen, is := l.Props["visible"].Value().(bool); is && !seen {
			continue
		}
		text, _ := l.Props["label"].Value().(string)
		on, _ := l.Props["enabled"].Value().(bool)
		out = append(out, Line{ID: l.ID, Text: text, On: on, Sub: linesOf(t, l.Sub)})
	}
	return out
}

// Click clicks a line.
func (i Icon) Click(id int32) {
	i.t.Helper()
	call := i.conn.Object(i.name, "/StatusNotifierItem/menu").Call("com.canonical.dbusmenu.Event", 0, id, "clicked", dbus.MakeVariant(""), uint32(0))
	if call.Err != nil {
		i.t.Fatal(call.Err)
	}
}
