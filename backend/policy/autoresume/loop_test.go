package autoresume_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"turnwatch/backend/policy/autoresume"
)

// calls lets a session call a tool n times, a second apart and half a second long.
func (r *rig) calls(from time.Duration, n int, path func(int) string) time.Duration {
	for i := range n {
		id := fmt.Sprint("c", r.now, i)
		args := []byte(`{"path":"` + path(i) + `"}`)
		r.at(from, "s", autoresume.ToolStarted{ID: id, Name: "read", Args: args})
		r.at(from+sec/2, "s", autoresume.ToolEnded{ID: id, Name: "read", OK: true, Out: "x"})
		from += sec
	}
	return from
}

func same(int) string        { return "a.go" }
func different(i int) string { return fmt.Sprint(i, ".go") }

// A loop is not over because it goes on: what is announced about it stands while
// it does, waits for the end of a call, and is taken back once the agent has left
// the loop by itself, was asked something, or the user is there.
func TestALoopThatGoesOnKeepsWhatWasAnnounced(t *testing.T) {
	const countdown = 10 * sec
	for _, tt := range []struct {
		name  string
		after func(r *rig, now time.Duration)
		want  []string
	}{
		{"it goes on", func(r *rig, now time.Duration) { r.calls(now, 20, same) },
			[]string{"6.5s announce tool_looptool_loop", "16.5s cancel tool_loop", "18.5s prompt tool_loop"}},
		{"a call is in flight when it is due", func(r *rig, now time.Duration) {
			r.calls(now, 9, same)
			r.at(16*sec, "s", autoresume.ToolStarted{ID: "slow", Name: "read", Args: []byte(`{"path":"a.go"}`)})
			r.at(40*sec, "s", autoresume.ToolEnded{ID: "slow", Name: "read", OK: true, Out: "x"})
		}, []string{"6.5s announce tool_looptool_loop", "40s cancel tool_loop", "42s prompt tool_loop"}},
		{"it was left", func(r *rig, now time.Duration) { r.calls(now, 20, different) },
			[]string{"6.5s announce tool_looptool_loop", "16.5s withdraw tool_looptool_loop"}},
		{"the turn ends", func(r *rig, now time.Duration) {
			r.at(now, "s", says("All read."), ended())
			r.until(time.Minute)
		}, []string{"6.5s announce tool_looptool_loop", "7s withdraw tool_looptool_loop"}},
		{"something is asked", func(r *rig, now time.Duration) {
			r.at(now, "s", autoresume.AskOpened{ID: "a"})
			r.until(time.Minute)
		}, []string{"6.5s announce tool_looptool_loop", "16.5s withdraw tool_looptool_loop"}},
		{"the user types", func(r *rig, now time.Duration) {
			r.at(now, "s", autoresume.Typing{})
			r.until(time.Minute)
		}, []string{"6.5s announce tool_looptool_loop", "7s withdraw tool_looptool_loop"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, func(o *autoresume.Options) {
				o.Timing.Countdown = countdown
				o.Stall.Strategy = autoresume.StallOff
			})
			r.answer = func(a autoresume.Action) []autoresume.Event {
				if a.Act == autoresume.Cancel {
					return []autoresume.Event{autoresume.TurnEnded{Stop: autoresume.StopCancelled}}
				}
				return nil
			}
			r.at(0, "s", start())
			tt.after(r, r.calls(sec, 6, same))
			r.until(max(r.now, 45*sec))
			got := r.acts(autoresume.Announce, autoresume.Withdraw, autoresume.Cancel, autoresume.Prompt)
			if len(got) > len(tt.want) { // what comes after the loop is broken is another matter
				got = got[:len(tt.want)]
			}
			assert.Equal(t, tt.want, got)
		})
	}
}
