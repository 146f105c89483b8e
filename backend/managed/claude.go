package managed

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
)

func claude() profile {
	return profile{
		kind: agent.Claude, name: "Claude",
		programs: []string{"claude-agent-acp", "claude-code-acp"},
		install:  "npm install -g @agentclientprotocol/claude-agent-acp",
		node:     "22", silent: true, files: true, notices: true,
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
type claudeEvidence struct {
	plain
	mu     sync.Mutex
	window used
}

// used is a window of usage that the SDK says is used up.
type used struct {
	gen  agent.Generation
	info []byte // as it came, at most 4 KiB
}

// update marks the texts that Claude Code writes in place of an answer. It sends
// each as one chunk that starts the message.
func (e *claudeEvidence) update(st agent.Stamp, u *agent.Update, raw []byte) []agent.Event {
	if u.Kind == agent.InfoChanged {
		if t, ok := sideSign(raw); ok {
			return t.retries(agent.Claude, st)
		}
		return nil
	}
	u.NotOutput = ownText(u, func(s string) bool {
		return strings.HasPrefix(s, "API Error") ||
			strings.HasPrefix(s, "Prompt is too long ·") ||
			u.MessageID == "" && strings.HasPrefix(s, "**Warning:** ") ||
			strings.HasPrefix(s, "You've hit your ") && strings.Contains(s, " limit")
	})
	return nil
}

// notification reads what the SDK says: Claude Code waits and tries again by
// itself, or a window of usage is used up.
func (e *claudeEvidence) notification(st agent.Stamp, method string, params []byte) []agent.Event {
	if method != "_claude/sdkMessage" {
		return nil
	}
	var p struct {
		Message struct {
			Type    string          `json:"type"`
			Subtype string          `json:"subtype"`
			Attempt int             `json:"attempt"`
			Delay   float64         `json:"retry_delay_ms"`
			Status  int             `json:"error_status"`
			Error   string          `json:"error"`
			Limit   json.RawMessage `json:"rate_limit_info"`
		} `json:"message"`
	}
	if json.Unmarshal(params, &p) != nil {
		return nil
	}
	switch {
	case p.Message.Type == "rate_limit_event" && len(p.Message.Limit) <= 4<<10:
		e.limited(st, p.Message.Limit)
		return nil
	case p.Message.Type != "system" || p.Message.Subtype != "api_retry":
		return nil
	}
	r := agent.Retrying{Stamp: st, Attempt: max(p.Message.Attempt, 0)}
	if d := p.Message.Delay; d > 0 && d < float64(24*time.Hour/time.Millisecond) {
		r.Next = st.At.Add(time.Duration(d * float64(time.Millisecond)))
	}
	kind, _ := json.Marshal(map[string]string{"error": p.Message.Error})
	return []agent.Event{because(r, failure.Evidence{Agent: agent.Claude, HTTPStatus: p.Message.Status, Data: kind}, "")}
}

// limited remembers a window that is used up, unless the account goes on over it.
func (e *claudeEvidence) limited(st agent.Stamp, raw json.RawMessage) {
	var info struct {
		Status string `json:"status"`
		Over   bool   `json:"isUsingOverage"`
	}
	if json.Unmarshal(raw, &info) != nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.window = used{}
	if info.Status == "rejected" && !info.Over {
		e.window = used{gen: st.Generation, info: bytes.Clone(raw)}
	}
}

// answer tells of a failure that stands beside a successful answer.
func (e *claudeEvidence) answer(st agent.Stamp, raw []byte) *agent.Failure {
	t, ok := sideSign(raw)
	if !ok {
		return nil
	}
	f := t.failed(agent.Claude, st)
	if f != nil {
		*f = e.explain(st, *f)
	}
	return f
}

// explain adds to a limit when its window opens again, to the second: the text has
// it in minutes at best.
func (e *claudeEvidence) explain(st agent.Stamp, f agent.Failure) agent.Failure {
	e.mu.Lock()
	w := e.window
	e.mu.Unlock()
	if w.gen != st.Generation || w.info == nil || f.Code != failure.QuotaLimited && f.Code != failure.RateLimited {
		return f
	}
	c := failure.Classify(failure.Evidence{Agent: agent.Claude, Channel: failure.ChannelSignal, Data: w.info, OccurredAt: st.At})
	if c.Code != failure.QuotaLimited {
		return f
	}
	f = failure.Become(f, c)
	if !c.ResetAt.IsZero() {
		f.ResetAt = c.ResetAt
	}
	return f
}
