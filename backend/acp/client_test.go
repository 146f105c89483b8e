package acp_test

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"testing"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/acp"
	"turnwatch/backend/agent"
)

// TestClient is what each typed call writes and what it makes of the answer.
func TestClient(t *testing.T) {
	type client = acp.Client
	for _, row := range []struct {
		name   string
		do     func(context.Context, client) (any, error)
		writes string // method and params
		answer string
		want   any
		err    string
	}{
		{"initialize", func(ctx context.Context, c client) (any, error) {
			i, err := c.Initialize(ctx, acp.Hello{InitializeRequest: sdk.InitializeRequest{ProtocolVersion: 1, ClientInfo: &sdk.Implementation{Name: "turnwatch", Version: "1"}}})
			i.Raw = nil
			return i, err
		}, `"initialize","params":{"clientCapabilities":{"auth":{},"fs":{}},"clientInfo":{"name":"turnwatch","version":"1"},"protocolVersion":1}`,
			`{"protocolVersion":1,"agentInfo":{"name":"a","version":7},"agentCapabilities":{"loadSession":true,"sessionCapabilities":{"resume":{},"close":null,"list":false},"promptCapabilities":{"image":1}},"authMethods":[{"id":"x"},{"name":"no id"},5]}`,
			acp.Initialized{Protocol: 1, Name: "a", Can: acp.Capabilities{Load: true, Resume: true, Image: true}, Auth: []acp.AuthMethod{{ID: "x", Type: "agent"}}}, ""},
		{"initialize, asking for notices", func(ctx context.Context, c client) (any, error) {
			_, err := c.Initialize(ctx, acp.Hello{Notices: true, InitializeRequest: sdk.InitializeRequest{
				ProtocolVersion: 1, ClientCapabilities: sdk.ClientCapabilities{Fs: sdk.FileSystemCapabilities{ReadTextFile: true}},
			}})
			return nil, err
		}, `"initialize","params":{"clientCapabilities":{"auth":{},"fs":{"readTextFile":true},"session":{"notices":{}}},"protocolVersion":1}`,
			`{}`, nil, ""},
		{"initialize with nonsense", func(ctx context.Context, c client) (any, error) {
			_, err := c.Initialize(ctx, acp.Hello{InitializeRequest: sdk.InitializeRequest{}})
			return nil, err
		}, `"initialize","params":{"clientCapabilities":{"auth":{},"fs":{}},"protocolVersion":0}`,
			`"canary"`, nil, "read answer to initialize: not of the expected shape"},
		{"authenticate", func(ctx context.Context, c client) (any, error) { return nil, c.Authenticate(ctx, "login") },
			`"authenticate","params":{"methodId":"login"}`, `null`, nil, ""},
		{"new session", func(ctx context.Context, c client) (any, error) {
			s, err := c.NewSession(ctx, sdk.NewSessionRequest{Cwd: "/p"})
			return []any{s.ID, s.Choices.Options(), s.Choices.Boolean("b"), s.Choices.Boolean("m")}, err
		}, `"session/new","params":{"cwd":"/p","mcpServers":[]}`,
			`{"sessionId":"s","modes":{"currentModeId":"plan","availableModes":[{"id":"plan","name":"Plan"},{"name":"x"}]},"models":{"currentModelId":"m1","availableModels":[{"modelId":"m1","name":"M"}]},"configOptions":[{"id":"m","category":"mode","currentValue":"plan"},{"id":"b","type":"boolean","currentValue":false}]}`,
			[]any{agent.ProviderSession("s"), []agent.Option{
				{ID: "m", Category: "mode", Current: "plan"},
				{ID: "b", Current: "false", Choices: []agent.Choice{{Value: "true"}, {Value: "false"}}},
				{ID: "model", Category: "model", Current: "m1", Choices: []agent.Choice{{Value: "m1", Name: "M"}}},
			}, true, false}, ""},
		{"new session without options", func(ctx context.Context, c client) (any, error) {
			s, err := c.NewSession(ctx, sdk.NewSessionRequest{Cwd: "/p"})
			return s.Choices.Options(), err
		}, `"session/new","params":{"cwd":"/p","mcpServers":[]}`, `{"sessionId":"s","modes":null,"models":{},"configOptions":null}`, []agent.Option(nil), ""},
		{"new session without an id", func(ctx context.Context, c client) (any, error) {
			_, err := c.NewSession(ctx, sdk.NewSessionRequest{Cwd: "/p"})
			return nil, err
		}, `"session/new","params":{"cwd":"/p","mcpServers":[]}`, `{"sessionId":5}`, nil, "call session/new: the answer names no session"},
		{"load", func(ctx context.Context, c client) (any, error) {
			s, err := c.LoadSession(ctx, sdk.LoadSessionRequest{Cwd: "/p", SessionId: "s"})
			return s.ID, err
		}, `"session/load","params":{"cwd":"/p","mcpServers":[],"sessionId":"s"}`, `null`, agent.ProviderSession(""), ""},
		{"resume", func(ctx context.Context, c client) (any, error) {
			s, err := c.ResumeSession(ctx, sdk.ResumeSessionRequest{Cwd: "/p", SessionId: "s"})
			return s.ID, err
		}, `"session/resume","params":{"cwd":"/p","sessionId":"s"}`, `{}`, agent.ProviderSession(""), ""},
		{"close", func(ctx context.Context, c client) (any, error) { return nil, c.CloseSession(ctx, "s") },
			`"session/close","params":{"sessionId":"s"}`, `{}`, nil, ""},
		{"set mode", func(ctx context.Context, c client) (any, error) { return nil, c.SetMode(ctx, "s", "plan") },
			`"session/set_mode","params":{"modeId":"plan","sessionId":"s"}`, `{}`, nil, ""},
		{"set model", func(ctx context.Context, c client) (any, error) { return nil, c.SetModel(ctx, "s", "m") },
			`"session/set_model","params":{"modelId":"m","sessionId":"s"}`, `{}`, nil, ""},
		{"set option", func(ctx context.Context, c client) (any, error) {
			got, err := c.SetConfigOption(ctx, "s", "effort", "high", false)
			return got.Options(), err
		}, `"session/set_config_option","params":{"configId":"effort","sessionId":"s","value":"high"}`,
			`{"configOptions":[{"id":"effort","currentValue":"high"}]}`, []agent.Option{{ID: "effort", Current: "high"}}, ""},
		{"set boolean option", func(ctx context.Context, c client) (any, error) {
			got, err := c.SetConfigOption(ctx, "s", "fast", "true", true)
			return got.Options(), err
		}, `"session/set_config_option","params":{"configId":"fast","sessionId":"s","type":"boolean","value":true}`, `null`, []agent.Option(nil), ""},
		{"prompt", func(ctx context.Context, c client) (any, error) {
			raw, err := c.Prompt(ctx, "s", []agent.Block{
				agent.TextBlock("a\xff"), {Kind: agent.BlockImage, Mime: "image/png", Data: "AA=="}, {Kind: agent.BlockAudio, Mime: "audio/wav", Data: "AA=="},
				{Kind: agent.BlockLink, Name: "n", URI: "file:///n"}, {Kind: agent.BlockResource, URI: "file:///r", Text: "t", Mime: "text/plain"},
				{Kind: agent.BlockResource, URI: "file:///b", Data: "AA=="}, {Kind: "video", Text: "v"},
			}).Wait(ctx)
			if err != nil {
				return nil, err
			}
			p, err := acp.ParsePrompt(raw)
			p.Raw = nil
			return p, err
		}, `"session/prompt","params":{"prompt":[{"text":"a�","type":"text"},{"data":"AA==","mimeType":"image/png","type":"image"},{"data":"AA==","mimeType":"audio/wav","type":"audio"},{"name":"n","type":"resource_link","uri":"file:///n"},{"resource":{"mimeType":"text/plain","text":"t","uri":"file:///r"},"type":"resource"},{"resource":{"blob":"AA==","uri":"file:///b"},"type":"resource"},{"text":"v","type":"text"}],"sessionId":"s"}`,
			`{"stopReason":"paused","usage":{"inputTokens":"5","outputTokens":2.5},"_meta":{"a":1}}`,
			acp.Prompted{Stop: "paused", Usage: &agent.Usage{Input: 5}, Meta: jsontext.Value(`{"a":1}`)}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := newPeer(t, acp.Options{})
			type outcome struct {
				got any
				err error
			}
			outcomes, ctx := make(chan outcome, 1), within(t)
			go func() {
				got, err := row.do(ctx, acp.Client{Conn: p.conn})
				outcomes <- outcome{got, err}
			}()
			assert.JSONEq(t, `{"jsonrpc":"2.0","id":1,"method":`+row.writes+`}`, p.hear())
			p.say(`{"jsonrpc":"2.0","id":1,"result":` + row.answer + `}`)
			o := receive(t, outcomes)
			if row.err != "" {
				require.EqualError(t, o.err, row.err)
				return
			}
			require.NoError(t, o.err)
			assert.Equal(t, row.want, o.got)
		})
	}
	t.Run("cancel", func(t *testing.T) {
		p := newPeer(t, acp.Options{})
		ctx, errs := within(t), make(chan error, 1)
		go func() { errs <- (acp.Client{Conn: p.conn}).Cancel(ctx, "s") }()
		assert.JSONEq(t, `{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}`, p.hear())
		require.NoError(t, receive(t, errs))
	})
}

