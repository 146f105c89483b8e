package tray_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/local/bus/bustest"
	"turnwatch/backend/tray"
	"turnwatch/backend/view"
)

// TestMain is the program with the icon where it is asked to be: a process has one
// tray, once.
func TestMain(m *testing.M) {
	if os.Getenv("TURNWATCH_TEST_TRAY") != "" {
		os.Exit(program())
	}
	os.Exit(m.Run())
}

// program shows each summary that it reads, and prints what is clicked.
func program() int {
	out := json.NewEncoder(os.Stdout)
	acts := make(chan tray.Action)
	tr, err := tray.Start(tray.Options{
		Say: func(p view.Phrase) string { return strings.TrimSpace(p.Key + " " + p.Args["Count"]) },
		Act: func(a tray.Action) { acts <- a }, Now: time.Now, Log: slog.New(slog.DiscardHandler), Name: "Turnwatch",
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	summaries := make(chan view.Summary)
	go func() {
		in := json.NewDecoder(os.Stdin)
		for {
			var s view.Summary
			if in.Decode(&s) != nil {
				close(summaries)
				return
			}
			summaries <- s
		}
	}()
	for {
		select {
		case a := <-acts:
			_ = out.Encode(a)
		case s, more := <-summaries:
			if !more {
				if tr.Close() != nil {
					return 1
				}
				return 0
			}
			tr.Show(tray.Of(s, time.Now()))
			_ = out.Encode("shown")
		}
	}
}

// shower is the program with the icon, from outside.
type shower struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func start(t *testing.T, address string) *shower {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "TURNWATCH_TEST_TRAY=1", "DBUS_SESSION_BUS_ADDRESS="+address, "GORACE=exitcode=0")
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	var said strings.Builder
	cmd.Stderr = &said
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		races(t, said.String())
	})
	return &shower{t, cmd, in, bufio.NewReader(out)}
}

// races fails for every race but the one of the library, which counts the versions
// of the menu under one lock and reads them under another.
func races(t *testing.T, said string) {
	t.Helper()
	for report := range strings.SplitSeq(said, "==================") {
		if strings.Contains(report, "DATA RACE") {
			assert.Contains(t, report, "fyne.io/systray.(*tray).GetLayout", report)
			assert.Contains(t, report, "fyne.io/systray.refresh", report)
		}
	}
}

func (s *shower) line() string {
	s.t.Helper()
	l, err := s.out.ReadString('\n')
	require.NoError(s.t, err)
	return strings.TrimSpace(l)
}

func (s *shower) show(tasks ...view.Brief) {
	s.t.Helper()
	s.put(view.Summary{Tasks: tasks})
}

func (s *shower) put(all view.Summary) {
	s.t.Helper()
	require.NoError(s.t, json.NewEncoder(s.in).Encode(all))
	require.Equal(s.t, `"shown"`, s.line())
}

func (s *shower) clicked() tray.Action {
	s.t.Helper()
	var a tray.Action
	require.NoError(s.t, json.Unmarshal([]byte(s.line()), &a))
	return a
}

// end closes the icon and waits for the program.
func (s *shower) end() {
	s.t.Helper()
	require.NoError(s.t, s.in.Close())
	require.NoError(s.t, s.cmd.Wait(), "it ends well")
}

// texts are the lines of a menu.
func texts(lines []bustest.Line) []string {
	var out []string
	for _, l := range lines {
		s := l.Text
		if !l.On && s != "" {
			s = "(" + s + ")"
		}
		for _, sub := range l.Sub {
			s += " > " + sub.Text
		}
		out = append(out, s)
	}
	return out
}

func find(t *testing.T, lines []bustest.Line, text string) int32 {
	t.Helper()
	for _, l := range lines {
		if l.Text == text {
			return l.ID
		}
		for _, s := range l.Sub {
			if l.Text+" > "+s.Text == text {
				return s.ID
			}
		}
	}
	t.Fatalf("there is no %q in %v", text, texts(lines))
	return 0
}

