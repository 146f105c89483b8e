package demo

import (
	"context"
	"os/exec"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// toolServer is a server of tools that the client offers with a session.
type toolServer struct {
	Name    string   `json:"name"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
	Env     []struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	} `json:"env"`
}

// completeTool is what the scenario calls.
const completeTool = "task_complete"

// stopServer is how long a server of tools may take to go.
const stopServer = time.Second

// playCompletes says by the client's tool that the task is complete: too early, and
// then again.
func playCompletes(t *turn) error {
	if err := t.plan(2); err != nil {
		return err
	}
	if err := t.say("Two of the four steps are behind me, which may be enough. "); err != nil {
		return err
	}
	offered, err := t.sayComplete()
	if err != nil {
		return err
	}
	t.next()
	if !offered {
		return t.say("The client has given me no tool to say that the task is complete.\n")
	}
	if err := t.plan(len(planSteps())); err != nil {
		return err
	}
	if err := t.say("Now the plan is done to its end. "); err != nil {
		return err
	}
	if _, err := t.sayComplete(); err != nil {
		return err
	}
	t.next()
	return t.say("The rule for whole centuries stands in `calendar/leap.go`, and its tests pass.\n")
}

// sayComplete calls the tool and shows what it said. False: there is none.
func (t *turn) sayComplete() (bool, error) {
	if len(t.s.tools) == 0 {
		return false, nil
	}
	s := t.s.tools[0]
	if err := t.wait(300 * time.Millisecond); err != nil {
		return false, err
	}
	id, err := t.start(toolFields{Title: s.Name + "_" + completeTool, Kind: "other", Status: "in_progress"})
	if err != nil {
		return false, err
	}
	status, said := "completed", ""
	if said, err = s.call(t.ctx, completeTool); err != nil {
		status, said = "failed", "The tool could not be called."
	}
	if t.ctx.Err() != nil {
		return false, t.ctx.Err()
	}
	return err == nil, t.change(id, toolFields{Status: status, Tool: shown(said)})
}

// call starts the server, calls a tool that takes nothing, and ends the server.
func (s toolServer) call(ctx context.Context, tool string) (string, error) {
	cmd := exec.CommandContext(ctx, s.Command, s.Args...)
	cmd.Env = cmd.Environ()
	for _, v := range s.Env {
		cmd.Env = append(cmd.Env, v.Name+"="+v.Value)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "demo-agent", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: cmd, TerminateDuration: stopServer}, nil)
	if err != nil {
		return "", err
	}
	defer func() { _ = session.Close() }()
	got, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: map[string]any{}})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, c := range got.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			b.WriteString(text.Text)
		}
	}
	return b.String(), nil
}
