package acp

import (
	"github.com/go-json-experiment/json/jsontext"

	"turnwatch/backend/agent"
)

// The shapes of ACP as this room reads them: every field may be absent or wrong
// without harm to its neighbours.

type wireBlock struct {
	Type     opt[string]       `json:"type"`
	Text     opt[string]       `json:"text"`
	Mime     opt[string]       `json:"mimeType"`
	Data     opt[string]       `json:"data"`
	URI      opt[string]       `json:"uri"`
	Name     opt[string]       `json:"name"`
	Resource opt[wireResource] `json:"resource"`
}

type wireResource struct {
	URI  opt[string] `json:"uri"`
	Mime opt[string] `json:"mimeType"`
	Text opt[string] `json:"text"`
	Blob opt[string] `json:"blob"`
}

// block reads one content block. A kind that is not known keeps its name and
// what fields it has.
func (w wireBlock) block() agent.Block {
	b := agent.Block{
		Kind: agent.BlockKind(w.Type.v),
		Text: w.Text.v, Mime: w.Mime.v, Data: w.Data.v, URI: w.URI.v, Name: w.Name.v,
	}
	if b.Kind == "" && b.Text != "" {
		b.Kind = agent.BlockText
	}
	if b.Kind == agent.BlockResource {
		r := w.Resource.v
		b.Text, b.Mime, b.Data, b.URI = r.Text.v, r.Mime.v, r.Blob.v, r.URI.v
	}
	return b
}

type wireTool struct {
	ID        opt[string]           `json:"toolCallId"`
	Title     opt[string]           `json:"title"`
	Kind      opt[string]           `json:"kind"`
	Status    opt[string]           `json:"status"`
	Content   list[wireToolContent] `json:"content"`
	Locations list[wireLocation]    `json:"locations"`
	RawInput  jsontext.Value        `json:"rawInput"`
	RawOutput jsontext.Value        `json:"rawOutput"`
	Meta      opt[wireToolMeta]     `json:"_meta"`
}

type wireToolContent struct {
	wireBlock
	Content  opt[wireBlock] `json:"content"`
	Path     opt[string]    `json:"path"`
	OldText  opt[*string]   `json:"oldText"`
	NewText  opt[string]    `json:"newText"`
	Terminal opt[string]    `json:"terminalId"`
}

type wireLocation struct {
	Path opt[string] `json:"path"`
	Line num         `json:"line"`
}

// wireToolMeta is where agents put what ACP has no field for.
type wireToolMeta struct {
	Claude opt[struct {
		Tool   opt[string] `json:"toolName"`
		Parent opt[string] `json:"parentToolUseId"`
	}] `json:"claudeCode"`
	Tool   opt[string] `json:"toolName"`
	Parent opt[string] `json:"parentToolCallId"`
}
