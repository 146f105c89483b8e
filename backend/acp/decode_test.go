package acp_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/acp"
	"turnwatch/backend/agent"
)

// decodeOne sends one update object through a connection and decodes it there.
func decodeOne(t *testing.T, object string) (agent.Update, error) {
	t.Helper()
	h := &decodingHandler{}
	line := `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":` + strings.ReplaceAll(object, "\n", " ") + `}}` + "\n"
	c := acp.New(strings.NewReader(line), nopCloser{io.Discard}, h, acp.Options{})
	<-c.Done()
	require.NoError(t, c.Close())
	require.Len(t, h.got, 1, "the update reached the handler")
	return h.got[0], h.err
}

type decodingHandler struct {
	got []agent.Update
	err error
}

func (h *decodingHandler) Update(u acp.Update) {
	a, err := acp.Decode(u)
	h.got, h.err = append(h.got, a), err
}
func (h *decodingHandler) Request(r *acp.Request)                           { _ = r.Refuse() }
func (h *decodingHandler) Notification(string, jsontext.Value, agent.Stamp) {}

func block(b agent.Block) *agent.Block { return &b }

func text(s string) *string { return &s }

// TestDecode is what each kind of update becomes, whole and damaged.
func TestDecode(t *testing.T) {
	for _, row := range []struct {
		name, say string
		want      agent.Update
	}{
		{"text", `{"sessionUpdate":"agent_message_chunk","messageId":"m","content":{"type":"text","text":"hi"}}`,
			agent.Update{Kind: agent.MessageChunk, MessageID: "m", Block: agent.TextBlock("hi")}},
		{"thought", `{"sessionUpdate":"agent_thought_chunk","content":{"text":"hm","type":"text"}}`,
			agent.Update{Kind: agent.ThoughtChunk, Block: agent.TextBlock("hm")}},
		{"text without a type", `{"sessionUpdate":"agent_message_chunk","content":{"text":"hi"}}`,
			agent.Update{Kind: agent.MessageChunk, Block: agent.TextBlock("hi")}},
		{"bare text", `{"sessionUpdate":"agent_message_chunk","content":"hi"}`,
			agent.Update{Kind: agent.MessageChunk, Block: agent.TextBlock("hi")}},
		{"list of blocks", `{"sessionUpdate":"agent_message_chunk","content":[{"type":"text","text":"h"},5,{"type":"text","text":"i"}]}`,
			agent.Update{Kind: agent.MessageChunk, Block: agent.TextBlock("hi")}},
		{"image", `{"sessionUpdate":"agent_message_chunk","content":{"type":"image","mimeType":"image/png","data":"AAAA","uri":null}}`,
			agent.Update{Kind: agent.MessageChunk, Block: agent.Block{Kind: agent.BlockImage, Mime: "image/png", Data: "AAAA"}}},
		{"audio", `{"sessionUpdate":"agent_message_chunk","content":{"type":"audio","mimeType":"audio/wav","data":"AAAA"}}`,
			agent.Update{Kind: agent.MessageChunk, Block: agent.Block{Kind: agent.BlockAudio, Mime: "audio/wav", Data: "AAAA"}}},
		{"link", `{"sessionUpdate":"agent_message_chunk","content":{"type":"resource_link","uri":"file:///a","name":"a"}}`,
			agent.Update{Kind: agent.MessageChunk, Block: agent.Block{Kind: agent.BlockLink, URI: "file:///a", Name: "a"}}},
		{"resource", `{"sessionUpdate":"agent_message_chunk","content":{"type":"resource","resource":{"uri":"file:///a","mimeType":"text/plain","text":"x"}}}`,
			agent.Update{Kind: agent.MessageChunk, Block: agent.Block{Kind: agent.BlockResource, URI: "file:///a", Mime: "text/plain", Text: "x"}}},
		{"binary resource", `{"sessionUpdate":"agent_message_chunk","content":{"type":"resource","resource":{"uri":"file:///a","blob":"AAAA"}}}`,
			agent.Update{Kind: agent.MessageChunk, Block: agent.Block{Kind: agent.BlockResource, URI: "file:///a", Data: "AAAA"}}},
		{"block of an unknown type", `{"sessionUpdate":"agent_message_chunk","content":{"type":"video","uri":"x"}}`,
			agent.Update{Kind: agent.MessageChunk, Block: agent.Block{Kind: "video", URI: "x"}}},

		{"tool call", `{"sessionUpdate":"tool_call","toolCallId":"t","title":"Read a","kind":"read","status":"pending","rawInput":{"path" : "a"},
			"content":[{"type":"content","content":{"type":"text","text":"x"}},{"type":"diff","path":"a","oldText":"1","newText":"2"},{"type":"diff","path":"b","oldText":null,"newText":"2"},{"type":"terminal","terminalId":"term"}],
			"locations":[{"path":"a","line":3},{"path":"b"}]}`,
			agent.Update{Kind: agent.ToolCalled, Tool: agent.ToolCall{
				ID: "t", Title: "Read a", Name: "Read a", Kind: "read", Status: agent.ToolPending, RawInput: []byte(`{"path" : "a"}`),
				Content: []agent.ToolContent{
					{Block: block(agent.TextBlock("x"))},
					{Diff: &agent.Diff{Path: "a", Old: text("1"), New: "2"}},
					{Diff: &agent.Diff{Path: "b", New: "2"}},
					{Terminal: "term"},
				},
				Locations: []agent.Location{{Path: "a", Line: 3}, {Path: "b"}},
			}}},
		{"tool call of a subagent", `{"sessionUpdate":"tool_call","toolCallId":"t","title":"cat secret","_meta":{"claudeCode":{"toolName":"Bash","parentToolUseId":"p"}}}`,
			agent.Update{Kind: agent.ToolCalled, Tool: agent.ToolCall{ID: "t", Title: "cat secret", Name: "Bash", Parent: "p"}}},
		{"tool change: no name from its title, absent is as before", `{"sessionUpdate":"tool_call_update","toolCallId":"t","title":"sleep 300","status":"in_progress","content":null,"rawInput":null}`,
			agent.Update{Kind: agent.ToolChanged, Tool: agent.ToolCall{ID: "t", Title: "sleep 300", Status: agent.ToolInProgress}}},
		{"tool change: an empty list empties", `{"sessionUpdate":"tool_call_update","toolCallId":"t","content":[],"locations":[]}`,
			agent.Update{Kind: agent.ToolChanged, Tool: agent.ToolCall{ID: "t", Content: []agent.ToolContent{}, Locations: []agent.Location{}}}},
		{"tool call: every optional field bad", `{"sessionUpdate":"tool_call","toolCallId":"t","title":1,"kind":[],"status":"no such","content":{"a":1},"locations":"x","_meta":5,"rawInput":null}`,
			agent.Update{Kind: agent.ToolCalled, Tool: agent.ToolCall{ID: "t", Status: agent.ToolInProgress}}},
		{"tool call: bad elements leave the good ones", `{"sessionUpdate":"tool_call","toolCallId":"t","content":[7,{"type":"diff"},{"type":"content","content":3},{"type":"text","text":"bare"},{"type":"terminal","terminalId":"x"}],"locations":[null,{"line":1},{"path":"a","line":"2"},{"path":"b","line":-4}]}`,
			agent.Update{Kind: agent.ToolCalled, Tool: agent.ToolCall{ID: "t",
				Content:   []agent.ToolContent{{Block: block(agent.TextBlock("bare"))}, {Terminal: "x"}},
				Locations: []agent.Location{{Path: "a", Line: 2}, {Path: "b"}},
			}}},
		{"tool call cancelled by the agent", `{"sessionUpdate":"tool_call_update","toolCallId":"t","status":"canceled"}`,
			agent.Update{Kind: agent.ToolChanged, Tool: agent.ToolCall{ID: "t", Status: agent.ToolCancelled}}},

		{"tool call with an empty id", `{"sessionUpdate":"tool_call","toolCallId":"","title":"x","kind":"read","status":"completed"}`,
			agent.Update{Kind: agent.ToolCalled, Tool: agent.ToolCall{Title: "x", Name: "x", Kind: "read", Status: agent.ToolCompleted}}},
		{"tool change with a bad id", `{"sessionUpdate":"tool_call_update","toolCallId":7,"title":"x","rawInput":{"a":1}}`,
			agent.Update{Kind: agent.ToolChanged, Tool: agent.ToolCall{Title: "x", RawInput: []byte(`{"a":1}`)}}},
		{"tool call in a state that ACP does not have", `{"sessionUpdate":"tool_call","toolCallId":"t","status":"queued"}`,
			agent.Update{Kind: agent.ToolCalled, Tool: agent.ToolCall{ID: "t", Status: agent.ToolInProgress}}},
		{"tool change to a state that is no text", `{"sessionUpdate":"tool_call_update","toolCallId":"t","status":5}`,
			agent.Update{Kind: agent.ToolChanged, Tool: agent.ToolCall{ID: "t"}}},
		{"plan", `{"sessionUpdate":"plan","entries":[{"content":"a","status":"pending","priority":"high"},"x",{"content":"b","status":5}]}`,
			agent.Update{Kind: agent.PlanChanged, Plan: []agent.PlanEntry{{Content: "a", Status: "pending", Priority: "high"}, {Content: "b"}}}},
		{"usage", `{"sessionUpdate":"usage_update","used":11,"size":"200000","cost":{"amount":0.5,"currency":"USD"}}`,
			agent.Update{Kind: agent.UsageChanged, Usage: agent.Usage{Used: 11, Size: 200000, Cost: 0.5, Currency: "USD"}}},
		{"usage with bad numbers", `{"sessionUpdate":"usage_update","used":1e300,"size":true,"cost":null}`,
			agent.Update{Kind: agent.UsageChanged}},
		{"commands", `{"sessionUpdate":"available_commands_update","availableCommands":[{"name":"init","description":"d","input":{"hint":"h"}},{"name":"x","input":null},{"description":"nameless"}]}`,
			agent.Update{Kind: agent.CommandsListed, Commands: []agent.Command{{Name: "init", Description: "d", Hint: "h"}, {Name: "x"}}}},
		{"mode", `{"sessionUpdate":"current_mode_update","currentModeId":"plan"}`,
			agent.Update{Kind: agent.ModeChanged, Options: []agent.Option{{ID: "mode", Category: "mode", Current: "plan"}}}},
		{"options", `{"sessionUpdate":"config_option_update","configOptions":[
			{"id":"model","category":"model","name":"Model","type":"select","currentValue":"a","options":[{"value":"a","name":"A"},{"group":"g","name":"G","options":[{"value":"b","name":"B","description":"d"}]}]},
			{"id":"fast","type":"boolean","currentValue":true},{"type":"select"},{"id":"bad","currentValue":{},"options":5}]}`,
			agent.Update{Kind: agent.OptionsChanged, Options: []agent.Option{
				{ID: "model", Category: "model", Name: "Model", Current: "a", Choices: []agent.Choice{{Value: "a", Name: "A"}, {Value: "b", Name: "B", Description: "d"}}},
				{ID: "fast", Current: "true", Choices: []agent.Choice{{Value: "true"}, {Value: "false"}}},
				{ID: "bad"},
			}}},
		{"title", `{"sessionUpdate":"session_info_update","title":"T","updatedAt":5}`,
			agent.Update{Kind: agent.InfoChanged, Title: "T"}},
		{"no title", `{"sessionUpdate":"session_info_update","title":null,"_meta":{"codex":{}}}`,
			agent.Update{Kind: agent.InfoChanged}},
		{"notice", `{"sessionUpdate":"notice","severity":"warning","title":"No hooks ran.","description":5}`,
			agent.Update{Kind: agent.NoticeSent, Block: agent.TextBlock("No hooks ran."), NotOutput: true}},
		{"notice with a description", `{"sessionUpdate":"notice","title":"Context compacted","description":"It was too long."}`,
			agent.Update{Kind: agent.NoticeSent, Block: agent.TextBlock("Context compacted\n\nIt was too long."), NotOutput: true}},
		{"unknown kind", `{"sessionUpdate":"compaction_update","status":"done"}`,
			agent.Update{Kind: "compaction_update", Raw: []byte(`{"sessionUpdate":"compaction_update","status":"done"}`)}},
		{"no kind", `{"x":1}`, agent.Update{Raw: []byte(`{"x":1}`)}},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, err := decodeOne(t, row.say)
			require.NoError(t, err)
			assert.Equal(t, row.want, got)
		})
	}
}

