package managed

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
	"turnwatch/backend/opencode"
)

func child(id, of string) opencode.ChildMade {
	return opencode.ChildMade{Session: agent.ProviderSession(id), Parent: agent.ProviderSession(of)}
}

func waits(id string, next time.Time, reason string) opencode.StatusChanged {
	return opencode.StatusChanged{Session: agent.ProviderSession(id), Status: opencode.Status{
		Doing: opencode.Retry, Attempt: 1, Next: next, Message: "5 hour usage limit reached - https://opencode.ai/workspace/wrk_CANARY/go", Reason: reason,
	}}
}

// What a subagent waits for is told as a wait of the turn; it never ends it.
func TestAWaitOfASubagentIsTold(t *testing.T) {
	const limit = "account_rate_limit"
	for _, tc := range []struct {
		name  string
		tell  func(s *stage, next time.Time)
		tells []time.Duration // how far the next tries are that are told
		code  agent.Code
	}{
		{"a limit of a child", func(s *stage, next time.Time) {
			s.heard(child("ses_2", "ses_1"))
			s.heard(waits("ses_2", next, limit))
		}, []time.Duration{2 * time.Hour}, failure.QuotaLimited},
		{"of a child of a child", func(s *stage, next time.Time) {
			s.heard(child("ses_2", "ses_1"))
			s.heard(child("ses_3", "ses_2"))
			s.heard(waits("ses_3", next, limit))
		}, []time.Duration{2 * time.Hour}, failure.QuotaLimited},
		{"the same twice is told once, another try again", func(s *stage, next time.Time) {
			s.heard(child("ses_2", "ses_1"))
			s.heard(waits("ses_2", next, limit))
			s.heard(waits("ses_2", next, limit))
			s.heard(waits("ses_2", next.Add(time.Hour), limit))
		}, []time.Duration{2 * time.Hour, 3 * time.Hour}, failure.QuotaLimited},
		{"a session of another parent", func(s *stage, next time.Time) {
			s.heard(child("ses_3", "ses_9"))
			s.heard(waits("ses_3", next, limit))
		}, nil, ""},
		{"a session of no parent", func(s *stage, next time.Time) { s.heard(waits("ses_2", next, limit)) }, nil, ""},
		{"a child of an earlier turn", func(s *stage, next time.Time) {
			s.heard(child("ses_2", "ses_1"))
			s.prompted(s.h.Stamp())
			s.heard(waits("ses_2", next, limit))
		}, nil, ""},
		{"a try that is over", func(s *stage, _ time.Time) {
			s.heard(child("ses_2", "ses_1"))
			s.heard(waits("ses_2", s.h.Now().Add(-time.Second), limit))
		}, nil, ""},
		{"no turn in hand", func(s *stage, next time.Time) {
			s.over(s.h.Stamp())
			s.heard(child("ses_2", "ses_1"))
			s.heard(waits("ses_2", next, limit))
		}, nil, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newStage(t, true)
			next := s.h.Now().Add(2 * time.Hour)
			tc.tell(s, next)
			var got []time.Duration
			for _, ev := range s.events() {
				r, ok := ev.(agent.Retrying)
				require.True(t, ok, "%T: a subagent proves no failure", ev)
				got = append(got, r.Next.Sub(s.h.Now()))
				assert.Equal(t, tc.code, r.Code)
				assert.Equal(t, 1, r.Attempt)
				assert.NotContains(t, r.Message, "CANARY")
			}
			assert.Equal(t, tc.tells, got)
		})
	}
}

func TestOfTooManySubagentsNothingIsSaid(t *testing.T) {
	s := newStage(t, true)
	for i := range 10 * mostKin {
		s.heard(child(fmt.Sprint("ses_c", i), "ses_1"))
	}
	assert.Len(t, s.steps.kin, mostKin)
	s.heard(waits(fmt.Sprint("ses_c", 10*mostKin-1), s.h.Now().Add(time.Hour), ""))
	assert.Empty(t, s.events())
}
