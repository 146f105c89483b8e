package agent

// BlockKind names what a content block holds.
type BlockKind string

// Kinds of content block.
const (
	BlockText     BlockKind = "text"
	BlockImage    BlockKind = "image"
	BlockAudio    BlockKind = "audio"
	BlockLink     BlockKind = "resource_link"
	BlockResource BlockKind = "resource"
)

// Block is one piece of content, in a prompt or from an agent. Text holds the
// text, Data the base64 payload of an image or audio block, URI the address of a
// link or resource. All of it is untrusted when it comes from an agent.
type Block struct {
	Kind BlockKind `json:"kind"`
	Text string    `json:"text,omitempty"`
	Mime string    `json:"mime,omitempty"`
	Data string    `json:"data,omitempty"`
	URI  string    `json:"uri,omitempty"`
	Name string    `json:"name,omitempty"`
}

// TextBlock is a block of plain text.
func TextBlock(s string) Block { return Block{Kind: BlockText, Text: s} }

// Diff is a change to one file as an agent proposes or reports it. Old is nil
// where the file is new.
type Diff struct {
	Path string  `json:"path"`
	Old  *string `json:"old,omitempty"`
	New  string  `json:"new"`
}

// ToolContent is one piece of what a tool call shows: a block, a diff, or the id
// of a terminal. Exactly one field is set.
type ToolContent struct {
	Block    *Block `json:"block,omitempty"`
	Diff     *Diff  `json:"diff,omitempty"`
	Terminal string `json:"terminal,omitempty"`
}

// Location is a place in a file that a tool works on. Line is 1-based, 0 where
// it is not known.
type Location struct {
	Path string `json:"path"`
	Line int    `json:"line,omitempty"`
}

// ToolStatus is the state of a tool call.
type ToolStatus string

// States of a tool call. Cancelled is ours: ACP has no such status, and a tool
// that we marked so stays so whatever the agent says later.
const (
	ToolPending    ToolStatus = "pending"
	ToolInProgress ToolStatus = "in_progress"
	ToolCompleted  ToolStatus = "completed"
	ToolFailed     ToolStatus = "failed"
	ToolCancelled  ToolStatus = "cancelled"
)

// Open reports whether the call may still be at work.
func (s ToolStatus) Open() bool { return s == ToolPending || s == ToolInProgress || s == "" }

// ToolCall is a tool call or a change to one. In a change, an empty field means
// "as before", and a non-nil empty slice means "now empty".
type ToolCall struct {
	ID     string     `json:"id"`
	Title  string     `json:"title,omitempty"`
	Name   string     `json:"name,omitempty"` // the earliest title, or the agent's own tool name where it sends one
	Kind   string     `json:"kind,omitempty"` // ACP: read, edit, delete, move, search, execute, think, fetch, other …
	Status ToolStatus `json:"status,omitempty"`
	Parent string     `json:"parent,omitempty"` // the id of the call that runs this one; "" where it is top-level

	Content   []ToolContent `json:"content,omitempty"`
	Locations []Location    `json:"locations,omitempty"`
	RawInput  []byte        `json:"raw_input,omitempty"`  // JSON as the agent sent it
	RawOutput []byte        `json:"raw_output,omitempty"` // JSON as the agent sent it
}

// Merge returns the call after a change to it. The id and the name stay.
func (t ToolCall) Merge(c ToolCall) ToolCall {
	if c.Title != "" {
		t.Title = c.Title
	}
	if t.Name == "" {
		t.Name = c.Name
	}
	if c.Kind != "" {
		t.Kind = c.Kind
	}
	if c.Status != "" && t.Status != ToolCancelled {
		t.Status = c.Status
	}
	if c.Parent != "" {
		t.Parent = c.Parent
	}
	if c.Content != nil {
		t.Content = c.Content
	}
	if c.Locations != nil {
		t.Locations = c.Locations
	}
	if c.RawInput != nil {
		t.RawInput = c.RawInput
	}
	if c.RawOutput != nil {
		t.RawOutput = c.RawOutput
	}
	return t
}

// PlanEntry is one line of an agent's plan.
type PlanEntry struct {
	Content  string `json:"content"`
	Status   string `json:"status"`   // pending, in_progress, completed
	Priority string `json:"priority"` // high, medium, low
}
