package managed

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
)

func codex() profile {
	return profile{
		kind: agent.Codex, name: "Codex", login: []string{"codex", "login"},
		programs: []string{"codex-acp"},
		install:  "npm install -g @agentclientprotocol/codex-acp",
		silent:   true, files: true, notices: true,
		read: func() evidence { return &codexEvidence{} },
	}
}

// codexEvidence reads codex-acp. It answers many failed turns with end_turn: the
// sign is the thread status systemError before it, and the text in between is
// Codex's own.
type codexEvidence struct {
	plain
	mu     sync.Mutex
	failed bool   // systemError since the last answer
	text   string // the own text that followed, at most 4 KiB
	last   []byte // the kind of the last error that the thread reported, as JSON
}

func (e *codexEvidence) update(st agent.Stamp, u *agent.Update, raw []byte) []agent.Event {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch u.Kind {
	case agent.InfoChanged:
		return e.status(st, raw)
	case agent.MessageChunk:
		if e.failed {
			u.NotOutput = true
			if len(e.text) < 4<<10 {
				e.text += u.Block.Text
			}
			return nil
		}
		u.NotOutput = ownText(u, func(s string) bool {
			return strings.HasPrefix(s, "Warning: Model metadata for ")
		})
	}
	return nil
}

// status reads _meta of a session_info_update: announced retries and the status of
// the thread.
func (e *codexEvidence) status(st agent.Stamp, raw []byte) []agent.Event {
	var m struct {
		Meta struct {
			Codex struct {
				Thread struct {
					Type string `json:"type"`
				} `json:"threadStatus"`
				Error json.RawMessage `json:"error"`
			} `json:"codex"`
		} `json:"_meta"`
	}
	if json.Unmarshal(raw, &m) != nil {
		return nil
	}
	switch c := m.Meta.Codex; c.Thread.Type {
	case "systemError":
		e.failed, e.text = true, ""
	case "active":
		e.clear()
	}
	if t, ok := sideSign(raw); ok {
		return t.retries(agent.Codex, st)
	}
	return e.reported(st, m.Meta.Codex.Error)
}

// reported reads an error of the thread, which Codex retries or not.
func (e *codexEvidence) reported(st agent.Stamp, raw json.RawMessage) []agent.Event {
	var r struct {
		Message   string          `json:"message"`
		Info      json.RawMessage `json:"codexErrorInfo"`
		Details   string          `json:"additionalDetails"`
		WillRetry bool            `json:"willRetry"`
	}
	if len(raw) == 0 || json.Unmarshal(raw, &r) != nil {
		return nil
	}
	var kind []byte
	if len(r.Info) > 0 && len(r.Info) <= 4<<10 {
		kind = append(append([]byte(`{"codexErrorInfo":`), r.Info...), '}')
		e.last = kind
	}
	if !r.WillRetry {
		return nil
	}
	try := agent.Retrying{Stamp: st, Attempt: attemptIn(r.Message)}
	return []agent.Event{because(try, failure.Evidence{Agent: agent.Codex, Text: r.Details, Data: kind}, r.Details)}
}

// answer tells of the failure that stands beside a successful answer, or that a
// systemError before it is. What the thread reported last may say which; the text
// outweighs it, being later.
func (e *codexEvidence) answer(st agent.Stamp, raw []byte) *agent.Failure {
	e.mu.Lock()
	defer e.mu.Unlock()
	defer e.clear()
	if t, ok := sideSign(raw); ok {
		if f := t.failed(agent.Codex, st); f != nil {
			return f
		}
	}
	if !e.failed {
		return nil
	}
	const rule = "signal.codex.system_error"
	f := failure.OfSignal(agent.Codex, rule, e.text, nil, st.At)
	if f.Code == failure.UnknownProviderError && e.last != nil {
		f = failure.OfSignal(agent.Codex, rule, e.text, e.last, st.At)
	}
	return &f
}

// refused forgets the status: the error says it better.
func (e *codexEvidence) refused(agent.Stamp, failure.RPC) []agent.Event {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.clear()
	return nil
}

func (e *codexEvidence) clear() { e.failed, e.text, e.last = false, "", nil }

// stderr reads the log of older adapters, which tell of retries nowhere else.
func (e *codexEvidence) stderr(st agent.Stamp, line []byte) []agent.Event {
	_, after, ok := bytes.Cut(line, []byte("Handled error during turn: Reconnecting..."))
	if !ok {
		return nil
	}
	return []agent.Event{agent.Retrying{Stamp: st, Attempt: attemptIn(string(after[:min(len(after), 16)]))}}
}
