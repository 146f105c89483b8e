package autostart_test

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/local/autostart"
)

func TestAnEntryComesAndGoes(t *testing.T) {
	for name, make := range map[string]func(string) autostart.Folder{"turnwatch.desktop": autostart.XDG, "app.turnwatch.plist": autostart.LaunchAgents} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "deep", "autostart")
			f := make(dir)
			on := func() bool {
				on, err := f.On()
				require.NoError(t, err)
				return on
			}
			assert.False(t, on(), "off until asked")
			require.NoError(t, f.Unset(), "and taking nothing away is no error")
			require.NoError(t, f.Set(autostart.Entry{Program: "/opt/turn watch/turnwatch", Args: []string{"--background", "--data", "/a&b"}}))
			assert.True(t, on())
			left, err := os.ReadDir(dir)
			require.NoError(t, err)
			assert.Len(t, left, 1)
			require.NoError(t, f.Unset())
			assert.False(t, on())
		})
	}
}

func TestTheDesktopEntryIsQuoted(t *testing.T) {
	dir := t.TempDir()
	f := autostart.XDG(dir)
	require.NoError(t, f.Set(autostart.Entry{Program: "/opt/turn watch/turnwatch", Args: []string{"--data", "/x/$HOME`\"\\100%"}, Comment: "Runs agents"}))
	raw, err := os.ReadFile(filepath.Join(dir, "turnwatch.desktop"))
	require.NoError(t, err)
	assert.Contains(t, string(raw), `Exec="/opt/turn watch/turnwatch" "--data" "/x/\\$HOME\\`+"`"+`\\"\\\\100%%"`+"\n")

	for _, off := range []string{"Hidden=true", "X-GNOME-Autostart-enabled = false"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "turnwatch.desktop"), append(raw, off+"\n"...), 0o600))
		on, err := f.On()
		require.NoError(t, err)
		assert.False(t, on, "the desktop switched it off by %s", off)
	}
}

func TestTheLaunchAgentIsXML(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, autostart.LaunchAgents(dir).Set(autostart.Entry{Program: "/Applications/<a>&b"}))
	raw, err := os.ReadFile(filepath.Join(dir, "app.turnwatch.plist"))
	require.NoError(t, err)
	var any struct {
		Words []string `xml:"dict>array>string"`
	}
	require.NoError(t, xml.Unmarshal(raw, &any))
	assert.Equal(t, []string{"/Applications/<a>&b"}, any.Words)
}

func TestWhatCannotStandInAnEntryIsRefused(t *testing.T) {
	for name, e := range map[string]autostart.Entry{
		"relative":    {Program: "turnwatch"},
		"a line":      {Program: "/x\nExec=/bin/evil"},
		"an argument": {Program: "/x", Args: []string{"a\nHidden=true"}},
		"the comment": {Program: "/x", Comment: "a\nHidden=true"},
	} {
		require.ErrorIs(t, autostart.XDG(t.TempDir()).Set(e), autostart.ErrUnfit, name)
	}
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.ErrorContains(t, autostart.XDG(filepath.Join(file, "x")).Set(autostart.Entry{Program: "/x"}), "write start entry")
}
