package autoresume

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"turnwatch/backend/policy/detect"
)

// Bounds on what a hostile agent can make us keep.
const (
	mostText     = 512 << 10 // bytes of a message
	keptText     = 256 << 10 // of its end, once it is longer
	mostInFlight = 4096      // calls, commands or requests that are open at once
	mostEntries  = 1000      // of a plan
)

// message is the last message of the agent: what it said and thought since its
// last call. Calls part messages.
type message struct {
	text, thought []byte
	tool          bool // it has a call
	fresh         bool // the next chunk begins another message
	truncated     bool
	found         *findings
}

// output takes text, thoughts and calls.
func (e *Engine) output(s *session, ev Event) {
	s.msg.found = nil
	switch ev := ev.(type) {
	case Text:
		if ev.Text != "" {
			e.spoke(s)
			s.msg.begin(len(s.turn.tools) == 0)
			s.msg.text = grow(s.msg.text, ev.Text)
		}
	case Thought:
		if ev.Text != "" {
			e.spoke(s)
			s.msg.begin(len(s.turn.tools) == 0)
			s.msg.thought = grow(s.msg.thought, ev.Text)
		}
	case ToolStarted:
		e.spoke(s)
		s.msg = message{thought: s.msg.thought, tool: true}
		e.toolStarted(s, ev)
	case ToolEnded:
		e.toolEnded(s, ev)
	}
}

// spoke says that the agent goes on by itself: silence is over, and so is a
// failure that it got over.
func (e *Engine) spoke(s *session) {
	s.spent.attempts = 0
	s.holds.retryUntil = 0
	if s.turn.open {
		s.repair.armed = false
	}
	if s.sent != nil && !s.sent.waiting {
		e.tell(Action{ID: s.sent.row, Session: s.id, Act: Outcome, Kind: s.sent.kind, Result: Answered})
		s.sent = nil
	}
}

func (m *message) begin(idle bool) {
	if m.fresh || m.tool && idle {
		*m = message{}
	}
}

// dead reports whether a message of reasoning alone was cut off, and its tokens:
// where the agent tells none, four characters of reasoning are one.
func (m *message) dead(told *int64, floor int64) (tokens int64, dead bool) {
	if m.tool || len(bytes.TrimSpace(m.text)) > 0 {
		return 0, false
	}
	if told != nil {
		return *told, *told >= floor
	}
	tokens = int64(utf8.RuneCount(m.thought) / 4)
	return tokens, tokens >= floor
}

// grow appends a chunk. Of a very long message only the end is kept, and whether
// it begins inside code.
func grow(b []byte, chunk string) []byte {
	b = append(b, chunk...)
	if len(b) <= mostText {
		return b
	}
	cut := len(b) - keptText
	for cut < len(b) && b[cut-1] != '\n' && cut < len(b)-keptText/2 {
		cut++
	}
	head := detect.OpenFence(string(b[:cut]))
	return slices.Concat([]byte(head), b[cut:])
}
