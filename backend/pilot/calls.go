package pilot

import (
	"encoding/json"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"strings"

	"turnwatch/backend/agent"
	"turnwatch/backend/policy/autoresume"
)

// tool translates a call. It is told once its input is known, because calls are
// compared by it; until then it is work in flight all the same.
func (t *translator) tool(c agent.ToolCall) []autoresume.Event {
	at, seen := t.calls[c.ID]
	if c.Parent != "" {
		return t.inner(c, at, seen)
	}
	var out []autoresume.Event
	switch {
	case seen && at == over:
		return one(autoresume.Stirred{})
	case !seen && c.Status.Open() && !known(c.RawInput):
		put(&t.calls, c.ID, announced)
		return one(autoresume.CommandStarted{ID: c.ID})
	case (!seen || at == announced) && (known(c.RawInput) || !c.Status.Open()):
		if seen {
			out = append(out, autoresume.CommandEnded{ID: c.ID})
		}
		out = append(out, autoresume.ToolStarted{ID: c.ID, Name: c.Name, Args: c.RawInput})
		put(&t.calls, c.ID, begun)
	default:
		out = one(autoresume.Stirred{})
	}
	if list, ok := todos(c); ok {
		t.plan = list
		out = append(out, planned(list)...)
	}
	if !c.Status.Open() {
		put(&t.calls, c.ID, over)
		out = append(out, ended(c))
	}
	return out
}

// inner translates a call that another call has made, such as one of a subagent.
func (t *translator) inner(c agent.ToolCall, at callEnd, seen bool) []autoresume.Event {
	switch {
	case !seen && c.Status.Open():
		put(&t.calls, c.ID, nested)
		return one(autoresume.CommandStarted{ID: c.ID})
	case at == nested && !c.Status.Open():
		put(&t.calls, c.ID, over)
		return one(autoresume.CommandEnded{ID: c.ID})
	}
	return one(autoresume.Stirred{})
}

// landed ends what is in flight when the turn is over, in the order of its ids: no
// more is heard of it.
func (t *translator) landed() (out []autoresume.Event) {
	for _, id := range slices.Sorted(maps.Keys(t.calls)) {
		if at := t.calls[id]; at == announced || at == nested {
			t.calls[id] = over
			out = append(out, autoresume.CommandEnded{ID: id})
		}
	}
	return out
}

func known(input []byte) bool {
	return len(input) > 0 && string(input) != "{}" && string(input) != "null"
}

// ended translates the end of a call.
func ended(c agent.ToolCall) autoresume.ToolEnded {
	e := autoresume.ToolEnded{ID: c.ID, Name: c.Name, OK: c.Status == agent.ToolCompleted}
	if c.Name == "invalid" || c.Title == "Invalid Tool" { // OpenCode first gives the name that was wanted, and this title with the end
		e.OK = false
		e.Name, e.Err = missing(c.RawInput)
	}
	h := fnv.New64a()
	h.Write(c.RawOutput)
	for _, part := range c.Content {
		if part.Block != nil {
			h.Write([]byte(part.Block.Text))
		}
		if part.Diff != nil {
			h.Write([]byte(part.Diff.Path + "\x00" + part.Diff.New))
		}
	}
	e.Out = strconv.FormatUint(h.Sum64(), 36)
	return e
}

// missing reads what OpenCode says when it runs its tool "invalid" in the place of
// another: the name that the model gave, and whether there is no such tool, which a
// prompt can tell it. Wrong arguments the model is told of by OpenCode itself.
func missing(input []byte) (name, err string) {
	var in struct {
		Tool  string `json:"tool"`
		Error string `json:"error"`
	}
	if json.Unmarshal(input, &in) != nil || in.Tool == "" {
		return "invalid", "unknown_tool"
	}
	if strings.Contains(in.Error, "unavailable tool") {
		err = "unknown_tool"
	}
	return in.Tool, err
}

// todos reads the list that a todo-writing tool was given.
func todos(c agent.ToolCall) ([]agent.PlanEntry, bool) {
	if c.Name != "todowrite" && c.Name != "TodoWrite" && c.Name != "write_todos" {
		return nil, false
	}
	var in struct {
		Todos []struct {
			Content     string `json:"content"`
			Description string `json:"description"`
			Status      string `json:"status"`
			Priority    string `json:"priority"`
		} `json:"todos"`
	}
	if json.Unmarshal(c.RawInput, &in) != nil || in.Todos == nil {
		return nil, false
	}
	list := make([]agent.PlanEntry, len(in.Todos))
	for i, e := range in.Todos {
		if e.Content == "" {
			e.Content = e.Description
		}
		list[i] = agent.PlanEntry{Content: e.Content, Status: e.Status, Priority: e.Priority}
	}
	return list, true
}
