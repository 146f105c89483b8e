package failure

import (
	"encoding/json"
	"strings"

	"turnwatch/backend/agent"
)

// OfRPC says what a JSON-RPC error proves. There is always an answer: what no rule
// knows is UnknownProviderError, and an error that says that the call was cancelled
// too. The message is the most telling text of the error, made fit to be kept.
func OfRPC(e RPC) agent.Failure {
	c := ClassifyRPC(e)
	if c.Code == "" {
		c = Classification{Code: UnknownProviderError, RuleID: "rpc.other"}
	}
	return c.Failure(SourceACP, message(e.Message, e.Data), e.At)
}

// ClassifyRPC is Classify of a JSON-RPC error.
func ClassifyRPC(e RPC) Classification {
	return Classify(Evidence{
		Agent: e.Agent, Channel: ChannelRPC, Method: e.Method, Text: e.Message,
		RPCCode: e.Code, Data: e.Data, OccurredAt: e.At,
	})
}

// textsOf reads the texts that an error's data may hold.
func textsOf(raw []byte) []string {
	if len(raw) == 0 || len(raw) > 1<<20 {
		return nil
	}
	var s string
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		if json.Unmarshal(raw, &s) != nil {
			return nil
		}
		return []string{s}
	}
	var texts []string
	for _, name := range []string{"message", "details", "detail"} {
		if json.Unmarshal(fields[name], &s) == nil && s != "" {
			texts = append(texts, s)
		}
	}
	return texts
}

// message picks the text that says most: the data's own where the message is
// only a frame around it.
func message(m string, data []byte) string {
	m = strings.TrimSpace(m)
	for _, frame := range []string{"Internal error:", "Internal error"} {
		if rest, ok := strings.CutPrefix(m, frame); ok {
			m = strings.TrimSpace(rest)
		}
	}
	if texts := textsOf(data); m == "" && len(texts) > 0 {
		m = texts[0]
	}
	return Spoken(m)
}

// Spoken takes the message out of a provider's body that was passed on as text. Any
// other text is returned as it is, raw as it came.
func Spoken(s string) string {
	if !strings.HasPrefix(s, "{") {
		return s
	}
	var body struct {
		Message string `json:"message"`
		Error   struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	if json.Unmarshal([]byte(s), &body) != nil {
		return s
	}
	if body.Error.Message != "" {
		return body.Error.Message
	}
	if body.Message != "" {
		return body.Message
	}
	return s
}
