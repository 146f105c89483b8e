package managed

import (
	"encoding/json"
	"strings"
	"sync"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
)

func copilot() profile {
	return profile{
		kind: agent.Copilot, name: "Copilot", login: []string{"copilot", "login"},
		programs: []string{"copilot"}, args: []string{"--acp"},
		install: "npm install -g @github/copilot",
		node:    "22", files: true,
		read: func() evidence { return &copilotEvidence{} },
	}
}

// copilotEvidence reads GitHub's Copilot CLI, which tells of its retries and of
// its failures in chunks of text without a message id, one chunk each, and then
// ends the turn with success. The sign that an error was the end is an answer
// without usage: it has one whenever the model has spoken.
type copilotEvidence struct {
	plain
	mu      sync.Mutex
	gen     agent.Generation
	retries int    // announced in this turn
	text    string // the error that was the last text of this turn, at most 4 KiB
}

func (e *copilotEvidence) update(st agent.Stamp, u *agent.Update, _ []byte) []agent.Event {
	if u.Kind != agent.MessageChunk && !u.Output() {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.gen != st.Generation {
		e.gen, e.retries = st.Generation, 0
	}
	e.text = ""
	switch {
	case u.MessageID != "":
	case ownText(u, retryLine):
		u.NotOutput = true
		e.retries++
		r := agent.Retrying{Stamp: st, Attempt: e.retries}
		return []agent.Event{because(r, failure.Evidence{Agent: agent.Copilot, Text: u.Block.Text}, "")}
	case ownText(u, ownError):
		u.NotOutput = true
		e.text = u.Block.Text[:min(len(u.Block.Text), 4<<10)]
	}
	return nil
}

// answer tells of the error that ended the turn.
func (e *copilotEvidence) answer(st agent.Stamp, raw []byte) *agent.Failure {
	e.mu.Lock()
	defer e.mu.Unlock()
	text, gen := e.text, e.gen
	e.retries, e.text = 0, ""
	var a struct {
		Usage json.RawMessage `json:"usage"`
	}
	if text == "" || gen != st.Generation || json.Unmarshal(raw, &a) != nil || len(a.Usage) > 0 && string(a.Usage) != "null" {
		return nil
	}
	f := failure.OfSignal(agent.Copilot, "signal.copilot.error_text", text, nil, st.At)
	return &f
}

func ownError(s string) bool {
	return strings.HasPrefix(s, "Error: Failed to get response from the AI model") ||
		strings.HasPrefix(s, "Error: Authentication failed with provider") ||
		httpError(s)
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
