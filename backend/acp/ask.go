package acp

import (
	"github.com/go-json-experiment/json/jsontext"

	"turnwatch/backend/agent"
)

// ParseAsk reads the parameters of session/request_permission. The ask has no id
// yet: the owner names it. Options without an id are left out. It fails where
// the parameters are no object.
func ParseAsk(params jsontext.Value) (agent.ProviderSession, agent.Ask, error) {
	return "", agent.Ask{}, nil
}

// AskAnswer is the result that answers session/request_permission: the chosen
// option, or cancelled where none was.
func AskAnswer(d agent.Decision) any { return nil }
