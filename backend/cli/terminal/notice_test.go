package terminal_test

import (
	"bytes"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"turnwatch/backend/agent"
	"turnwatch/backend/cli/terminal"
)

func TestNoticesAreSaidInWords(t *testing.T) {
	quiet := func(args map[string]string) agent.Fact {
		return agent.Noticed{Notice: agent.Notice{Kind: agent.NoticeQuiet, Args: args}}
	}
	at := time.Date(2026, 5, 6, 14, 3, 0, 0, time.Local)
	rows := []struct {
		name string
		fact agent.Fact
		want string
	}{
		{"a tool that is quiet", quiet(map[string]string{"tool": "bash"}), "Still waiting. bash has sent nothing for 5 minutes.\n"},
		{"one without a public name", quiet(map[string]string{"kind": "execute"}), "Still waiting. A tool (execute) has sent nothing for 5 minutes.\n"},
		{"of a kind that nobody knows", quiet(map[string]string{"kind": "rm -rf"}), "Still waiting. A tool (tool) has sent nothing for 5 minutes.\n"},
		{"no tool", quiet(nil), "Still waiting. The agent has sent nothing for 5 minutes.\n"},
		{"it goes on", agent.NoticeChanged{Notice: agent.Notice{Kind: agent.NoticeQuiet, Args: map[string]string{"tool": "bash", "was_ms": "365432"}}},
			"Was quiet for 6 min 05 s, active again.\n"},
		{"it loops", agent.Noticed{Notice: agent.Notice{Kind: agent.NoticeLooping, Args: map[string]string{"steps": "14"}}},
			"The agent has asked its model 14 times without any output.\n"},
		{"it retries", agent.RetryAnnounced{Attempt: 2, Next: at}, "The agent is retrying, attempt 2, next try 14:03:00.\n"},
		{"it says why", agent.RetryAnnounced{Attempt: 2, Code: "provider_overloaded", Message: "Provider is\noverloaded"}, "The agent is retrying, attempt 2: Provider is overloaded\n"},
		{"it says what for", agent.RetryAnnounced{Attempt: 2, Next: at, Code: "provider_overloaded"}, "The agent is retrying, attempt 2, next try 14:03:00: The provider is overloaded.\n"},
		{"it does not say when", agent.RetryAnnounced{Attempt: 2}, "The agent is retrying, attempt 2.\n"},
		{"it has not stopped", agent.Noticed{Notice: agent.Notice{Kind: agent.NoticeNotStopped}}, "The agent has not stopped. Restart it if it goes on.\n"},
		{"it takes no cancel", agent.CancelStepped{Step: agent.CancelDenied}, "The agent does not take a cancel.\n"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			var out bytes.Buffer
			p := terminal.NewPrinter(&out, terminal.Look{}, english(t))
			p.Entries(newStory().after(0, agent.TurnStarted{Generation: 1}, row.fact).entries)
			assert.Equal(t, row.want, out.String())
		})
	}
}

func TestALoopIsToldAgainWhenItHasDoubled(t *testing.T) {
	var out bytes.Buffer
	p := terminal.NewPrinter(&out, terminal.Look{}, english(t))
	s := newStory().after(0, agent.TurnStarted{Generation: 1}, agent.Noticed{Notice: agent.Notice{Kind: agent.NoticeLooping, Args: map[string]string{"steps": "3"}}})
	for i := 4; i < 13; i++ {
		s.after(0, agent.NoticeChanged{Notice: agent.Notice{Kind: agent.NoticeLooping, Args: map[string]string{"steps": strconv.Itoa(i)}}})
	}
	p.Entries(s.entries)
	assert.Equal(t, 3, bytes.Count(out.Bytes(), []byte("without any output")), out.String())
	assert.Contains(t, out.String(), " 12 times")
}