// TestDecodeIncomplete is what cannot be used as what it says it is, and is kept.
func TestDecodeIncomplete(t *testing.T) {
	for _, row := range []struct{ name, say string }{
		{"tool call without anything", `{"sessionUpdate":"tool_call"}`},
		{"tool call with an empty id alone", `{"sessionUpdate":"tool_call","toolCallId":""}`},
		{"tool call with a bad id alone", `{"sessionUpdate":"tool_call_update","toolCallId":7}`},
		{"chunk without content", `{"sessionUpdate":"agent_message_chunk"}`},
		{"chunk with a number", `{"sessionUpdate":"agent_message_chunk","content":5}`},
		{"notice of nothing", `{"sessionUpdate":"notice","severity":"warning","title":" "}`},
		{"no object", `["sessionUpdate"]`},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, err := decodeOne(t, row.say)
			require.ErrorIs(t, err, acp.ErrIncomplete)
			assert.Equal(t, row.say, string(got.Raw))
		})
	}
}

// TestDecodeBounds: what is kept raw is cut, and nested nonsense is no trap.
func TestDecodeBounds(t *testing.T) {
	got, err := decodeOne(t, `{"sessionUpdate":"compaction_update","title":"`+strings.Repeat("x", 100<<10)+`"}`)
	require.NoError(t, err)
	assert.Len(t, got.Raw, 64<<10)

	nested := strings.Repeat(`{"options":[`, 2000) + strings.Repeat(`]}`, 2000)
	got, err = decodeOne(t, `{"sessionUpdate":"config_option_update","configOptions":[`+nested+`,{"id":"a"}]}`)
	require.NoError(t, err)
	assert.Equal(t, []agent.Option{{ID: "a"}}, got.Options)
}

