package acp

import (
	"encoding/json"

	sdk "github.com/coder/acp-go-sdk"
)

// Hello is an initialize request. Beside what the SDK's types hold it has the
// capabilities that are younger than they are.
type Hello struct {
	sdk.InitializeRequest
	// Notices says that notice updates (a draft of ACP) are understood. An agent
	// that knows them sends its own warnings so, and no longer as text of the model.
	Notices bool
}

// MarshalJSON writes the request with its younger capabilities in their place.
func (h Hello) MarshalJSON() ([]byte, error) {
	type known sdk.ClientCapabilities // without its MarshalJSON, which would write for both
	type session struct {
		Notices struct{} `json:"notices"`
	}
	var can struct {
		known
		Session *session `json:"session,omitempty"`
	}
	can.known = known(h.ClientCapabilities)
	if h.Notices {
		can.Session = &session{}
	}
	return json.Marshal(struct {
		Meta            map[string]any      `json:"_meta,omitempty"`
		Capabilities    any                 `json:"clientCapabilities"`
		Info            *sdk.Implementation `json:"clientInfo,omitempty"`
		ProtocolVersion sdk.ProtocolVersion `json:"protocolVersion"`
	}{h.Meta, can, h.ClientInfo, h.ProtocolVersion})
}
