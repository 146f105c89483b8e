package window

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"turnwatch/backend/agent"
)

// sanity is how much of a part is shown.
type sanity struct {
	output int // bytes of a tool's output
	input  int // bytes of its input
	rows   int // lines of all its diffs together
	image  int // bytes of base64 of an image
}

// onScreen is what a screen can hold.
func onScreen() sanity {
	return sanity{output: 64 << 10, input: 16 << 10, rows: 2000, image: 14 << 20}
}

// whole is what one part may hold when it is asked for alone.
func whole() sanity {
	return sanity{output: 5 << 20, input: 1 << 20, rows: 100_000, image: 14 << 20}
}

// partOf puts a part into its view type.
func partOf(h held, s sanity) Part {
	p := Part{
		Seq: h.Seq, Turn: uint64(h.Generation), Kind: string(h.Kind), Key: h.Key, At: ms(h.At),
		Text: h.Text, Late: h.Late, Marked: h.Marked, Try: h.Try,
	}
	if h.Auto != nil {
		p.Auto = &Mark{Kind: h.Auto.Kind, Count: h.Auto.Count}
	}
	for _, b := range h.Blocks {
		p.Blocks = append(p.Blocks, blockOf(b, s))
	}
	for _, e := range h.Plan {
		p.Plan = append(p.Plan, Entry(e))
	}
	switch h.Kind {
	case agent.PartTool:
		p.Tool = toolOf(h.Tool, h.took(), s)
	case agent.PartOther:
		p.Raw = string(h.Raw)
	}
	return p
}

// blockOf shows content that is not plain text. Only images of the kinds that
// the page may show carry their data.
func blockOf(b agent.Block, s sanity) Block {
	out := Block{Kind: string(b.Kind), Name: b.Name, Mime: b.Mime, URI: cutText(b.URI, longestPath)}
	if b.Kind == agent.BlockImage && showable(b.Mime) && len(b.Data) <= s.image {
		out.Data = b.Data
	}
	if b.Kind == agent.BlockText {
		out.Name = cutText(b.Text, longestTitle)
	}
	return out
}

// showable are the images that the page may show. SVG is a program.
func showable(mime string) bool {
	switch mime {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return true
	}
	return false
}

// toolOf shows a tool call as it stands.
func toolOf(t agent.ToolCall, took int64, s sanity) *Tool {
	out := &Tool{
		ID: t.ID, Title: t.Title, Name: t.Name, Kind: t.Kind, Status: string(t.Status), Took: took,
	}
	out.Input, _ = shorten(indented(t.RawInput), s.input)
	rows := s.rows
	var text strings.Builder
	for _, c := range t.Content {
		switch {
		case c.Diff != nil:
			d, cut := diffOf(*c.Diff, rows)
			for _, h := range d.Hunks {
				rows -= len(h.Lines)
			}
			out.Diffs, out.Cut = append(out.Diffs, d), out.Cut || cut
		case c.Block != nil:
			write(&text, spoken(*c.Block))
		}
	}
	if text.Len() == 0 && len(out.Diffs) == 0 {
		write(&text, indented(t.RawOutput))
	}
	output, cut := shorten(text.String(), s.output)
	out.Output, out.Cut = output, out.Cut || cut
	for _, l := range t.Locations {
		out.Places = append(out.Places, Spot(l))
	}
	return out
}

func write(b *strings.Builder, s string) {
	if s == "" {
		return
	}
	if b.Len() > 0 && !strings.HasSuffix(b.String(), "\n") {
		b.WriteByte('\n')
	}
	b.WriteString(s)
}

// spoken is a block as text.
func spoken(b agent.Block) string {
	if b.Text != "" {
		return b.Text
	}
	return b.URI
}

// shorten keeps the head and the end of a text, which is where outputs say what
// came of them.
func shorten(s string, most int) (string, bool) {
	if len(s) <= most {
		return s, false
	}
	head, tail := most*3/4, len(s)-most/4
	for head > 0 && !utf8.RuneStart(s[head]) {
		head--
	}
	for tail < len(s) && !utf8.RuneStart(s[tail]) {
		tail++
	}
	return s[:head] + "\n⋯\n" + s[tail:], true
}

// indented shows JSON for people: a text as itself, anything else indented.
func indented(raw []byte) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) || bytes.Equal(raw, []byte("{}")) {
		return ""
	}
	var text string
	if raw[0] == '"' && json.Unmarshal(raw, &text) == nil {
		return text
	}
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return string(raw)
	}
	return b.String()
}
