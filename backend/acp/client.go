package acp

import (
	"context"
	"fmt"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/go-json-experiment/json/jsontext"

	"turnwatch/backend/agent"
)

// Client is a connection seen from the client's side: one method for each thing
// that Turnwatch asks of an agent. Requests are the SDK's types; answers are read
// with tolerance and keep their raw form. Each method blocks for the answer or
// until ctx ends; errors are those of Conn.Call, or of an answer that lacks what
// it must have.
type Client struct{ *Conn }

// Initialize opens the protocol. An agent of another protocol version is no
// error here: look at Initialized.Protocol.
func (c Client) Initialize(ctx context.Context, h Hello) (Initialized, error) {
	var raw jsontext.Value
	if err := c.Call(ctx, sdk.AgentMethodInitialize, h, &raw); err != nil {
		return Initialized{}, err
	}
	return ParseInitialized(raw)
}

// Authenticate logs in by one of the agent's methods.
func (c Client) Authenticate(ctx context.Context, method string) error {
	return c.Call(ctx, sdk.AgentMethodAuthenticate, sdk.AuthenticateRequest{MethodId: method}, nil)
}

// NewSession makes a session. The answer has an id, or it is ErrNoSession.
func (c Client) NewSession(ctx context.Context, req sdk.NewSessionRequest) (Session, error) {
	s, err := c.session(ctx, sdk.AgentMethodSessionNew, req)
	if err == nil && s.ID == "" {
		err = fmt.Errorf("call %s: %w", sdk.AgentMethodSessionNew, ErrNoSession)
	}
	return s, err
}

// LoadSession takes up an earlier session; the agent repeats its history as
// updates before it answers.
func (c Client) LoadSession(ctx context.Context, req sdk.LoadSessionRequest) (Session, error) {
	return c.session(ctx, sdk.AgentMethodSessionLoad, req)
}

// ResumeSession takes up an earlier session without its history.
func (c Client) ResumeSession(ctx context.Context, req sdk.ResumeSessionRequest) (Session, error) {
	return c.session(ctx, sdk.AgentMethodSessionResume, req)
}

func (c Client) session(ctx context.Context, method string, req any) (Session, error) {
	var raw jsontext.Value
	if err := c.Call(ctx, method, req, &raw); err != nil {
		return Session{}, err
	}
	return ParseSession(raw)
}

// CloseSession tells the agent to let go of a session.
func (c Client) CloseSession(ctx context.Context, id agent.ProviderSession) error {
	return c.Call(ctx, sdk.AgentMethodSessionClose, sdk.CloseSessionRequest{SessionId: sdk.SessionId(id)}, nil)
}

// Prompt sends a prompt. Read the answer with ParsePrompt. The Pending outlives
// a cancel: it tells when the agent has returned after all.
func (c Client) Prompt(ctx context.Context, id agent.ProviderSession, blocks []agent.Block) *Pending {
	return c.Go(ctx, sdk.AgentMethodSessionPrompt, sdk.PromptRequest{
		SessionId: sdk.SessionId(id), Prompt: promptBlocks(blocks),
	})
}

// Cancel sends the session/cancel notification. It returns when the line was
// written or ctx ended.
func (c Client) Cancel(ctx context.Context, id agent.ProviderSession) error {
	return c.Notify(ctx, sdk.AgentMethodSessionCancel, sdk.CancelNotification{SessionId: sdk.SessionId(id)})
}

// SetMode changes the mode by session/set_mode.
func (c Client) SetMode(ctx context.Context, id agent.ProviderSession, mode string) error {
	return c.Call(ctx, sdk.AgentMethodSessionSetMode, sdk.SetSessionModeRequest{
		SessionId: sdk.SessionId(id), ModeId: sdk.SessionModeId(mode),
	}, nil)
}

// SetModel changes the model by the legacy session/set_model.
func (c Client) SetModel(ctx context.Context, id agent.ProviderSession, model string) error {
	return c.Call(ctx, sdk.AgentMethodSessionSetModel, sdk.UnstableSetSessionModelRequest{
		SessionId: sdk.SessionId(id), ModelId: sdk.UnstableModelId(model),
	}, nil)
}

// SetConfigOption changes a config option. boolean says that value is "true" or
// "false" of a boolean option (Choices.Boolean). The answer holds the new config
// options, none where the agent sends none.
func (c Client) SetConfigOption(ctx context.Context, id agent.ProviderSession, option, value string, boolean bool) (Choices, error) {
	req := sdk.SetSessionConfigOptionRequest{ValueId: &sdk.SetSessionConfigOptionValueId{
		SessionId: sdk.SessionId(id), ConfigId: sdk.SessionConfigId(option), Value: sdk.SessionConfigValueId(value),
	}}
	if boolean {
		req = sdk.SetSessionConfigOptionRequest{Boolean: &sdk.SetSessionConfigOptionBoolean{
			SessionId: sdk.SessionId(id), ConfigId: sdk.SessionConfigId(option), Value: value == "true", Type: "boolean",
		}}
	}
	s, err := c.session(ctx, sdk.AgentMethodSessionSetConfigOption, req)
	return s.Choices, err
}

// promptBlocks writes blocks in the SDK's types. A kind that ACP does not have is
// sent as its text.
func promptBlocks(blocks []agent.Block) []sdk.ContentBlock {
	out := make([]sdk.ContentBlock, 0, len(blocks))
	for _, b := range blocks {
		switch b.Kind {
		case agent.BlockImage:
			out = append(out, sdk.ImageBlock(b.Data, b.Mime))
		case agent.BlockAudio:
			out = append(out, sdk.AudioBlock(b.Data, b.Mime))
		case agent.BlockLink:
			out = append(out, sdk.ResourceLinkBlock(b.Name, b.URI))
		case agent.BlockResource:
			out = append(out, resourceBlock(b))
		default:
			out = append(out, sdk.TextBlock(b.Text))
		}
	}
	return out
}

func resourceBlock(b agent.Block) sdk.ContentBlock {
	var mime *string
	if b.Mime != "" {
		mime = &b.Mime
	}
	if b.Data != "" {
		return sdk.ResourceBlock(sdk.EmbeddedResourceResource{BlobResourceContents: &sdk.BlobResourceContents{
			Blob: b.Data, MimeType: mime, Uri: b.URI,
		}})
	}
	return sdk.ResourceBlock(sdk.EmbeddedResourceResource{TextResourceContents: &sdk.TextResourceContents{
		Text: b.Text, MimeType: mime, Uri: b.URI,
	}})
}
