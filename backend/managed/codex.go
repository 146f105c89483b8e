package managed

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
)

func codex() profile {
	return profile{
		kind: agent.Codex, name: "Codex",
		programs: []string{"codex-acp"},
		install:  "npm install -g @agentclientprotocol/codex-acp",
		silent:   true, files: true,
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
}

var attemptOf = regexp.MustCompile(`(\d{1,4})/\d{1,4}`)

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

// status reads _meta.codex of a session_info_update: announced retries and the
// status of the thread.
func (e *codexEvidence) status(st agent.Stamp, raw []byte) []agent.Event {
	var m struct {
		Meta struct {
			Codex struct {
				Thread struct {
					Type string `json:"type"`
				} `json:"threadStatus"`
				Error struct {
					Message   string `json:"message"`
					WillRetry bool   `json:"willRetry"`
				} `json:"error"`
			} `json:"codex"`
		} `json:"_meta"`
	}
	if json.Unmarshal(raw, &m) != nil {
		return nil
	}
	c := m.Meta.Codex
	switch c.Thread.Type {
	case "systemError":
		e.failed, e.text = true, ""
	case "active":
		e.failed, e.text = false, ""
	}
	if !c.Error.WillRetry {
		return nil
	}
	attempt := 0
	if n := attemptOf.FindStringSubmatch(c.Error.Message); n != nil {
		attempt, _ = strconv.Atoi(n[1])
	}
	return []agent.Event{agent.Retrying{Stamp: st, Attempt: attempt}}
}

// answer tells of the failure that a systemError before a successful answer is.
func (e *codexEvidence) answer(st agent.Stamp, _ []byte) *agent.Failure {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.failed {
		return nil
	}
	f := failure.OfSignal("signal.codex.system_error", e.text, st.At)
	e.failed, e.text = false, ""
	return &f
}

// refused forgets the status: the error says it better.
func (e *codexEvidence) refused(agent.Stamp, failure.RPC) []agent.Event {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.failed, e.text = false, ""
	return nil
}
