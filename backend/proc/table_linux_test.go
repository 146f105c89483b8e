package proc

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const statTail = " S 4 5 6 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 1 0 68822 3133440 7 18446744073709551615 9 9 9\n"

func TestARowOfTheProcessTable(t *testing.T) {
	page := uint64(os.Getpagesize())
	want := entry{ident: ident{12, 68822}, ppid: 4, pgid: 5, sid: 6, cpu: 3 * time.Second, rss: 7 * page}
	for _, row := range []struct {
		name, raw, process string
		dead, ok           bool
		stopped            bool
	}{
		{"plain", "12 (cat)" + statTail, "cat", false, true, false},
		{"blanks and brackets in the name", "12 (a ) S (b) c)" + statTail, "a ) S (b) c", false, true, false},
		{"a line end in the name", "12 (a\nb)" + statTail, "a\nb", false, true, false},
		{"no name", "12 ()" + statTail, "", false, true, false},
		{"dead", "12 (cat)" + strings.Replace(statTail, " S ", " Z ", 1), "cat", true, true, false},
		{"stopped", "12 (cat)" + strings.Replace(statTail, " S ", " T ", 1), "cat", false, true, true},
		{"held by a debugger", "12 (cat)" + strings.Replace(statTail, " S ", " t ", 1), "cat", false, true, true},
		{"cut off", "12 (cat) S 4 5", "", false, false, false},
		{"no number", "12 (cat)" + strings.Replace(statTail, "68822", "soon", 1), "", false, false, false},
		{"no pid", "(cat)" + statTail, "", false, false, false},
		{"a negative pid", "-12 (cat)" + statTail, "", false, false, false},
		{"nothing", "", "", false, false, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, err := parseStat([]byte(row.raw))
			if !row.ok {
				assert.Error(t, err)
				return
			}
			require.NoError(t, err)
			want.name, want.dead, want.stopped = row.process, row.dead, row.stopped
			assert.Equal(t, want, got)
		})
	}
}

func TestThisProcessIsInTheTable(t *testing.T) {
	all, err := list(func(entry) bool { return false })
	require.NoError(t, err)
	for _, e := range all {
		if e.pid == os.Getpid() {
			assert.Equal(t, os.Getppid(), e.ppid)
			assert.False(t, e.dead)
			one, ok := lookup(e.pid)
			assert.True(t, ok)
			assert.Equal(t, e.ident, one.ident)
			return
		}
	}
	assert.Fail(t, "not found")
}

func TestWhoIsStartedWhileTheTableIsReadIsInIt(t *testing.T) {
	started := map[int]bool{}
	all, err := list(func(e entry) bool {
		if len(started) < 5 && (len(started) == 0 || started[e.pid]) { // one, and one more whenever the last was read
			cmd := exec.Command("/bin/sleep", "1000")
			require.NoError(t, cmd.Start())
			t.Cleanup(func() {
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
			})
			started[cmd.Process.Pid] = true
		}
		return started[e.pid]
	})
	require.NoError(t, err)
	require.Len(t, started, 5)
	for _, e := range all {
		if e.marked {
			delete(started, e.pid)
		}
	}
	assert.Empty(t, started)
}

func TestWhoHasThePidNowIsNotSignalled(t *testing.T) {
	me, ok := lookup(os.Getpid())
	require.True(t, ok)
	me.start++
	require.NoError(t, send(me.ident, kill)) // the test would not live to say so
}

// A process shows an empty environment while it turns into another program. Only
// one that goes on showing it is believed.
func TestAnEmptyEnvironmentIsNotBelievedAtOnce(t *testing.T) {
	before, ok := lookup(os.Getpid())
	require.True(t, ok)
	cmd := exec.Command("/bin/sleep", "1000")
	cmd.Env = []string{}
	require.NoError(t, cmd.Start())
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	id, ok := lookup(cmd.Process.Pid)
	require.True(t, ok)
	f := &family{launch: "none", root: ident{start: before.start}}
	for n := 1; n <= blankLooks; n++ {
		s, err := f.look()
		require.NoError(t, err)
		assert.Empty(t, s.found)
		assert.Equal(t, n < blankLooks, s.unsure, "look %d", n)
	}
	f = &family{launch: "none", root: ident{start: before.start}}
	_, left, err := f.end(t.Context())
	require.NoError(t, err)
	assert.Empty(t, left)
	assert.Contains(t, f.blank, id.ident)
	assert.GreaterOrEqual(t, f.blank[id.ident], blankLooks, "nobody was sure and the end was called")
}

func FuzzStat(f *testing.F) {
	f.Add([]byte("12 (cat)" + statTail))
	f.Add([]byte("12 (a ) S (b) c)" + statTail))
	f.Fuzz(func(t *testing.T, raw []byte) {
		e, err := parseStat(raw)
		if err == nil && e.pid <= 0 {
			t.Fatalf("pid %d", e.pid)
		}
	})
}