// TestParseAsk is what becomes of a permission request.
func TestParseAsk(t *testing.T) {
	for _, row := range []struct {
		name, say string
		want      agent.Ask
		err       bool
	}{
		{"edit", `{"sessionId":"s","toolCall":{"toolCallId":"t","title":"Edit a","kind":"edit","status":"pending","content":[{"type":"diff","path":"a","oldText":"1","newText":"2"}]},"options":[{"optionId":"once","name":"Once","kind":"allow_once"},{"name":"no id"},7]}`,
			agent.Ask{Kind: agent.AskPermission,
				Tool:    agent.ToolCall{ID: "t", Title: "Edit a", Kind: "edit", Status: agent.ToolPending, Content: []agent.ToolContent{{Diff: &agent.Diff{Path: "a", Old: text("1"), New: "2"}}}},
				Options: []agent.AskOption{{ID: "once", Name: "Once", Kind: "allow_once"}}}, false},
		{"next to nothing", `{"sessionId":"s","toolCall":null}`, agent.Ask{Kind: agent.AskPermission}, false},
		{"no object", `[]`, agent.Ask{}, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			session, got, err := acp.ParseAsk(jsontext.Value(row.say))
			if row.err {
				require.Error(t, err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, agent.ProviderSession("s"), session)
			assert.Equal(t, row.want, got)
		})
	}
	t.Run("absent", func(t *testing.T) {
		_, _, err := acp.ParseAsk(nil)
		require.Error(t, err)
	})
}

