package acp

import (
	"cmp"

	"github.com/go-json-experiment/json/jsontext"

	"turnwatch/backend/agent"
)

// call reads a tool call or a change to one. Only the first word of a call gives
// it a name by its title: later titles may hold what the call was given.
func (w wireTool) call(first bool) agent.ToolCall {
	m := w.Meta.v
	t := agent.ToolCall{
		ID:        w.ID.v,
		Title:     w.Title.v,
		Name:      cmp.Or(m.Claude.v.Tool.v, m.Tool.v),
		Kind:      w.Kind.v,
		Status:    toolStatus(w.Status.v),
		Parent:    cmp.Or(m.Claude.v.Parent.v, m.Parent.v),
		RawInput:  present(w.RawInput),
		RawOutput: present(w.RawOutput),
	}
	if first && t.Name == "" {
		t.Name = t.Title
	}
	if w.Content != nil {
		t.Content = make([]agent.ToolContent, 0, len(w.Content))
	}
	for _, c := range w.Content {
		if tc, ok := c.toolContent(); ok {
			t.Content = append(t.Content, tc)
		}
	}
	if w.Locations != nil {
		t.Locations = make([]agent.Location, 0, len(w.Locations))
	}
	for _, l := range w.Locations {
		if l.Path.v != "" {
			t.Locations = append(t.Locations, agent.Location{Path: l.Path.v, Line: int(max(0, l.Line.whole()))})
		}
	}
	return t
}

// toolContent reads one piece of what a call shows. A bare content block, without
// the wrapper that ACP asks for, is taken as it is meant.
func (w wireToolContent) toolContent() (agent.ToolContent, bool) {
	switch w.Type.v {
	case "content":
		b := w.Content.v.block()
		return agent.ToolContent{Block: &b}, b.Kind != ""
	case "diff":
		d := agent.Diff{Path: w.Path.v, Old: w.OldText.v, New: w.NewText.v}
		return agent.ToolContent{Diff: &d}, d.Path != ""
	case "terminal":
		return agent.ToolContent{Terminal: w.Terminal.v}, w.Terminal.v != ""
	}
	b := w.block()
	return agent.ToolContent{Block: &b}, b.Kind != ""
}

// toolStatus reads a status. One that ACP does not have says that the call is
// under way, but for the word of the agents that name a cancelled call so; none
// says nothing.
func toolStatus(s string) agent.ToolStatus {
	switch t := agent.ToolStatus(s); t {
	case agent.ToolPending, agent.ToolInProgress, agent.ToolCompleted, agent.ToolFailed, agent.ToolCancelled:
		return t
	case "canceled":
		return agent.ToolCancelled
	case "":
		return ""
	}
	return agent.ToolInProgress
}

// present is the value, nil where it is absent or null.
func present(v jsontext.Value) []byte {
	if v == nil || v.Kind() == 'n' {
		return nil
	}
	return v
}
