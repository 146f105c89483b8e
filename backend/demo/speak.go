package demo

import (
	"strings"
	"time"
)

// perWord is how long a reader takes for a word, roughly.
const perWord = 40 * time.Millisecond

// say streams a text word by word, in the message in hand.
func (t *turn) say(words string) error { return t.stream("agent_message_chunk", words) }

// think streams a thought word by word.
func (t *turn) think(words string) error { return t.stream("agent_thought_chunk", words) }

func (t *turn) stream(kind, words string) error {
	for _, w := range strings.SplitAfter(words, " ") {
		if err := t.chunk(kind, w); err != nil {
			return err
		}
		if err := t.wait(perWord); err != nil {
			return err
		}
	}
	return nil
}

// chunk sends one piece of text as it is.
func (t *turn) chunk(kind, s string) error {
	if kind == "agent_message_chunk" {
		t.said.WriteString(s)
	}
	return t.send(chunkUpdate{SessionUpdate: kind, MessageID: t.message, Content: text(s)})
}

// next begins another message, as agents do after each step.
func (t *turn) next() { t.message = newID("msg") }

// start announces a tool call and returns its id.
func (t *turn) start(f toolFields) (string, error) {
	f.ToolCallID = newID("call")
	if f.Status == "" {
		f.Status = "pending"
	}
	t.open[f.ToolCallID] = true
	return f.ToolCallID, t.send(toolUpdate{SessionUpdate: "tool_call", toolFields: f})
}

// change reports a change to a tool call.
func (t *turn) change(id string, f toolFields) error {
	f.ToolCallID = id
	if f.Status == "completed" || f.Status == "failed" {
		delete(t.open, id)
	}
	return t.send(toolUpdate{SessionUpdate: "tool_call_update", toolFields: f})
}

// ask asks for permission and returns the id of the option that was chosen, ""
// where the request was cancelled. It blocks until there is an answer.
func (t *turn) ask(call toolFields, options ...permissionOption) (string, error) {
	var a permissionAnswer
	err := t.p.conn.Call(t.ctx, "session/request_permission", permissionRequest{SessionID: t.s.id, ToolCall: call, Options: options}, &a)
	if t.ctx.Err() != nil {
		return "", t.ctx.Err()
	}
	if err != nil || a.Outcome.Outcome != "selected" {
		// A client that cannot ask anybody has not agreed.
		return "", nil
	}
	return a.Outcome.OptionID, nil
}

// allowOptions are the options that agents usually offer.
func allowOptions() []permissionOption {
	return []permissionOption{
		{OptionID: "once", Name: "Allow once", Kind: "allow_once"},
		{OptionID: "always", Name: "Always allow", Kind: "allow_always"},
		{OptionID: "reject", Name: "Reject", Kind: "reject_once"},
	}
}
