package history

import (
	"time"

	"turnwatch/backend/agent"
)

// storedBody is what a part holds beside its text. Most parts have none.
type storedBody struct {
	Blocks []storedBlock `json:"blocks,omitempty"`
	Tool   *storedTool   `json:"tool,omitempty"`
	Ended  int64         `json:"ended,omitempty"` // of the tool call
	Plan   []storedPlan  `json:"plan,omitempty"`
	Auto   *agent.Auto   `json:"auto,omitempty"`
	Try    int           `json:"try,omitempty"` // of a prompt that was sent again by itself
}

type storedTool struct {
	ID        string           `json:"id"`
	Title     string           `json:"title,omitempty"`
	Name      string           `json:"name,omitempty"`
	Kind      string           `json:"kind,omitempty"`
	Status    string           `json:"status,omitempty"`
	Parent    string           `json:"parent,omitempty"`
	Content   []storedContent  `json:"content,omitempty"`
	Locations []storedLocation `json:"locations,omitempty"`
	Input     []byte           `json:"input,omitempty"`
	Output    []byte           `json:"output,omitempty"`
}

type storedContent struct {
	Block    *storedBlock `json:"block,omitempty"`
	Diff     *storedDiff  `json:"diff,omitempty"`
	Terminal string       `json:"terminal,omitempty"`
}

type storedDiff struct {
	Path string  `json:"path"`
	Old  *string `json:"old,omitempty"`
	New  string  `json:"new"`
}

type storedLocation struct {
	Path string `json:"path"`
	Line int    `json:"line,omitempty"`
}

type storedPlan struct {
	Content  string `json:"content"`
	Status   string `json:"status,omitempty"`
	Priority string `json:"priority,omitempty"`
}

type storedAsk struct {
	Kind    string         `json:"kind"`
	Tool    *storedTool    `json:"tool,omitempty"`
	Options []storedChosen `json:"options,omitempty"`
}

type storedChosen struct {
	ID   string `json:"id"`
	Name string `json:"name,omitempty"`
	Kind string `json:"kind,omitempty"`
}

func toolOut(t agent.ToolCall) *storedTool {
	out := &storedTool{
		ID: t.ID, Title: t.Title, Name: t.Name, Kind: t.Kind, Status: string(t.Status), Parent: t.Parent,
		Input: t.RawInput, Output: t.RawOutput,
	}
	for _, c := range t.Content {
		s := storedContent{Terminal: c.Terminal, Diff: (*storedDiff)(c.Diff)}
		if c.Block != nil {
			s.Block = &blocksOut([]agent.Block{*c.Block})[0]
		}
		out.Content = append(out.Content, s)
	}
	for _, l := range t.Locations {
		out.Locations = append(out.Locations, storedLocation(l))
	}
	return out
}

func toolIn(t *storedTool) agent.ToolCall {
	if t == nil {
		return agent.ToolCall{}
	}
	out := agent.ToolCall{
		ID: t.ID, Title: t.Title, Name: t.Name, Kind: t.Kind,
		Status: agent.ToolStatus(t.Status), Parent: t.Parent, RawInput: t.Input, RawOutput: t.Output,
	}
	out.Content = each(t.Content, func(s storedContent) agent.ToolContent {
		c := agent.ToolContent{Terminal: s.Terminal, Diff: (*agent.Diff)(s.Diff)}
		if s.Block != nil {
			b := blockIn(*s.Block)
			c.Block = &b
		}
		return c
	})
	out.Locations = each(t.Locations, func(l storedLocation) agent.Location { return agent.Location(l) })
	return out
}

// bodyOut makes the stored body of a part; "" where it has none.
func bodyOut(p agent.Part) (string, error) {
	b := storedBody{Try: p.Try, Auto: p.Auto}
	if len(p.Blocks) == 0 && len(p.Plan) == 0 && p.Kind != agent.PartTool && p.Try == 0 && p.Auto == nil {
		return "", nil
	}
	if len(p.Blocks) > 0 {
		b.Blocks = blocksOut(p.Blocks)
	}
	if p.Kind == agent.PartTool {
		b.Tool, b.Ended = toolOut(p.Tool), stampOut(p.Ended)
	}
	for _, e := range p.Plan {
		b.Plan = append(b.Plan, storedPlan(e))
	}
	return write(b)
}

// bodyIn puts a stored body back into its part.
func bodyIn(text string, p *agent.Part) error {
	var b storedBody
	if err := read(text, &b, name("part", p.Seq)); err != nil {
		return err
	}
	p.Blocks, p.Try, p.Auto = blocksIn(b.Blocks), b.Try, b.Auto
	p.Tool, p.Ended = toolIn(b.Tool), stampIn(b.Ended)
	p.Plan = each(b.Plan, func(e storedPlan) agent.PlanEntry { return agent.PlanEntry(e) })
	return nil
}

// stampOut and stampIn keep a time as milliseconds; 0 is no time.
func stampOut(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func stampIn(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

func askOut(a agent.Ask) (string, error) {
	s := storedAsk{Kind: string(a.Kind), Tool: toolOut(a.Tool)}
	for _, o := range a.Options {
		s.Options = append(s.Options, storedChosen(o))
	}
	return write(s)
}

func askIn(id, text string) (agent.Ask, error) {
	var s storedAsk
	err := read(text, &s, "request "+id)
	return agent.Ask{
		ID: agent.AskID(id), Kind: agent.AskKind(s.Kind), Tool: toolIn(s.Tool),
		Options: each(s.Options, func(o storedChosen) agent.AskOption { return agent.AskOption(o) }),
	}, err
}
