package window_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/adrg/xdg"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/view"
	"turnwatch/backend/window"
)

func TestThePageSaysWhatTheUserLooksAt(t *testing.T) {
	r, _ := raise(t, t.TempDir(), &player{script: func(x turn) { x.end() }})
	looks := make(chan window.Looking)
	ctx, stop := context.WithCancel(t.Context())
	var done sync.WaitGroup
	done.Go(func() {
		r.Follow(ctx, func(_ view.Summary, l window.Looking) {
			select {
			case looks <- l:
			case <-ctx.Done():
			}
		})
	})
	assert.Equal(t, window.Looking{}, <-looks)
	require.NoError(t, r.Tasks.Attend(true, "t1"))
	assert.Equal(t, window.Looking{Focused: true, Task: "t1"}, <-looks)
	require.NoError(t, r.Tasks.Attend(false, ""))
	assert.Equal(t, window.Looking{}, <-looks)
	assert.Equal(t, "error.argument", key(t, r.Tasks.Attend(true, "../x")))
	stop()
	done.Wait()
}

func TestATaskThatIsAskedForIsToldOnce(t *testing.T) {
	r, _ := raise(t, t.TempDir(), &player{})
	asked, err := r.Tasks.Asked()
	require.NoError(t, err)
	assert.Empty(t, asked)
	r.Ask("t1")
	asked, err = r.Tasks.Asked()
	require.NoError(t, err)
	assert.Equal(t, "t1", asked)
	asked, err = r.Tasks.Asked()
	require.NoError(t, err)
	assert.Empty(t, asked)
}

func TestTheDesktopIsSet(t *testing.T) {
	home := t.TempDir()
	t.Cleanup(xdg.Reload) // when the variable is put back
	t.Setenv("XDG_CONFIG_HOME", home)
	xdg.Reload()
	dir := t.TempDir()
	r, _ := raise(t, dir, &player{})
	d, err := r.Settings.Desktop()
	require.NoError(t, err)
	assert.True(t, d.Tray)
	assert.False(t, d.Autostart, "off until asked")
	assert.False(t, d.Awake)

	d.Autostart, d.Notify.Finished, d.Notify.QuietFrom, d.Notify.QuietTo = true, false, "22:00", "07:00"
	d, err = r.Settings.SetDesktop(d)
	require.NoError(t, err)
	assert.True(t, d.Autostart)
	assert.False(t, d.Notify.Finished)
	entry, err := os.ReadFile(filepath.Join(home, "autostart", "turnwatch.desktop"))
	require.NoError(t, err)
	assert.Contains(t, string(entry), `"--background" "--data" "`+dir+`"`)

	bad := d
	bad.Notify.QuietFrom = "late"
	_, err = r.Settings.SetDesktop(bad)
	assert.Equal(t, "error.argument", key(t, err))
	d.Autostart = false
	d, err = r.Settings.SetDesktop(d)
	require.NoError(t, err)
	assert.False(t, d.Autostart)
	assert.Equal(t, "22:00", d.Notify.QuietFrom)

	require.NoError(t, os.RemoveAll(filepath.Join(home, "autostart")))
	require.NoError(t, os.WriteFile(filepath.Join(home, "autostart"), nil, 0o600))
	d.Autostart = true
	_, err = r.Settings.SetDesktop(d)
	assert.Equal(t, "error.autostart", key(t, err), "a folder that cannot be written")
}

func TestTheCheck(t *testing.T) {
	r, _ := raise(t, t.TempDir(), &player{})
	list, err := r.Settings.Check()
	require.NoError(t, err)
	states := map[string]string{}
	for _, c := range list {
		states[c.Name] = c.State
		assert.NotEmpty(t, c.What.Key)
	}
	assert.Equal(t, "ok", states["history"])
	assert.Equal(t, "ok", states["data"])
	assert.NotContains(t, states, "webkit")
}
