package notify_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
	"turnwatch/backend/notify"
	"turnwatch/backend/view"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func all() notify.Wishes {
	return notify.Wishes{Kinds: map[notify.Kind]bool{
		notify.Asks: true, notify.Limited: true, notify.Failed: true, notify.NeverStarted: true, notify.CapacityBack: true, notify.Finished: true,
	}}
}

// Where a task can stand.
func working(id string) view.Brief {
	return view.Brief{Task: agent.TaskID(id), Session: "s", Title: "Task " + id, Agent: "Demo", State: agent.TaskRunning, Phase: "working", Turn: 1}
}

func asking(id, ask string) view.Brief {
	b := working(id)
	b.Phase, b.Ask, b.Detail = "asks", agent.AskID(ask), view.Phrase{Key: "row.asks", Args: map[string]string{"tool": "bash"}}
	return b
}

func ended(id string, o agent.Outcome, code agent.Code, reset time.Time) view.Brief {
	b := working(id)
	b.Phase, b.State, b.Ended = "idle", agent.TaskNeedsYou, view.Ending{Outcome: o, Code: code, Reset: reset}
	if o == agent.Completed {
		b.State = agent.TaskDone
	}
	return b
}

func limited(id string, reset time.Time) view.Brief {
	return ended(id, agent.Failed, failure.QuotaLimited, reset)
}

// user is a desk with a clock, and what was done to the screen.
type user struct {
	*notify.Desk
	now  time.Time
	seen []string
}

func newUser(w notify.Wishes, tasks ...view.Brief) *user {
	u := &user{Desk: notify.New(w), now: noon}
	u.hear(tasks...)
	return u
}

func (u *user) note(effects []notify.Effect) {
	for _, e := range effects {
		switch e := e.(type) {
		case notify.Show:
			words := []string{"show", e.ID, string(e.Kind), e.Body.Key}
			if n := e.Title.Args["Count"]; n != "" {
				words = append(words, n)
			}
			u.seen = append(u.seen, strings.Join(words, " "))
		case notify.Withdraw:
			u.seen = append(u.seen, "withdraw "+e.ID)
		}
	}
}

func (u *user) hear(tasks ...view.Brief) { u.note(u.Hear(view.Summary{Tasks: tasks}, u.now)) }
func (u *user) look(task string) {
	u.note(u.Attend(notify.Attention{Focused: true, Task: task}, u.now))
}
func (u *user) leave() { u.note(u.Attend(notify.Attention{}, u.now)) }

// wait lets time pass, waking the desk only when it asked for it.
func (u *user) wait(d time.Duration) {
	end := u.now.Add(d)
	for {
		next := u.Next()
		if next.IsZero() || next.After(end) {
			u.now = end
			return
		}
		u.now = next
		u.note(u.Tick(u.now))
	}
}

// told gives what was done since the last time.
func (u *user) told() []string {
	s := u.seen
	u.seen = nil
	return s
}

func TestWhatIsTold(t *testing.T) {
	tests := []struct {
		name string
		then view.Brief
		want []string
	}{
		{"asks", asking("a", "1"), []string{"show task-a asks row.asks"}},
		{"limited, no reset", limited("a", time.Time{}), []string{"show task-a limited failure.quota_limited"}},
		{"limited until", limited("a", noon.Add(9*time.Hour)), []string{"show task-a limited notify.limited_until"}},
		{"failed", ended("a", agent.Failed, "auth_required", time.Time{}), []string{"show task-a failed notify.look"}},
		{"never started", ended("a", agent.NeverStarted, "", time.Time{}), []string{"show task-a never_started notify.look"}},
		{"ended empty", ended("a", agent.EndedEmpty, "", time.Time{}), []string{"show task-a failed notify.look"}},
		{"finished", ended("a", agent.Completed, "", time.Time{}), []string{"show task-a finished notify.finished"}},
		{"quiet is no reason", func() view.Brief { b := working("a"); b.Phase = "quiet"; return b }(), nil},
		{"retrying is no reason", func() view.Brief { b := working("a"); b.Phase = "retrying"; return b }(), nil},
		{"cancelled by the user", func() view.Brief {
			b := ended("a", agent.Cancelled, "", time.Time{})
			b.State = agent.TaskWaiting
			return b
		}(), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			u := newUser(all(), working("a"))
			u.hear(tt.then)
			assert.Empty(t, u.told(), "not before it has lasted a moment")
			u.wait(time.Minute)
			assert.Equal(t, tt.want, u.told())
			u.hear(tt.then)
			u.wait(time.Hour)
			assert.Empty(t, u.told(), "once")
		})
		t.Run(tt.name+" at the start", func(t *testing.T) {
			u := newUser(all(), tt.then)
			u.wait(time.Hour)
			assert.Empty(t, u.told(), "what was so before is no news")
		})
		t.Run(tt.name+" in view", func(t *testing.T) {
			u := newUser(all(), working("a"))
			u.look("a")
			u.hear(tt.then)
			u.wait(time.Minute)
			u.leave()
			u.wait(time.Minute)
			assert.Empty(t, u.told(), "who has seen it is not told")
		})
		t.Run(tt.name+" switched off", func(t *testing.T) {
			u := newUser(notify.Wishes{}, working("a"))
			u.hear(tt.then)
			u.wait(24 * time.Hour)
			assert.Empty(t, u.told())
		})
	}
}