// TestAskAnswer is how a decision looks to the agent.
func TestAskAnswer(t *testing.T) {
	for _, row := range []struct {
		name   string
		answer agent.Decision
		want   string
	}{
		{"chosen", agent.Decision{Option: "once", By: agent.ByUser}, `{"outcome":{"outcome":"selected","optionId":"once"}}`},
		{"cancelled", agent.Decision{By: agent.ByCancel}, `{"outcome":{"outcome":"cancelled"}}`},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := newPeer(t, acp.Options{})
			p.say(`{"id":0,"method":"session/request_permission","params":{}}`)
			require.NoError(t, p.request().Respond(acp.AskAnswer(row.answer)))
			assert.JSONEq(t, `{"jsonrpc":"2.0","id":0,"result":`+row.want+`}`, p.hear())
		})
	}
}

// TestAuthMethods reads the login methods of the agents that name them in their
// own ways.
func TestAuthMethods(t *testing.T) {
	for _, row := range []struct {
		name, say string
		want      []acp.AuthMethod
	}{
		{"type", `{"authMethods":[{"id":"a","name":"A","description":"d","type":"env_var"}]}`, []acp.AuthMethod{{ID: "a", Name: "A", Description: "d", Type: "env_var"}}},
		{"type in _meta", `{"authMethods":[{"id":"a","_meta":{"type":"terminal","args":[]}}]}`, []acp.AuthMethod{{ID: "a", Type: "terminal"}}},
		{"terminal-auth in _meta", `{"authMethods":[{"id":"a","_meta":{"terminal-auth":{"command":"x"}}}]}`, []acp.AuthMethod{{ID: "a", Type: "terminal"}}},
		{"none", `{"authMethods":[]}`, nil},
		{"another shape", `{"authMethods":"x"}`, nil},
		{"no object", `5`, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			assert.Equal(t, row.want, acp.ParseAuthMethods(jsontext.Value(row.say)))
		})
	}
	assert.Nil(t, acp.ParseAuthMethods(nil))
}

