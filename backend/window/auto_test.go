package window_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/window"
)

// halting is an agent that stops before what it announces, unless it is asked to
// do it.
func halting() *player {
	return &player{script: func(t turn) {
		if strings.HasPrefix(t.text(), "start") {
			t.say(t.text(), "I have read the parser. Next I will write the tests:")
		} else {
			t.say(t.text(), "The tests are written.")
		}
		t.end()
	}}
}

// shown waits until the page shows a task whose auto-resume stands in some way.
func (r *rig) shown(is func(window.Session) bool) window.Session {
	r.t.Helper()
	var s window.Session
	r.page.until(func(p *page) (window.Row, bool) {
		if p.session == nil {
			return window.Row{}, false
		}
		s = *p.session
		return s.Row, is(s)
	})
	return s
}

// eager opens a task whose options wait for nothing but the countdown.
func eager(t *testing.T, countdown string) (*rig, window.Row) {
	t.Helper()
	r, _ := raise(t, t.TempDir(), halting())
	for name, v := range map[string]string{"warmupMs": "0", "actionIntentDelayMs": "0", "minActivityGapMs": "0", "activeUserWindowMs": "0", "countdownMs": countdown} {
		_, err := r.Settings.SetAuto(name, v)
		require.NoError(t, err, name)
	}
	row := r.task("hello")
	r.open(row.Task)
	r.settled(row.Task, "done")
	return r, row
}

func (r *rig) send(session, text string) {
	r.t.Helper()
	require.NoError(r.t, r.Tasks.Send(session, window.Draft{Text: text}))
}

func TestWhatIsAnnouncedIsShownAndCanBeStopped(t *testing.T) {
	for name, stop := range map[string]func(r *rig, session string) error{
		"cancel on the countdown": func(r *rig, s string) error { return r.Tasks.DismissAuto(s) },
		"typing":                  func(r *rig, s string) error { return r.Tasks.Typing(s) },
		"cancel":                  func(r *rig, s string) error { return r.Tasks.Cancel(s) },
		"stop all automation":     func(r *rig, _ string) error { _, err := r.Settings.StopAuto(true); return err },
		"off in the task":         func(r *rig, s string) error { return r.Tasks.ChooseAuto(s, "off") },
	} {
		t.Run(name, func(t *testing.T) {
			r, row := eager(t, "600000")
			require.NoError(t, r.Tasks.ChooseAuto(row.Session, "safe"))
			r.send(row.Session, "start")
			s := r.shown(func(s window.Session) bool { return s.Auto.Soon != nil })
			assert.Equal(t, "safe", s.Auto.Now)
			assert.Equal(t, "auto.kind_action_intent", s.Auto.Soon.What.Key)
			assert.Equal(t, "auto.rule_idle", s.Auto.Soon.Why.Key)
			assert.Positive(t, s.Auto.Soon.Due)
			assert.Equal(t, "row.auto", s.Row.Detail.Key)

			require.NoError(t, stop(r, row.Session))
			r.shown(func(s window.Session) bool { return s.Auto.Soon == nil })
			rows, err := r.Tasks.Ledger(row.Session, 0)
			require.NoError(t, err)
			require.Len(t, rows, 2)
			assert.Equal(t, rows[1].Row, rows[0].Of, "what is taken back")
			assert.Positive(t, rows[1].Row)
			assert.Equal(t, []string{"withdraw", "announce"}, []string{rows[0].Act, rows[1].Act})
			assert.Equal(t, row.Task, rows[0].Task)
		})
	}
}

// Who looks at the tray is shown what can be stopped, and every page that it was.
func TestAllAutomationIsStoppedAndAllowed(t *testing.T) {
	r, row := eager(t, "600000")
	f := follow(t, r.Window)
	automation := func(want bool) {
		t.Helper()
		for s := range f.news {
			if s.Automation == want {
				return
			}
		}
	}
	stopped := func(want bool) {
		t.Helper()
		r.page.until(func(p *page) (window.Row, bool) { return window.Row{}, p.stopped == want })
		l, err := r.Tasks.List(false)
		require.NoError(t, err)
		assert.Equal(t, want, l.Stopped)
	}
	automation(false)
	require.NoError(t, r.Tasks.ChooseAuto(row.Session, "notify"))
	automation(true)
	_, err := r.Settings.StopAuto(true)
	require.NoError(t, err)
	automation(false)
	stopped(true)
	r.shown(func(s window.Session) bool { return s.Auto.Now == "off" && s.Auto.Choice == "notify" })
	_, err = r.Settings.StopAuto(false)
	require.NoError(t, err)
	automation(true)
	stopped(false)
	require.NoError(t, r.Tasks.ChooseAuto(row.Session, ""))
	automation(false)
	_, err = r.Settings.ChooseAuto(r.work, "full")
	require.NoError(t, err)
	automation(true)
}

