package managed

import (
	"strings"
	"sync/atomic"

	"turnwatch/backend/agent"
)

func copilot() profile {
	return profile{
		kind: agent.Copilot, name: "Copilot",
		programs: []string{"copilot"}, args: []string{"--acp"},
		install: "npm install -g @github/copilot",
		node:    "22", files: true,
		read: func() evidence { return &copilotEvidence{} },
	}
}

// copilotEvidence reads GitHub's Copilot CLI, which tells of its retries and of
// its failures in chunks of text without a message id, one chunk each, and then
// ends the turn with success.
type copilotEvidence struct {
	plain
	retries atomic.Int64 // announced since the last answer
}

func (e *copilotEvidence) update(st agent.Stamp, u *agent.Update, _ []byte) []agent.Event {
	if u.MessageID != "" {
		return nil
	}
	if ownText(u, retryLine) {
		u.NotOutput = true
		return []agent.Event{agent.Retrying{Stamp: st, Attempt: int(e.retries.Add(1))}}
	}
	u.NotOutput = ownText(u, func(s string) bool {
		return strings.HasPrefix(s, "Error: Failed to get response from the AI model") ||
			strings.HasPrefix(s, "Error: Authentication failed with provider") ||
			httpError(s)
	})
	return nil
}

func (e *copilotEvidence) answer(agent.Stamp, []byte) *agent.Failure {
	e.retries.Store(0)
	return nil
}

func retryLine(s string) bool {
	return strings.HasPrefix(s, "Info: ") && strings.HasSuffix(s, "Retrying...")
}

// httpError reports "Error: 400 …", a status of the provider.
func httpError(s string) bool {
	s, ok := strings.CutPrefix(s, "Error: ")
	return ok && len(s) > 4 && (s[0] == '4' || s[0] == '5') && digit(s[1]) && digit(s[2]) && s[3] == ' '
}

func digit(b byte) bool { return b >= '0' && b <= '9' }
