package beside_test

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/local/bus/bustest"
)

// real is the program that is shipped, on a screen and a bus of its own.
type real struct {
	t        *testing.T
	program  string
	env      []string
	data     string
	display  string
	inspects string // where its page can be driven
}

func newReal(t *testing.T, address string) *real {
	t.Helper()
	program := os.Getenv("TURNWATCH_TEST_WINDOW")
	if program == "" {
		t.Skip("TURNWATCH_TEST_WINDOW names no window that was built; it also needs Xvfb, openbox, wmctrl and node")
	}
	x := exec.Command("Xvfb", "-displayfd", "1", "-screen", "0", "1300x850x24", "-nolisten", "tcp")
	out, err := x.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, x.Start())
	t.Cleanup(func() {
		_ = x.Process.Kill()
		_ = x.Wait()
	})
	number, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	home, err := os.MkdirTemp("", "window")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(home) }) // what the page's processes still write is of no matter
	r := &real{t: t, program: program, data: filepath.Join(home, "data"), display: ":" + strings.TrimSpace(number), inspects: l.Addr().String()}
	require.NoError(t, l.Close())
	r.env = append(os.Environ(), "DISPLAY="+r.display, "WAYLAND_DISPLAY=", "NO_AT_BRIDGE=1", "DBUS_SESSION_BUS_ADDRESS="+address,
		"XDG_DATA_HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home, "TURNWATCH_TEST_INSPECTOR=1", "WEBKIT_INSPECTOR_HTTP_SERVER="+r.inspects)
	r.spawn("openbox")
	return r
}

// spawn starts a program that is ended with the test at the latest.
func (r *real) spawn(name string, args ...string) *exec.Cmd {
	r.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = r.env
	require.NoError(r.t, cmd.Start())
	r.t.Cleanup(func() {
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	})
	return cmd
}

func (r *real) start(args ...string) *exec.Cmd {
	r.t.Helper()
	return r.spawn(r.program, append([]string{"--data", r.data}, args...)...)
}

// seen tells whether the window is on the screen.
func (r *real) seen() bool {
	cmd := exec.Command("wmctrl", "-l")
	cmd.Env = r.env
	out, _ := cmd.Output() // no window manager yet is no window yet
	return strings.Contains(string(out), "Turnwatch")
}

// until waits for something that the window system does in its own time.
func (r *real) until(what string, ok func() bool) {
	r.t.Helper()
	require.Eventually(r.t, ok, 60*time.Second, 100*time.Millisecond, what)
}

// close asks the window to close, as its frame does.
func (r *real) close() {
	r.t.Helper()
	cmd := exec.Command("wmctrl", "-c", "Turnwatch")
	cmd.Env = r.env
	require.NoError(r.t, cmd.Run())
}

// page runs scripts in the page, one after the other; each is waited for until it
// is true.
func (r *real) page(scripts ...string) {
	r.t.Helper()
	inspector, err := filepath.Abs(filepath.Join("..", "..", "..", "frontend", "e2e", "smoke", "inspector.mjs"))
	require.NoError(r.t, err)
	var code bytes.Buffer
	fmt.Fprintf(&code, "import { inspect } from %q\nconst w = await inspect(%q, 60000)\n", inspector, r.inspects)
	for _, s := range scripts {
		fmt.Fprintf(&code, "await w.until(%q, 60000)\n", s)
	}
	code.WriteString("process.exit(0)\n")
	cmd := exec.Command("node", "--experimental-websocket", "--input-type=module", "-e", code.String())
	out, err := cmd.CombinedOutput()
	require.NoError(r.t, err, string(out))
}

func find(t *testing.T, lines []bustest.Line, text string) int32 {
	t.Helper()
	for _, l := range lines {
		if strings.HasPrefix(l.Text, text) {
			return l.ID
		}
		for _, s := range l.Sub {
			if s.Text == text {
				return s.ID
			}
		}
	}
	t.Fatalf("there is no %q in %v", text, lines)
	return 0
}

func TestTheRealWindowInTheTray(t *testing.T) {
	address := bustest.Bus(t)
	panel := bustest.NewPanel(t, address, true)
	notes := bustest.NewNotes(t, address)
	r := newReal(t, address)
	first := r.start()
	icon := panel.Icon(<-panel.Items)
	r.until("the window is there", r.seen)
	assert.Equal(t, "Turnwatch: No turn is running", icon.Tip())

	r.close()
	r.until("closing hides it", func() bool { return !r.seen() })
	icon.Click(find(t, icon.Menu(), "Open Turnwatch"))
	r.until("the tray shows it", r.seen)
	r.close()
	r.until("closing hides it again", func() bool { return !r.seen() })
	require.NoError(t, r.start().Wait(), "a second start ends well")
	r.until("a second start shows it", r.seen)
	r.close()
	r.until("hidden once more", func() bool { return !r.seen() })
	require.NoError(t, r.start("turnwatch://task/01ARZ3NDEKTSV4RRFFQ69G5FAV").Wait(), "a link is handed over")
	r.until("a link shows it", r.seen)
	require.Error(t, r.start("turnwatch://run/x").Wait(), "what is no link is refused")

	// A turn that asks while the window is hidden is told, and opened from there.
	folder := t.TempDir()
	r.page(
		`document.querySelector('input[type=radio][value=demo]') !== null`,
		fmt.Sprintf(`(() => {
			const put = (label, text) => { const e = document.querySelector('[aria-label="' + label + '"]'); e.value = text; e.dispatchEvent(new InputEvent('input', { bubbles: true })); return e }
			document.querySelector('input[type=radio][value=demo]').click()
			put('Folder to work in', %q)
			put('What should it do?', '/permission')
			return true
		})()`, folder),
		`(() => { const b = [...document.querySelectorAll('button')].find((b) => /^Start/.test(b.textContent.trim()) && !b.disabled); b?.click(); return !!document.querySelector('dialog') })()`,
		`(() => { [...document.querySelectorAll('dialog button')].find((b) => /Trust/.test(b.textContent))?.click(); return !document.querySelector('dialog') })()`,
	)
	r.close()
	r.until("hidden", func() bool { return !r.seen() })
	select {
	case n := <-notes.Shown:
		assert.Equal(t, "/permission", n.Title)
		r.until("the icon says so", func() bool { return strings.Contains(icon.Tip(), "1 task needs you") })
		notes.Close(n.ID, 2)
		assert.False(t, r.seen(), "putting it away opens nothing")
	case <-time.After(60 * time.Second):
		t.Fatal("nothing was told")
	}
	icon.Click(find(t, icon.Menu(), "/permission"))
	r.until("its line shows the window", r.seen)
	r.page(`document.querySelector('[id^=ask-]') !== null`)
	icon.Click(find(t, icon.Menu(), "Quit Turnwatch"))
	r.until("the question is on the screen", func() bool {
		cmd := exec.Command("xdotool", "search", "--name", "Close Turnwatch")
		cmd.Env = r.env
		return cmd.Run() == nil
	})
	cmd := exec.Command("xdotool", "key", "--clearmodifiers", "alt+y")
	cmd.Env = r.env
	require.NoError(t, cmd.Run())
	require.NoError(t, first.Wait(), "it ends well")
}

func TestTheRealWindowWithoutAPanel(t *testing.T) {
	address := bustest.Bus(t)
	r := newReal(t, address)
	first := r.start()
	r.until("the window is there", r.seen)
	r.close()
	require.NoError(t, first.Wait(), "nobody shows the icon, so closing quits")
}