func TestThePanelShowsHowThingsStand(t *testing.T) {
	address := bustest.Bus(t)
	panel := bustest.NewPanel(t, address, true)
	p := start(t, address)
	icon := panel.Icon(<-panel.Items)

	p.show()
	width, idle := icon.Pixels()
	assert.Equal(t, int32(32), width)
	assert.Len(t, idle, 32*32*4)
	assert.Equal(t, "Turnwatch: tray.idle", icon.Tip())
	assert.Equal(t, []string{"(tray.idle)", "", "tray.open", "tray.quit"}, texts(icon.Menu()))

	p.show(working("a"), asking("b_1"), limited("c", time.Time{}))
	_, needs := icon.Pixels()
	assert.NotEqual(t, idle, needs)
	assert.Equal(t, "Turnwatch: tray.needs 1 · tray.running 1 · tray.limited 1", icon.Tip())
	menu := icon.Menu()
	assert.Equal(t, []string{
		"(tray.needs 1 · tray.running 1 · tray.limited 1)",
		"(tray.list_needs)", "Task b__1 · row.asks",
		"(tray.list_running)", "Task a · row.working > tray.open_task > tray.cancel",
		"(tray.list_capacity)", "Task c · row.reset",
		"", "tray.open", "tray.quit",
	}, texts(menu))

	icon.Click(find(t, menu, "Task b__1 · row.asks"))
	assert.Equal(t, tray.Action{Do: tray.Open, Task: "b_1", Session: "sb_1"}, p.clicked())
	cancel := find(t, menu, "Task a · row.working > tray.cancel")
	icon.Click(cancel)
	assert.Equal(t, tray.Action{Do: tray.Cancel, Task: "a", Session: "sa"}, p.clicked())
	icon.Click(find(t, menu, "tray.open"))
	assert.Equal(t, tray.Action{Do: tray.Open}, p.clicked())

	// A click that was on its way when the menu changed reaches nobody else.
	p.show(working("d"))
	_, running := icon.Pixels()
	assert.NotEqual(t, needs, running)
	icon.Click(cancel)
	icon.Click(find(t, icon.Menu(), "tray.quit"))
	assert.Equal(t, tray.Action{Do: tray.Quit}, p.clicked(), "and not cancel")
	p.end()
}

// The line is there only while there is something to stop.
func TestAllAutomationIsStoppedFromTheMenu(t *testing.T) {
	address := bustest.Bus(t)
	panel := bustest.NewPanel(t, address, true)
	p := start(t, address)
	icon := panel.Icon(<-panel.Items)
	p.put(view.Summary{Automation: true})
	menu := icon.Menu()
	assert.Equal(t, []string{"(tray.idle)", "", "tray.open", "tray.stop", "tray.quit"}, texts(menu))
	icon.Click(find(t, menu, "tray.stop"))
	assert.Equal(t, tray.Action{Do: tray.Stop}, p.clicked())
	p.show()
	assert.Equal(t, []string{"(tray.idle)", "", "tray.open", "tray.quit"}, texts(icon.Menu()))
	p.end()
}

func TestAPanelThatComesLater(t *testing.T) {
	address := bustest.Bus(t)
	p := start(t, address)
	p.show(working("a"))
	panel := bustest.NewPanel(t, address, true)
	icon := panel.Icon(<-panel.Items)
	assert.Equal(t, "Turnwatch: tray.running 1", icon.Tip())
	panel.Leave()
	p.show(working("a"), asking("b"))
	again := bustest.NewPanel(t, address, true)
	assert.Equal(t, "Turnwatch: tray.needs 1 · tray.running 1", again.Icon(<-again.Items).Tip(), "the panel was started anew")
	p.end()
}

func TestABusThatGoesTakesNothingAlong(t *testing.T) {
	address, stop := bustest.Start(t)
	panel := bustest.NewPanel(t, address, true)
	p := start(t, address)
	<-panel.Items
	stop()
	p.show(working("a"))
	p.end()
}

func TestNoBusAtAll(t *testing.T) {
	p := start(t, "unix:path=/nonexistent/bus")
	p.show(working("a"))
	p.show()
	p.end()
}
