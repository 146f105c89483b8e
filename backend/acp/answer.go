package acp

import (
	"cmp"
	"fmt"

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

// Prompted is the answer to session/prompt.
type Prompted struct {
	Stop  agent.StopReason // as it came, known or not; "" where absent
	Usage *agent.Usage     // nil where the agent sent none
	Meta  jsontext.Value   // the _meta object; nil where absent
	Raw   jsontext.Value
}

// ParseInitialized reads an answer to initialize. It fails only where the answer
// is no object.
func ParseInitialized(raw jsontext.Value) (Initialized, error) {
	var w struct {
		Protocol num `json:"protocolVersion"`
		Info     opt[struct {
			Name    opt[string] `json:"name"`
			Title   opt[string] `json:"title"`
			Version opt[string] `json:"version"`
		}] `json:"agentInfo"`
		Can opt[struct {
			Load   there `json:"loadSession"`
			Prompt opt[struct {
				Image there `json:"image"`
				Audio there `json:"audio"`
				Embed there `json:"embeddedContext"`
			}] `json:"promptCapabilities"`
			Session opt[struct {
				Close  there `json:"close"`
				List   there `json:"list"`
				Resume there `json:"resume"`
			}] `json:"sessionCapabilities"`
		}] `json:"agentCapabilities"`
	}
	if err := object(raw, &w); err != nil {
		return Initialized{Raw: raw}, fmt.Errorf("read answer to initialize: %w", err)
	}
	can, info := w.Can.v, w.Info.v
	return Initialized{
		Protocol: int(w.Protocol.whole()),
		Name:     info.Name.v, Title: info.Title.v, Version: info.Version.v,
		Can: Capabilities{
			Load:   bool(can.Load),
			Resume: bool(can.Session.v.Resume), Close: bool(can.Session.v.Close), List: bool(can.Session.v.List),
			Image: bool(can.Prompt.v.Image), Audio: bool(can.Prompt.v.Audio), Embed: bool(can.Prompt.v.Embed),
		},
		Auth: ParseAuthMethods(raw),
		Raw:  raw,
	}, nil
}

// ParseSession reads an answer to session/new, load or resume. null is an answer
// without anything.
func ParseSession(raw jsontext.Value) (Session, error) {
	var w struct {
		wireChoices
		ID opt[string] `json:"sessionId"`
	}
	if raw.Kind() == 'n' {
		return Session{Raw: raw}, nil
	}
	if err := object(raw, &w); err != nil {
		return Session{Raw: raw}, fmt.Errorf("read answer with a session: %w", err)
	}
	return Session{ID: agent.ProviderSession(w.ID.v), Choices: w.choices(), Raw: raw}, nil
}

// ParsePrompt reads an answer to session/prompt. It fails only where the answer
// is no object.
func ParsePrompt(raw jsontext.Value) (Prompted, error) {
	var w struct {
		Stop  opt[string] `json:"stopReason"`
		Usage opt[*struct {
			Input  num `json:"inputTokens"`
			Output num `json:"outputTokens"`
		}] `json:"usage"`
		Meta jsontext.Value `json:"_meta"`
	}
	if err := object(raw, &w); err != nil {
		return Prompted{Raw: raw}, fmt.Errorf("read answer to session/prompt: %w", err)
	}
	p := Prompted{Stop: agent.StopReason(w.Stop.v), Meta: present(w.Meta), Raw: raw}
	if u := w.Usage.v; u != nil {
		p.Usage = &agent.Usage{Input: u.Input.whole(), Output: u.Output.whole()}
	}
	return p, nil
}

// ParseAuthMethods reads the login methods out of an object that has authMethods:
// an answer to initialize, or the data of an auth_required error. Methods without
// an id are left out.
func ParseAuthMethods(raw jsontext.Value) []AuthMethod {
	var w struct {
		All list[struct {
			ID          opt[string] `json:"id"`
			Name        opt[string] `json:"name"`
			Description opt[string] `json:"description"`
			Type        opt[string] `json:"type"`
			Meta        opt[struct {
				Type     opt[string] `json:"type"`
				Terminal there       `json:"terminal-auth"`
			}] `json:"_meta"`
		}] `json:"authMethods"`
	}
	if object(raw, &w) != nil {
		return nil
	}
	var all []AuthMethod
	for _, m := range w.All {
		if m.ID.v == "" {
			continue
		}
		kind := cmp.Or(m.Type.v, m.Meta.v.Type.v)
		if kind == "" && bool(m.Meta.v.Terminal) {
			kind = "terminal"
		}
		all = append(all, AuthMethod{
			ID: m.ID.v, Name: m.Name.v, Description: m.Description.v, Type: cmp.Or(kind, "agent"),
		})
	}
	return all
}
