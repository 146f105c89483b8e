package window

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"turnwatch/backend/agent"
)

// A row says why the agent tries again: in its provider's words, else by the code.
func TestARowSaysWhyTheAgentTriesAgain(t *testing.T) {
	next := time.UnixMilli(1788264008000)
	for _, row := range []struct {
		name string
		said agent.RetryAnnounced
		want Phrase
	}{
		{"nothing told", agent.RetryAnnounced{Attempt: 1}, Phrase{"retry.announced", map[string]string{"attempt": "1"}}},
		{"a code", agent.RetryAnnounced{Attempt: 2, Next: next, Code: "rate_limited"},
			Phrase{"retry.announced_until", map[string]string{"attempt": "2", "time": "1788264008000", "code": "rate_limited"}}},
		{"words, on one line", agent.RetryAnnounced{Attempt: 3, Code: "provider_overloaded", Message: "\nProvider is\toverloaded\nmore"},
			Phrase{"retry.announced", map[string]string{"attempt": "3", "why": "Provider is overloaded"}}},
	} {
		t.Run(row.name, func(t *testing.T) { assert.Equal(t, row.want, retry(&row.said)) })
	}
}