func TestWhatHasPassedIsTakenBack(t *testing.T) {
	u := newUser(all(), working("a"))
	u.hear(asking("a", "1"))
	u.wait(500 * time.Millisecond)
	u.hear(working("a"))
	u.wait(time.Minute)
	assert.Empty(t, u.told(), "answered at once")

	u.hear(asking("a", "2"))
	u.wait(2 * time.Second)
	u.hear(asking("a", "3"))
	u.wait(2 * time.Second)
	assert.Equal(t, []string{"show task-a asks row.asks", "show task-a asks row.asks"}, u.told(), "the second in the place of the first")
	u.hear(working("a"))
	assert.Equal(t, []string{"withdraw task-a"}, u.told())
	u.hear(asking("a", "4"))
	u.wait(2 * time.Second)
	u.told()
	u.look("a")
	assert.Equal(t, []string{"withdraw task-a"}, u.told(), "it is in view now")
	u.leave()
	u.hear(asking("a", "5"))
	u.wait(2 * time.Second)
	u.told()
	u.hear()
	assert.Equal(t, []string{"withdraw task-a"}, u.told(), "the task is gone")
}

func TestAnotherTaskInViewHidesNothing(t *testing.T) {
	u := newUser(all(), working("a"), working("b"))
	u.look("b")
	u.hear(asking("a", "1"), working("b"))
	u.wait(2 * time.Second)
	assert.Equal(t, []string{"show task-a asks row.asks"}, u.told())
	u.hear(ended("a", agent.Completed, "", time.Time{}), working("b"))
	u.wait(2 * time.Second)
	assert.Equal(t, []string{"withdraw task-a"}, u.told(), "an end is told only who was away, and it does not ask any more")
	u.leave()
	u.wait(time.Minute)
	assert.Empty(t, u.told())
}

func TestManyAreOne(t *testing.T) {
	u := newUser(all(), working("a"), working("b"), working("c"), working("d"))
	u.hear(limited("a", time.Time{}), limited("b", time.Time{}), limited("c", time.Time{}), working("d"))
	u.wait(2 * time.Second)
	assert.Equal(t, []string{"show kind-limited limited notify.many_body 3"}, u.told(), "one limit, one notification")

	u = newUser(all(), working("a"), working("b"), working("c"), working("d"))
	u.hear(asking("a", "1"), working("b"), working("c"), working("d"))
	u.wait(2 * time.Second)
	u.hear(asking("a", "1"), asking("b", "1"), working("c"), working("d"))
	u.wait(2 * time.Second)
	u.hear(asking("a", "1"), asking("b", "1"), asking("c", "1"), working("d"))
	u.wait(2 * time.Second)
	assert.Equal(t, []string{
		"show task-a asks row.asks", "show task-b asks row.asks",
		"withdraw task-a", "withdraw task-b", "show kind-asks asks notify.many_body 3",
	}, u.told())
	u.hear(working("a"), working("b"), asking("c", "1"), working("d"))
	assert.Empty(t, u.told(), "one of them still asks")
	u.hear(working("a"), working("b"), asking("c", "2"), working("d"))
	u.wait(2 * time.Second)
	assert.Equal(t, []string{"withdraw kind-asks", "show task-c asks row.asks"}, u.told())
	u.hear(working("a"), working("b"), working("c"), working("d"))
	assert.Equal(t, []string{"withdraw task-c"}, u.told())
}

func TestCapacityIsBackAtItsTime(t *testing.T) {
	reset := noon.Add(5 * time.Hour)
	u := newUser(all(), working("a"))
	u.hear(limited("a", reset))
	u.wait(2 * time.Second)
	u.told()
	assert.Equal(t, reset, u.Next())
	u.wait(4 * time.Hour)
	assert.Empty(t, u.told())
	u.wait(2 * time.Hour)
	assert.Equal(t, []string{"show task-a capacity_back notify.capacity_back"}, u.told())
	u.wait(100 * time.Hour)
	assert.Empty(t, u.told())
	assert.True(t, u.Next().IsZero(), "nothing is waited for")

	again := newUser(all(), limited("a", reset))
	again.wait(6 * time.Hour)
	assert.Equal(t, []string{"show task-a capacity_back notify.capacity_back"}, again.told(), "after a restart it is waited for again")

	late := newUser(all(), limited("a", noon.Add(-time.Minute)))
	late.wait(6 * time.Hour)
	assert.Empty(t, late.told(), "it was over before the start")

	on := newUser(all(), limited("a", reset))
	on.hear(working("a"))
	on.wait(6 * time.Hour)
	assert.Empty(t, on.told(), "it goes on already")
}

