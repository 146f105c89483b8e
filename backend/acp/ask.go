package acp

import (
	"fmt"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/go-json-experiment/json/jsontext"

	"turnwatch/backend/agent"
)

// ParseAsk reads the parameters of session/request_permission. The ask has no id
// yet: the owner names it. Options without an id are left out. It fails where
// the parameters are no object.
func ParseAsk(params jsontext.Value) (agent.ProviderSession, agent.Ask, error) {
	var w struct {
		Session opt[string]   `json:"sessionId"`
		Tool    opt[wireTool] `json:"toolCall"`
		Options list[struct {
			ID   opt[string] `json:"optionId"`
			Name opt[string] `json:"name"`
			Kind opt[string] `json:"kind"`
		}] `json:"options"`
	}
	if err := object(params, &w); err != nil {
		return "", agent.Ask{}, fmt.Errorf("read permission request: %w", err)
	}
	a := agent.Ask{Kind: agent.AskPermission, Tool: w.Tool.v.call(false)}
	for _, o := range w.Options {
		if o.ID.v != "" {
			a.Options = append(a.Options, agent.AskOption{ID: o.ID.v, Name: o.Name.v, Kind: o.Kind.v})
		}
	}
	return agent.ProviderSession(w.Session.v), a, nil
}

// AskAnswer is the result that answers session/request_permission: the chosen
// option, or cancelled where none was.
func AskAnswer(d agent.Decision) any {
	if d.Option == "" {
		return sdk.RequestPermissionResponse{Outcome: sdk.NewRequestPermissionOutcomeCancelled()}
	}
	return sdk.RequestPermissionResponse{
		Outcome: sdk.NewRequestPermissionOutcomeSelected(sdk.PermissionOptionId(d.Option)),
	}
}
