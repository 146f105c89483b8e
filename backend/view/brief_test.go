package view_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
	"turnwatch/backend/view"
)

func TestWhatATaskNeeds(t *testing.T) {
	done := view.Ending{Outcome: agent.Completed}
	tests := []struct {
		name string
		b    view.Brief
		want view.Need
	}{
		{"new", view.Brief{State: agent.TaskWaiting, Phase: "idle"}, view.NeedNothing},
		{"works", view.Brief{State: agent.TaskRunning, Phase: "working"}, view.NeedNothing},
		{"works after a failure", view.Brief{State: agent.TaskRunning, Phase: "working", Ended: view.Ending{Code: failure.QuotaLimited}}, view.NeedNothing},
		{"asks", view.Brief{State: agent.TaskRunning, Phase: "asks", Ask: "1"}, view.NeedAnswer},
		{"limited", view.Brief{State: agent.TaskNeedsYou, Phase: "idle", Ended: view.Ending{Outcome: agent.Failed, Code: failure.QuotaLimited}}, view.NeedCapacity},
		{"failed", view.Brief{State: agent.TaskNeedsYou, Phase: "idle", Ended: view.Ending{Outcome: agent.Failed, Code: failure.AuthRequired}}, view.NeedLook},
		{"never started", view.Brief{State: agent.TaskFailed, Phase: "idle", Ended: view.Ending{Outcome: agent.NeverStarted}}, view.NeedStart},
		{"interrupted", view.Brief{State: agent.TaskNeedsYou, Phase: "idle", Ended: view.Ending{Outcome: agent.Interrupted}}, view.NeedLook},
		{"done", view.Brief{State: agent.TaskDone, Phase: "idle", Ended: done}, view.NeedRead},
		{"cancelled", view.Brief{State: agent.TaskWaiting, Phase: "idle", Ended: view.Ending{Outcome: agent.Cancelled}}, view.NeedNothing},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { assert.Equal(t, tt.want, tt.b.Need()) })
	}
}

func TestTidyIsFitForAMenu(t *testing.T) {
	assert.Equal(t, "a ‹b› + c", view.Tidy(" a\n\t<b>\x00 & \u202ec ", 20))
	assert.Equal(t, "abcd…", view.Tidy("abcdefgh", 5))
	rapid.Check(t, func(t *rapid.T) {
		s := view.Tidy(rapid.String().Draw(t, "text"), 12)
		assert.LessOrEqual(t, utf8.RuneCountInString(s), 12)
		assert.False(t, strings.ContainsAny(s, "<>&\n\r\t\x00\x1b"), s)
		assert.Equal(t, s, view.Tidy(s, 12))
	})
}