// What was sent by itself is marked where it stands, and in the ledger.
func TestAPromptOfAutoResumeIsMarked(t *testing.T) {
	r, row := eager(t, "0")
	_, err := r.Settings.ChooseAuto(r.work, "safe")
	require.NoError(t, err)
	r.send(row.Session, "start")
	s := r.shown(func(s window.Session) bool { return s.Turn.Generation == 3 && s.Turn.Ended > 0 })
	assert.Equal(t, window.Auto{Folder: "safe", Now: "safe"}, s.Auto)
	o := r.open(row.Task)
	var marks []*window.Mark
	for _, p := range o.Page.Parts {
		if p.Kind == "prompt" {
			marks = append(marks, p.Auto)
		}
	}
	assert.Equal(t, []*window.Mark{nil, nil, {Kind: "action_intent", Count: 1}}, marks)
}

// Notify only says what it would send; the button sends it by the user's word.
func TestNotifyOnlySaysWhatItWouldDo(t *testing.T) {
	r, row := eager(t, "0")
	require.NoError(t, r.Tasks.ChooseAuto(row.Session, "notify"))
	r.send(row.Session, "start")
	s := r.shown(func(s window.Session) bool { return s.Auto.Said != nil })
	assert.Equal(t, "notice", s.Auto.Said.Act)
	assert.Equal(t, "action_intent", s.Auto.Said.Kind)
	assert.Equal(t, uint64(2), s.Turn.Generation, "nothing was sent")
	require.NoError(t, r.Tasks.SendAuto(row.Session, "action_intent"))
	s = r.shown(func(s window.Session) bool { return s.Turn.Generation == 3 && s.Turn.Ended > 0 })
	assert.Nil(t, s.Auto.Said)
}

func TestThePreferencesOfAutoResume(t *testing.T) {
	r, _ := raise(t, t.TempDir(), quick())
	p, err := r.Settings.Auto()
	require.NoError(t, err)
	assert.False(t, p.Stopped)
	assert.Len(t, p.Words, 14)
	for _, w := range p.Words {
		assert.NotEmpty(t, w.Name, "the text for %s can be changed", w.Kind)
	}
	find := func(p window.AutoPrefs, name string) window.AutoNumber {
		for _, n := range p.Numbers {
			if n.Name == name {
				return n
			}
		}
		return window.AutoNumber{}
	}
	assert.Equal(t, int64(6), find(p, "windowBudget").Value)
	p, err = r.Settings.SetAuto("windowBudget", "4")
	require.NoError(t, err)
	assert.Equal(t, int64(4), find(p, "windowBudget").Value)
	assert.Equal(t, int64(6), find(p, "windowBudget").Usual)
	p, err = r.Settings.SetAuto("windowBudget", "")
	require.NoError(t, err)
	assert.Equal(t, int64(6), find(p, "windowBudget").Value)
	p, err = r.Settings.SetAuto("toolLoop", "false")
	require.NoError(t, err)
	assert.Contains(t, p.Marks, window.AutoSwitch{Name: "toolLoop"})
	p, err = r.Settings.ImportAuto(`{"maxRetries": 2, "continuePrompt": "go on", "enabled": true}`)
	require.NoError(t, err)
	assert.Equal(t, int64(2), find(p, "maxRetries").Value)
	assert.Contains(t, p.Marks, window.AutoSwitch{Name: "toolLoop", On: true}, "in the place of what was there")
	p, err = r.Settings.ChooseAuto(r.work, "full")
	require.NoError(t, err)
	assert.Equal(t, []window.AutoFolder{{Dir: r.work, Choice: "full"}}, p.Folders)

	for _, tt := range []struct {
		name string
		call func() error
		want string
	}{
		{"a number out of bounds", func() error { _, err := r.Settings.SetAuto("windowBudget", "999"); return err }, "error.auto_option"},
		{"an option that is none", func() error { _, err := r.Settings.SetAuto("speed", "1"); return err }, "error.auto_option"},
		{"no JSON", func() error { _, err := r.Settings.SetAuto("windowBudget", "{"); return err }, "error.argument"},
		{"a configuration with a slip", func() error { _, err := r.Settings.ImportAuto(`{"maxRetrys": 2}`); return err }, "error.auto_import"},
		{"a choice that is none", func() error { _, err := r.Settings.ChooseAuto(r.work, "always"); return err }, "error.argument"},
		{"a relative folder", func() error { _, err := r.Settings.ChooseAuto("work", "safe"); return err }, "error.argument"},
		{"a task that is none", func() error { return r.Tasks.ChooseAuto("nobody", "safe") }, "error.not_found"},
		{"a kind that is none", func() error { return r.Tasks.SendAuto("nobody", "anything") }, "error.argument"},
		{"a ledger before the first row", func() error { _, err := r.Tasks.Ledger("", -1); return err }, "error.argument"},
	} {
		t.Run(tt.name, func(t *testing.T) { assert.Equal(t, tt.want, key(t, tt.call())) })
	}
	again, err := r.Settings.Auto()
	require.NoError(t, err)
	assert.Equal(t, p, again, "nothing was changed on the way")
}