func TestQuietHours(t *testing.T) {
	w := all()
	w.Quiet = notify.Hours{From: 11 * 60, To: 13*60 + 30}
	u := newUser(w, working("a"), working("b"), working("c"))
	u.hear(asking("a", "1"), working("b"), working("c"))
	u.wait(2 * time.Second)
	u.hear(asking("a", "1"), asking("b", "1"), asking("c", "1"))
	u.wait(time.Minute)
	u.hear(asking("a", "1"), asking("b", "1"), working("c"))
	assert.Empty(t, u.told(), "nothing in quiet hours")
	u.wait(time.Hour)
	assert.Empty(t, u.told())
	u.wait(time.Hour)
	assert.Equal(t, []string{"show kind-asks asks notify.many_body 2"}, u.told(), "at their end, what is still so, in one")

	u = newUser(w, working("a"))
	u.hear(asking("a", "1"))
	u.wait(time.Minute)
	u.note(u.Wish(all(), u.now))
	u.wait(time.Minute)
	assert.Equal(t, []string{"show task-a asks row.asks"}, u.told(), "they were switched off")
}

func TestHours(t *testing.T) {
	at := func(h, m int) time.Time { return time.Date(2026, 3, 4, h, m, 0, 0, time.UTC) }
	night := notify.Hours{From: 22 * 60, To: 7 * 60}
	day := notify.Hours{From: 9 * 60, To: 17 * 60}
	tests := []struct {
		name  string
		hours notify.Hours
		now   time.Time
		in    bool
		end   time.Time
	}{
		{"none", notify.Hours{}, at(3, 0), false, time.Time{}},
		{"before", day, at(8, 59), false, time.Time{}},
		{"first minute", day, at(9, 0), true, at(17, 0)},
		{"last minute", day, at(16, 59), true, at(17, 0)},
		{"after", day, at(17, 0), false, time.Time{}},
		{"evening", night, at(23, 0), true, at(31, 0)},
		{"morning", night, at(6, 59), true, at(7, 0)},
		{"noon", night, at(12, 0), false, time.Time{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in, end := tt.hours.Holds(tt.now)
			assert.Equal(t, tt.in, in)
			if in {
				assert.Equal(t, tt.end, end)
			}
		})
	}
}

func TestATitleCannotActOnTheServer(t *testing.T) {
	b := asking("a", "1")
	b.Title = "<b>x</b>\n\x1b[31m &amp; \u202egnp.exe " + strings.Repeat("y", 500)
	d := notify.New(all())
	d.Hear(view.Summary{Tasks: []view.Brief{working("a")}}, noon)
	d.Hear(view.Summary{Tasks: []view.Brief{b}}, noon)
	s := d.Tick(noon.Add(time.Minute))[0].(notify.Show)
	assert.NotContains(t, s.Text, "<")
	assert.NotContains(t, s.Text, "&")
	assert.NotContains(t, s.Text, "\x1b")
	assert.NotContains(t, s.Text, "\u202e")
	assert.LessOrEqual(t, len([]rune(s.Text)), 80)
}

// Whatever happens: no notification about a task in view, at most one on the
// screen for a task, and in the end nothing on it that is not so.
func TestTheScreenIsAlwaysTrue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := &user{Desk: notify.New(all()), now: noon}
		screen := map[string]notify.Show{}
		do := func(effects []notify.Effect) {
			for _, e := range effects {
				switch e := e.(type) {
				case notify.Show:
					screen[e.ID] = e
				case notify.Withdraw:
					_, there := screen[e.ID]
					assert.True(t, there, "%s was taken back twice", e.ID)
					delete(screen, e.ID)
				}
			}
		}
		var now [3]view.Brief
		summary := func() view.Summary { return view.Summary{Tasks: now[:]} }
		for i := range now {
			now[i] = working(fmt.Sprint(i))
		}
		do(u.Hear(summary(), u.now))
		for n := range rapid.IntRange(1, 60).Draw(t, "steps") {
			i := rapid.IntRange(0, 2).Draw(t, "task")
			id := fmt.Sprint(i)
			switch rapid.IntRange(0, 6).Draw(t, "what") {
			case 0:
				now[i] = working(id)
			case 1:
				now[i] = asking(id, fmt.Sprint(n))
			case 2:
				now[i] = limited(id, u.now.Add(time.Duration(rapid.IntRange(-5, 5).Draw(t, "hours"))*time.Hour))
			case 3:
				now[i] = ended(id, agent.Completed, "", time.Time{})
			case 4:
				do(u.Attend(notify.Attention{Focused: true, Task: id}, u.now))
				_, shown := screen["task-"+id]
				assert.False(t, shown, "it is in view")
			case 5:
				do(u.Attend(notify.Attention{}, u.now))
			case 6:
				u.now = u.now.Add(time.Duration(rapid.IntRange(0, 7200).Draw(t, "seconds")) * time.Second)
				do(u.Tick(u.now))
			}
			do(u.Hear(summary(), u.now))
		}
		for i := range now {
			now[i] = working(fmt.Sprint(i))
		}
		do(u.Hear(summary(), u.now))
		u.now = u.now.Add(time.Hour)
		do(u.Tick(u.now))
		assert.Empty(t, screen, "everything goes on, so nothing is to be said")
		assert.True(t, u.Next().IsZero())
	})
}
