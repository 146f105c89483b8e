package mcp

import (
	"context"
	"errors"
	"io"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Tool is the name of the one tool.
const Tool = "task_complete"

const (
	title       = "Task complete"
	description = "Call this once, when everything the user asked for is done and checked. " +
		"Do not call it while entries of your plan or todo list are open, or while you wait for the user."
	longestLine = 1 << 20
	mostOpen    = 20 // entries of a plan that a reply names
)

// input is empty: that the call was made says everything.
type input struct{}

// Serve speaks MCP over in and out until in ends or ctx does. ask carries a call
// to the program that supervises the session.
func Serve(ctx context.Context, version string, in io.ReadCloser, out io.WriteCloser, ask func(context.Context) (Reply, error)) error {
	server := sdk.NewServer(&sdk.Implementation{Name: "turnwatch", Title: "Turnwatch", Version: version}, nil)
	sdk.AddTool(server, &sdk.Tool{Name: Tool, Title: title, Description: description},
		func(ctx context.Context, _ *sdk.CallToolRequest, _ input) (*sdk.CallToolResult, any, error) {
			return answer(ask(ctx)), nil, nil
		})
	err := server.Run(ctx, &sdk.IOTransport{Reader: in, Writer: out, MaxLineLength: longestLine})
	if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// answer puts a reply in words for the agent.
func answer(r Reply, err error) *sdk.CallToolResult {
	text, bad := "", false
	switch {
	case err != nil:
		text, bad = "Turnwatch could not be reached, so nothing was taken down. End your turn; the user sees your last message.", true
	case r.Result == Ack:
		text = "Taken down: the task is complete. Nothing further will be sent. End your turn."
	case r.Result == Blocked:
		text, bad = "Not taken down: entries of your plan are still open."+open(r.Open)+"\nFinish them, or mark those as cancelled that are no longer needed. Then call this tool again.", true
	case r.Result == RepeatWarning:
		text = "This was taken down before, and nothing was done since. Do not call this tool again; end your turn."
	default:
		text, bad = "This was said too often with nothing done in between. The call is refused; end your turn.", true
	}
	return &sdk.CallToolResult{IsError: bad, Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

func open(entries []string) string {
	var b strings.Builder
	for _, e := range entries[:min(len(entries), mostOpen)] {
		b.WriteString("\n- " + e)
	}
	if len(entries) > mostOpen {
		b.WriteString("\n- …")
	}
	return b.String()
}
