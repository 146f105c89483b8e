package acp

import (
	"context"

	sdk "github.com/coder/acp-go-sdk"

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
func (c Client) Initialize(ctx context.Context, req sdk.InitializeRequest) (Initialized, error) {
	return Initialized{}, nil
}

// Authenticate logs in by one of the agent's methods.
func (c Client) Authenticate(ctx context.Context, method string) error { return nil }

// NewSession makes a session. The answer has an id, or it is an error.
func (c Client) NewSession(ctx context.Context, req sdk.NewSessionRequest) (Session, error) {
	return Session{}, nil
}

// LoadSession takes up an earlier session; the agent repeats its history as
// updates before it answers.
func (c Client) LoadSession(ctx context.Context, req sdk.LoadSessionRequest) (Session, error) {
	return Session{}, nil
}

// ResumeSession takes up an earlier session without its history.
func (c Client) ResumeSession(ctx context.Context, req sdk.ResumeSessionRequest) (Session, error) {
	return Session{}, nil
}

// CloseSession tells the agent to let go of a session.
func (c Client) CloseSession(ctx context.Context, id agent.ProviderSession) error { return nil }

// Prompt sends a prompt. Read the answer with ParsePrompt. The Pending outlives
// a cancel: it tells when the agent has returned after all.
func (c Client) Prompt(ctx context.Context, id agent.ProviderSession, blocks []agent.Block) *Pending {
	return nil
}

// Cancel sends the session/cancel notification. It returns when the line was
// written or ctx ended.
func (c Client) Cancel(ctx context.Context, id agent.ProviderSession) error { return nil }

// SetMode changes the mode by session/set_mode.
func (c Client) SetMode(ctx context.Context, id agent.ProviderSession, mode string) error { return nil }

// SetModel changes the model by the legacy session/set_model.
func (c Client) SetModel(ctx context.Context, id agent.ProviderSession, model string) error {
	return nil
}

// SetConfigOption changes a config option. boolean says that value is "true" or
// "false" of a boolean option. The answer is the new list of config options, nil
// where the agent sends none.
func (c Client) SetConfigOption(ctx context.Context, id agent.ProviderSession, option, value string, boolean bool) ([]agent.Option, error) {
	return nil, nil
}
