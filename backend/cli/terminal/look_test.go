package terminal_test

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/cli/terminal"
)

func TestWhatIsNoTerminalGetsPlainText(t *testing.T) {
	f, err := os.Create(t.TempDir() + "/out")
	require.NoError(t, err)
	defer f.Close()
	tests := []struct {
		name string
		env  map[string]string
		want terminal.Look
	}{
		{"UTF-8", map[string]string{"LANG": "en_US.UTF-8"}, terminal.Look{Unicode: true}},
		{"LC_ALL outranks LANG", map[string]string{"LANG": "en_US.UTF-8", "LC_ALL": "C"}, terminal.Look{}},
		{"another charset", map[string]string{"LANG": "de_DE.ISO-8859-1"}, terminal.Look{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, terminal.LookOf(f, func(k string) string { return tt.env[k] }))
		})
	}
}

func TestAListIsDrawn(t *testing.T) {
	for name, look := range map[string]terminal.Look{"wide": {Width: 80, Color: true, Unicode: true}, "narrow": {Width: 40}} {
		var out bytes.Buffer
		l := terminal.NewList(&out, look)
		l.Row(terminal.Green, terminal.Done, "opencode", "1.18.33", "/usr/bin/opencode acp --port PORT")
		l.Row(terminal.Dim, terminal.Todo, "claude", "", "claude-agent-acp was not found. Install it with: npm install -g claude-agent-acp")
		l.Entry(terminal.Red, terminal.Failing, "A title that is too long for a narrow page but not for others", "failed · demo · 2026-03-01 09:00 · 01M8PYCHNPXZ3ZKBG5XJJS11XA")
		require.NoError(t, l.Err())
		golden(t, "list-"+name, out.Bytes())
	}
}

// Names are words of a language: the longest must not push its text out of line.
func TestALongNameTakesTheRoomOfItsDetail(t *testing.T) {
	for _, name := range []string{"Tray", "Notifications", "Zone de notification"} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			l := terminal.NewList(&out, terminal.Look{})
			l.Row(terminal.Green, terminal.Done, name, "", "text")
			require.NoError(t, l.Err())
			assert.Equal(t, 26, strings.Index(out.String(), "text"), out.String())
		})
	}
}

// How long a test waits for the kernel, and how often it looks.
const (
	waitBound = 10 * time.Second
	waitStep  = time.Millisecond
)
