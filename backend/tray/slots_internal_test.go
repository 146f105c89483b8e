package tray

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"turnwatch/backend/agent"
)

func entry(id string) Entry { return Entry{Task: agent.TaskID(id), Session: "s"} }

func TestALineIsNotReusedAtOnce(t *testing.T) {
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	s := slots{lines: make([]slot, 2)}
	assert.Zero(t, s.place([]Entry{entry("a"), entry("b")}, now))
	assert.Equal(t, 1, s.place([]Entry{entry("c"), entry("b")}, now), "the line of a rests")
	assert.Equal(t, agent.TaskID(""), s.lines[0].entry.Task)
	assert.Equal(t, agent.TaskID("b"), s.lines[1].entry.Task, "b stays where it is")
	assert.Equal(t, now.Add(rest), s.next(now))
	assert.Zero(t, s.place([]Entry{entry("c"), entry("b")}, now.Add(rest)))
	assert.Equal(t, agent.TaskID("c"), s.lines[0].entry.Task)
	assert.True(t, s.next(now.Add(rest)).IsZero())
}

// A line that has rested and is wanted by nobody is nothing to wait for: waiting
// for a moment that is past would never end.
func TestAFreeLineIsNotWaitedFor(t *testing.T) {
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	s := slots{lines: make([]slot, 2)}
	s.place([]Entry{entry("a")}, now)
	s.place(nil, now)
	for _, tt := range []struct {
		name  string
		after time.Duration
		want  time.Time
	}{
		{"it rests", 0, now.Add(rest)},
		{"a moment before", rest - 1, now.Add(rest)},
		{"it has rested", rest, time.Time{}},
		{"long ago", time.Hour, time.Time{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s.place(nil, now.Add(tt.after))
			assert.Equal(t, tt.want, s.next(now.Add(tt.after)))
		})
	}
}

// A line never goes from one task to another without a rest between.
func TestLinesAreSteady(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
		s := slots{lines: make([]slot, 3)}
		last := map[int]agent.TaskID{}
		seen := map[int]time.Time{}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.IntRange(0, 12).Draw(t, "seconds")) * time.Second)
			var list []Entry
			for i := range 4 {
				if rapid.Bool().Draw(t, "there") {
					list = append(list, entry(fmt.Sprint(i)))
				}
			}
			left := s.place(list, now)
			shown := map[agent.TaskID]bool{}
			for i, l := range s.lines {
				id := l.entry.Task
				if id == "" {
					continue
				}
				assert.False(t, shown[id], "twice")
				shown[id] = true
				if last[i] != "" && last[i] != id {
					assert.GreaterOrEqual(t, now.Sub(seen[i]), rest)
				}
				last[i], seen[i] = id, now
			}
			assert.Len(t, list, len(shown)+left)
		}
	})
}