// TestAgainstSDK speaks with the SDK's own agent side: a peer that this package
// did not write.
func TestAgainstSDK(t *testing.T) {
	ourR, theirW := io.Pipe()
	theirR, ourW := io.Pipe()
	h := &askingHandler{}
	c := acp.Client{Conn: acp.New(ourR, ourW, h, acp.Options{})}
	a := &sdkAgent{}
	a.conn = sdk.NewAgentSideConnection(a, theirW, theirR)
	a.conn.SetLogger(slog.New(slog.DiscardHandler))
	ctx := within(t)

	i, err := c.Initialize(ctx, acp.Hello{InitializeRequest: sdk.InitializeRequest{ProtocolVersion: sdk.ProtocolVersionNumber}})
	require.NoError(t, err)
	assert.Equal(t, 1, i.Protocol)
	assert.True(t, i.Can.Load)
	s, err := c.NewSession(ctx, sdk.NewSessionRequest{Cwd: "/p", McpServers: []sdk.McpServer{{Stdio: &sdk.McpServerStdio{Name: "m", Command: "c", Args: []string{}, Env: []sdk.EnvVariable{}}}}})
	require.NoError(t, err)
	raw, err := c.Prompt(ctx, s.ID, []agent.Block{agent.TextBlock("hello")}).Wait(ctx)
	require.NoError(t, err)
	p, err := acp.ParsePrompt(raw)
	require.NoError(t, err)
	assert.Equal(t, agent.EndTurn, p.Stop)
	assert.Equal(t, []string{"you said hello", "allowed yes"}, h.texts)

	err = c.SetMode(ctx, s.ID, "none")
	var fault *acp.Error
	require.ErrorAs(t, err, &fault)
	n, _ := fault.Int()
	assert.Equal(t, int64(acp.CodeInvalidParams), n)

	require.NoError(t, c.Close())
	<-a.conn.Done()
	require.NoError(t, theirW.Close())
	<-c.Done()
}

// askingHandler chooses the first option of every permission request.
type askingHandler struct {
	decodingHandler
	texts []string
}

func (h *askingHandler) Update(u acp.Update) { h.texts = append(h.texts, u.Text) }
func (h *askingHandler) Request(r *acp.Request) {
	_, ask, err := acp.ParseAsk(r.Params)
	if err != nil || len(ask.Options) == 0 {
		_ = r.Refuse()
		return
	}
	_ = r.Respond(acp.AskAnswer(agent.Decision{Option: ask.Options[0].ID}))
}

// sdkAgent is an agent built on the SDK. Methods that the test does not use panic.
type sdkAgent struct {
	sdk.Agent
	conn *sdk.AgentSideConnection
}

func (a *sdkAgent) Initialize(context.Context, sdk.InitializeRequest) (sdk.InitializeResponse, error) {
	return sdk.InitializeResponse{ProtocolVersion: 1, AgentCapabilities: sdk.AgentCapabilities{LoadSession: true}, AuthMethods: []sdk.AuthMethod{}}, nil
}

func (a *sdkAgent) NewSession(_ context.Context, r sdk.NewSessionRequest) (sdk.NewSessionResponse, error) {
	return sdk.NewSessionResponse{SessionId: sdk.SessionId(strings.Repeat(r.McpServers[0].Stdio.Name, 3))}, nil
}

func (a *sdkAgent) SetSessionMode(context.Context, sdk.SetSessionModeRequest) (sdk.SetSessionModeResponse, error) {
	return sdk.SetSessionModeResponse{}, sdk.NewInvalidParams(nil)
}

func (a *sdkAgent) Prompt(ctx context.Context, r sdk.PromptRequest) (sdk.PromptResponse, error) {
	say := func(text string) error {
		return a.conn.SessionUpdate(ctx, sdk.SessionNotification{SessionId: r.SessionId, Update: sdk.UpdateAgentMessageText(text)})
	}
	if err := say("you said " + r.Prompt[0].Text.Text); err != nil {
		return sdk.PromptResponse{}, err
	}
	title := "may I"
	answer, err := a.conn.RequestPermission(ctx, sdk.RequestPermissionRequest{
		SessionId: r.SessionId, ToolCall: sdk.ToolCallUpdate{ToolCallId: "t", Title: &title},
		Options: []sdk.PermissionOption{{OptionId: "yes", Name: "Yes", Kind: sdk.PermissionOptionKindAllowOnce}},
	})
	if err != nil {
		return sdk.PromptResponse{}, err
	}
	if err := say("allowed " + string(answer.Outcome.Selected.OptionId)); err != nil {
		return sdk.PromptResponse{}, err
	}
	return sdk.PromptResponse{StopReason: sdk.StopReasonEndTurn}, nil
}