// TestDecodeOwnsItsResult: nothing decoded changes when the reader goes on.
func TestDecodeOwnsItsResult(t *testing.T) {
	var in bytes.Buffer
	for i := range 50 {
		fmt.Fprintf(&in, `{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"t%02d","title":"title%02d","rawInput":{"n":"%02d"}}}}`+"\n", i, i, i)
		fmt.Fprintf(&in, `{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"odd%02d"}}}`+"\n", i)
	}
	h := &decodingHandler{}
	c := acp.New(&smallReads{&in, 64}, nopCloser{io.Discard}, h, acp.Options{})
	<-c.Done()
	require.NoError(t, c.Close())
	require.Len(t, h.got, 100)
	for i := range 50 {
		tool, odd := h.got[2*i].Tool, h.got[2*i+1]
		assert.Equal(t, fmt.Sprintf("t%02d title%02d {\"n\":\"%02d\"}", i, i, i), fmt.Sprintf("%s %s %s", tool.ID, tool.Title, tool.RawInput))
		assert.Equal(t, fmt.Sprintf(`{"sessionUpdate":"odd%02d"}`, i), string(odd.Raw))
	}
}

// smallReads hands out at most n bytes a read.
type smallReads struct {
	r io.Reader
	n int
}

func (s *smallReads) Read(p []byte) (int, error) { return s.r.Read(p[:min(len(p), s.n)]) }
