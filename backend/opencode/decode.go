package opencode

import (
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"turnwatch/backend/agent"
)

// Bounds of what is taken out of an event.
const (
	longestName = 256
	longestText = 64 << 10 // of a message or body of a provider
)

// envelope is the outside of an event: /global/event puts a payload into it,
// /event?directory= gives the payload alone.
type envelope struct {
	Type       string         `json:"type"`
	Properties jsontext.Value `json:"properties"`
	Payload    *struct {
		Type       string         `json:"type"`
		Properties jsontext.Value `json:"properties"`
	} `json:"payload"`
}

// Decode makes an event of the data of one. False: it is of no interest, a copy
// ("sync"), or not what it says it is.
func Decode(data string) (Event, bool) {
	var e envelope
	if lenient([]byte(data), &e) != nil {
		return nil, false
	}
	if e.Payload != nil {
		e.Type, e.Properties = e.Payload.Type, e.Payload.Properties
	}
	switch e.Type {
	case "server.connected":
		return Connected{}, true
	case "session.status":
		return statusEvent(e.Properties)
	case "session.idle":
		return idleEvent(e.Properties)
	case "session.error":
		return errorEvent(e.Properties)
	case "session.created", "session.updated":
		return childEvent(e.Properties)
	case "message.updated":
		return messageEvent(e.Properties)
	case "message.part.updated":
		return partEvent(e.Properties)
	case "message.part.delta":
		return deltaEvent(e.Properties)
	}
	return nil, false
}

// lenient decodes JSON of which one field more or less is no matter.
func lenient(b []byte, v any) error {
	return json.Unmarshal(b, v, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

func statusEvent(raw []byte) (Event, bool) {
	var p struct {
		Session string     `json:"sessionID"`
		Status  wireStatus `json:"status"`
	}
	if lenient(raw, &p) != nil || !named(p.Session) {
		return nil, false
	}
	s, ok := p.Status.status()
	return StatusChanged{Session: agent.ProviderSession(p.Session), Status: s}, ok
}

func idleEvent(raw []byte) (Event, bool) {
	var p struct {
		Session string `json:"sessionID"`
	}
	if lenient(raw, &p) != nil || !named(p.Session) {
		return nil, false
	}
	return StatusChanged{Session: agent.ProviderSession(p.Session), Status: Status{Doing: Idle}}, true
}

func errorEvent(raw []byte) (Event, bool) {
	var p struct {
		Session string `json:"sessionID"`
		Error   struct {
			Name string `json:"name"`
			Data struct {
				Message string  `json:"message"`
				Status  float64 `json:"statusCode"`
				Body    string  `json:"responseBody"`
			} `json:"data"`
		} `json:"error"`
	}
	if lenient(raw, &p) != nil || !named(p.Session) || p.Error.Name == "" {
		return nil, false
	}
	d := p.Error.Data
	e := Error{Name: clip(p.Error.Name, longestName), Message: clip(d.Message, longestText), Body: clip(d.Body, longestText)}
	if d.Status >= 100 && d.Status < 600 {
		e.HTTP = int(d.Status)
	}
	return SessionFailed{Session: agent.ProviderSession(p.Session), Error: e}, true
}

// childEvent is of interest only where the session has a parent.
func childEvent(raw []byte) (Event, bool) {
	var p struct {
		Info struct {
			ID     string `json:"id"`
			Parent string `json:"parentID"`
		} `json:"info"`
	}
	if lenient(raw, &p) != nil || !named(p.Info.ID) || !named(p.Info.Parent) || p.Info.ID == p.Info.Parent {
		return nil, false
	}
	return ChildMade{Session: agent.ProviderSession(p.Info.ID), Parent: agent.ProviderSession(p.Info.Parent)}, true
}

func messageEvent(raw []byte) (Event, bool) {
	var p struct {
		Info struct {
			ID       string `json:"id"`
			Role     string `json:"role"`
			Session  string `json:"sessionID"`
			Provider string `json:"providerID"`
			Model    string `json:"modelID"`
		} `json:"info"`
	}
	if lenient(raw, &p) != nil || !named(p.Info.Session) || !named(p.Info.ID) {
		return nil, false
	}
	return MessageSeen{
		Session: agent.ProviderSession(p.Info.Session), ID: p.Info.ID, Role: clip(p.Info.Role, 32),
		Provider: clip(p.Info.Provider, longestName), Model: clip(p.Info.Model, longestName),
	}, true
}

func partEvent(raw []byte) (Event, bool) {
	var p struct {
		Part struct {
			Session string `json:"sessionID"`
			Message string `json:"messageID"`
			Type    string `json:"type"`
			Text    string `json:"text"`
		} `json:"part"`
	}
	if lenient(raw, &p) != nil || !named(p.Part.Session) || !named(p.Part.Message) {
		return nil, false
	}
	empty := true
	switch p.Part.Type {
	case "text", "reasoning":
		empty = strings.TrimSpace(p.Part.Text) == ""
	case "tool", "patch", "file", "subtask", "agent":
		empty = false
	}
	return PartSeen{
		Session: agent.ProviderSession(p.Part.Session), Message: p.Part.Message,
		Kind: clip(p.Part.Type, 32), Empty: empty,
	}, true
}

// deltaEvent is a piece of a part that is being written.
func deltaEvent(raw []byte) (Event, bool) {
	var p struct {
		Session string `json:"sessionID"`
		Message string `json:"messageID"`
		Delta   string `json:"delta"`
	}
	if lenient(raw, &p) != nil || !named(p.Session) || !named(p.Message) {
		return nil, false
	}
	return PartSeen{
		Session: agent.ProviderSession(p.Session), Message: p.Message,
		Kind: "delta", Empty: strings.TrimSpace(p.Delta) == "",
	}, true
}

// wireStatus is a status as the server writes it.
type wireStatus struct {
	Type    string  `json:"type"`
	Attempt float64 `json:"attempt"`
	Message string  `json:"message"`
	Next    float64 `json:"next"` // milliseconds since 1970
	Action  struct {
		Reason string `json:"reason"`
	} `json:"action"`
}

// farthest is the last instant that a next try may have: the year 9999.
const farthest = 253402300799000

func (w wireStatus) status() (Status, bool) {
	switch d := Doing(w.Type); d {
	case Idle, Busy:
		return Status{Doing: d}, true
	case Retry:
	default:
		return Status{}, false
	}
	s := Status{Doing: Retry, Message: clip(w.Message, longestText), Reason: clip(w.Action.Reason, longestName)}
	if w.Attempt >= 1 && w.Attempt < 1e6 {
		s.Attempt = int(w.Attempt)
	}
	if w.Next >= 1 && w.Next < farthest {
		s.Next = time.UnixMilli(int64(w.Next)).UTC()
	}
	return s, true
}

// named reports whether a text can be the name of something.
func named(id string) bool { return id != "" && len(id) <= longestName }

// clip cuts a text on a character boundary.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "")
}
