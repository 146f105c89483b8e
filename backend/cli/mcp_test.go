//go:build unix

package cli_test

import (
	"context"
	"os"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/mcp"
)

// A client starts tw mcp as an agent does, and the call arrives where the session
// is supervised.
func TestTheToolOfAnAgentReachesTurnwatch(t *testing.T) {
	dir, err := os.MkdirTemp("", "tw")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	var asked agent.SessionID
	post, err := mcp.Open(dir, func(_ context.Context, s agent.SessionID) mcp.Reply {
		asked = s
		return mcp.Reply{Result: mcp.Blocked, Open: []string{"run the tests"}}
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, post.Close()) })

	cmd := tw(t, "mcp")
	cmd.Env = append(cmd.Environ(), post.Admit("s1")...)
	client := sdk.NewClient(&sdk.Implementation{Name: "agent", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	require.NoError(t, err)
	got, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: mcp.Tool})
	require.NoError(t, err)
	require.NoError(t, session.Close(), "it ends with its input, status 0")
	assert.True(t, got.IsError)
	assert.Contains(t, got.Content[0].(*sdk.TextContent).Text, "- run the tests")
	assert.Equal(t, agent.SessionID("s1"), asked)
}
