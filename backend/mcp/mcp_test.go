package mcp_test

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"turnwatch/backend/agent"
	"turnwatch/backend/mcp"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// where reads the socket and the token of an admission.
func where(t *testing.T, env []string) (socket, token string) {
	t.Helper()
	require.Len(t, env, 2)
	socket, ok := strings.CutPrefix(env[0], mcp.EnvSocket+"=")
	require.True(t, ok)
	token, ok = strings.CutPrefix(env[1], mcp.EnvToken+"=")
	require.True(t, ok)
	return socket, token
}

func post(t *testing.T, decide mcp.Decide) *mcp.Post {
	t.Helper()
	dir, err := os.MkdirTemp("", "tw")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	p, err := mcp.Open(dir, decide)
	require.NoError(t, err)
	t.Cleanup(func() { _ = p.Close() })
	return p
}

func TestACallReachesItsSession(t *testing.T) {
	var asked []agent.SessionID
	p := post(t, func(_ context.Context, s agent.SessionID) mcp.Reply {
		asked = append(asked, s)
		return mcp.Reply{Result: mcp.Blocked, Open: []string{"write tests"}}
	})
	one, two := p.Admit("s1"), p.Admit("s2")
	socket, token := where(t, one)
	info, err := os.Stat(socket)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	r, err := mcp.Ask(t.Context(), socket, token)
	require.NoError(t, err)
	assert.Equal(t, mcp.Reply{Result: mcp.Blocked, Open: []string{"write tests"}}, r)
	_, second := where(t, two)
	_, err = mcp.Ask(t.Context(), socket, second)
	require.NoError(t, err)
	assert.Equal(t, []agent.SessionID{"s1", "s2"}, asked)
}

func TestACallWithoutAnAdmissionIsNotTaken(t *testing.T) {
	p := post(t, func(context.Context, agent.SessionID) mcp.Reply {
		t.Error("nobody may be asked")
		return mcp.Reply{Result: mcp.Ack}
	})
	socket, old := where(t, p.Admit("s1"))
	_, gone := where(t, p.Admit("s2"))
	p.Admit("s1") // admitted anew
	p.Forget("s2")
	for name, token := range map[string]string{
		"none": "", "a guess": "AAAAAAAAAAAAAAAAAAAAAAAAAA", "an earlier one": old, "one taken back": gone,
		"a very long one": strings.Repeat("x", 100_000),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := mcp.Ask(t.Context(), socket, token)
			assert.Error(t, err)
		})
	}
	t.Run("garbage", func(t *testing.T) {
		c, err := net.Dial("unix", socket)
		require.NoError(t, err)
		defer c.Close()
		_, err = io.WriteString(c, "no json\n")
		require.NoError(t, err)
		all, err := io.ReadAll(c)
		require.NoError(t, err)
		assert.Empty(t, all)
	})
}

func TestCloseEndsTheCallsInHand(t *testing.T) {
	waits := make(chan struct{})
	p := post(t, func(ctx context.Context, _ agent.SessionID) mcp.Reply {
		close(waits)
		<-ctx.Done()
		return mcp.Reply{Result: mcp.Ack}
	})
	socket, token := where(t, p.Admit("s1"))
	heard := make(chan error, 1)
	go func() {
		_, err := mcp.Ask(context.Background(), socket, token)
		heard <- err
	}()
	<-waits
	require.NoError(t, p.Close())
	assert.Error(t, <-heard)
	_, err := mcp.Ask(t.Context(), socket, token)
	assert.Error(t, err, "nobody is there any more")
}

func TestAFolderWithALongPathHasItsSocketElsewhere(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	dir := filepath.Join(t.TempDir(), strings.Repeat("long", 30))
	p, err := mcp.Open(dir, func(context.Context, agent.SessionID) mcp.Reply { return mcp.Reply{Result: mcp.Ack} })
	require.NoError(t, err)
	defer p.Close()
	socket, token := where(t, p.Admit("s"))
	assert.LessOrEqual(t, len(socket), 107)
	r, err := mcp.Ask(t.Context(), socket, token)
	require.NoError(t, err)
	assert.Equal(t, mcp.Ack, r.Result)
}

// served calls the tool of a server as an agent does, and gives what it is told.
func served(t *testing.T, ask func(context.Context) (mcp.Reply, error)) *sdk.CallToolResult {
	t.Helper()
	agentIn, serverOut := io.Pipe()
	serverIn, agentOut := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- mcp.Serve(context.Background(), "1.0", serverIn, serverOut, ask) }()
	client := sdk.NewClient(&sdk.Implementation{Name: "agent", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: agentIn, Writer: agentOut}, nil)
	require.NoError(t, err)
	tools, err := session.ListTools(t.Context(), nil)
	require.NoError(t, err)
	require.Len(t, tools.Tools, 1)
	assert.Equal(t, "task_complete", tools.Tools[0].Name)
	got, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "task_complete", Arguments: map[string]any{}})
	require.NoError(t, err)
	require.NoError(t, session.Close())
	require.NoError(t, <-done)
	return got
}

func TestTheAgentIsToldWhatBecameOfItsCall(t *testing.T) {
	many := make([]string, 30)
	for i := range many {
		many[i] = "entry"
	}
	for _, tt := range []struct {
		name  string
		reply mcp.Reply
		err   error
		bad   bool
		says  string
	}{
		{"taken down", mcp.Reply{Result: mcp.Ack}, nil, false, "the task is complete"},
		{"open entries", mcp.Reply{Result: mcp.Blocked, Open: []string{"write tests", "run them"}}, nil, true, "- write tests\n- run them\n"},
		{"very many open entries", mcp.Reply{Result: mcp.Blocked, Open: many}, nil, true, "- entry\n- …"},
		{"said before", mcp.Reply{Result: mcp.RepeatWarning}, nil, false, "taken down before"},
		{"said too often", mcp.Reply{Result: mcp.Refused}, nil, true, "refused"},
		{"nobody there", mcp.Reply{}, errors.New("dial /secret/path"), true, "could not be reached"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := served(t, func(context.Context) (mcp.Reply, error) { return tt.reply, tt.err })
			text := got.Content[0].(*sdk.TextContent).Text
			assert.Equal(t, tt.bad, got.IsError)
			assert.Contains(t, text, tt.says)
			assert.NotContains(t, text, "secret", "errors are not for the agent")
		})
	}
}
