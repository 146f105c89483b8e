package acp

import (
	"github.com/go-json-experiment/json/jsontext"

	"turnwatch/backend/agent"
)

// Initialized is the answer to initialize.
type Initialized struct {
	Protocol int // 0 where the agent names none
	Name     string
	Title    string
	Version  string
	Can      Capabilities
	Auth     []AuthMethod
	Raw      jsontext.Value
}

// Capabilities is what an agent offers.
type Capabilities struct {
	Load   bool // session/load
	Resume bool // session/resume
	Close  bool // session/close
	List   bool // session/list
	Image  bool // image blocks in prompts
	Audio  bool // audio blocks in prompts
	Embed  bool // embedded resources in prompts
}

// AuthMethod is one way to log in that an agent names. Type is "agent" where the
// agent does it itself, "terminal", "env_var" or the agent's own word.
type AuthMethod struct {
	ID          string
	Name        string
	Description string
	Type        string
}

// Session is the answer to session/new, load or resume. The ID is empty where
// the agent did not name one (load and resume need not).
type Session struct {
	ID      agent.ProviderSession
	Choices Choices
	Raw     jsontext.Value
}

// Choices are the options of a session by the method that changes them: Config by
// session/set_config_option, Modes by session/set_mode, Models by the legacy
// session/set_model. Modes and Models are nil where the agent has none.
type Choices struct {
	Config []agent.Option
	Modes  *agent.Option // id and category "mode"
	Models *agent.Option // id and category "model"
}

// Options returns one list: the config options, then modes and models unless a
// config option of that category stands for them already.
func (c Choices) Options() []agent.Option { return nil }

// Prompted is the answer to session/prompt.
type Prompted struct {
	Stop  agent.StopReason // as it came, known or not; "" where absent
	Usage *agent.Usage     // nil where the agent sent none
	Meta  jsontext.Value   // the _meta object; nil where absent
	Raw   jsontext.Value
}

// ParseInitialized reads an answer to initialize. It fails only where the answer
// is no object.
func ParseInitialized(raw jsontext.Value) (Initialized, error) { return Initialized{}, nil }

// ParseSession reads an answer to session/new, load or resume. null is an answer
// without anything.
func ParseSession(raw jsontext.Value) (Session, error) { return Session{}, nil }

// ParsePrompt reads an answer to session/prompt.
func ParsePrompt(raw jsontext.Value) (Prompted, error) { return Prompted{}, nil }

// ParseAuthMethods reads the login methods out of an object that has authMethods:
// an answer to initialize, or the data of an auth_required error.
func ParseAuthMethods(raw jsontext.Value) []AuthMethod { return nil }
