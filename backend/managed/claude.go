package managed

import (
	"encoding/json"
	"strings"
	"time"

	"turnwatch/backend/agent"
)

func claude() profile {
	return profile{
		kind: agent.Claude, name: "Claude",
		programs: []string{"claude-agent-acp", "claude-code-acp"},
		install:  "npm install -g @agentclientprotocol/claude-agent-acp",
		node:     "22", silent: true, files: true,
		// The adapter passes these messages of its SDK on; they say when it
		// retries, which ACP itself does not.
		meta: map[string]any{"claudeCode": map[string]any{"emitRawSDKMessages": []any{
			map[string]any{"type": "rate_limit_event"},
			map[string]any{"type": "system", "subtype": "api_retry"},
		}}},
		read: func() evidence { return &claudeEvidence{} },
	}
}

// claudeEvidence reads the adapter of Claude Code.
type claudeEvidence struct{ plain }

// update marks the texts that Claude Code writes in place of an answer. It sends
// each as one chunk that starts the message.
func (e *claudeEvidence) update(_ agent.Stamp, u *agent.Update, _ []byte) []agent.Event {
	u.NotOutput = ownText(u, func(s string) bool {
		return strings.HasPrefix(s, "API Error") ||
			strings.HasPrefix(s, "Prompt is too long ·") ||
			u.MessageID == "" && strings.HasPrefix(s, "**Warning:** ") ||
			strings.HasPrefix(s, "You've hit your ") && strings.Contains(s, " limit")
	})
	return nil
}

// notification reads api_retry: Claude Code waits and tries again by itself.
func (e *claudeEvidence) notification(st agent.Stamp, method string, params []byte) []agent.Event {
	if method != "_claude/sdkMessage" {
		return nil
	}
	var p struct {
		Message struct {
			Type    string  `json:"type"`
			Subtype string  `json:"subtype"`
			Attempt int     `json:"attempt"`
			Delay   float64 `json:"retry_delay_ms"`
		} `json:"message"`
	}
	if json.Unmarshal(params, &p) != nil || p.Message.Type != "system" || p.Message.Subtype != "api_retry" {
		return nil
	}
	r := agent.Retrying{Stamp: st, Attempt: max(p.Message.Attempt, 0)}
	if d := p.Message.Delay; d > 0 && d < float64(24*time.Hour/time.Millisecond) {
		r.Next = st.At.Add(time.Duration(d * float64(time.Millisecond)))
	}
	return []agent.Event{r}
}
