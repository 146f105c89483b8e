package failure

import (
	"encoding/json"
	"strings"

	"turnwatch/backend/agent"
	"turnwatch/backend/redact"
)

// OfRPC says what a JSON-RPC error proves. Only structured fields are looked at,
// then codes, then the method that failed; prose is left to later rules. There is
// always an answer: what no rule knows is UnknownProviderError. The message is
// the most telling text of the error, made fit to be kept.
func OfRPC(e RPC) agent.Failure {
	d := readData(e.Data)
	f := agent.Failure{
		Code: UnknownProviderError, Rule: "rpc.other", Hint: HintCheckMessage,
		Source: SourceACP, OccurredAt: e.At, Message: message(e.Message, d),
	}
	for _, r := range rpcRules {
		if r.matches(e, d) {
			f.Code, f.Rule, f.Hint = r.then, r.id, r.hint
			break
		}
	}
	return f
}

// rpcRule is one row of the table. An empty condition holds for every error; the
// first row whose conditions all hold wins.
type rpcRule struct {
	id     string
	agent  agent.Kind // only errors of this agent
	method string     // the method starts with this
	kind   string     // data's errorKind, or codexErrorInfo in either spelling
	code   int64
	then   agent.Code
	hint   string
}

func (r rpcRule) matches(e RPC, d rpcData) bool {
	return (r.agent == "" || r.agent == e.Agent) &&
		(r.kind == "" || r.kind == d.kind) &&
		(r.code == 0 || r.code == e.Code) &&
		(r.method == "" || strings.HasPrefix(e.Method, r.method))
}

// Rows go from typed fields over codes to methods. A claude "rate_limit" may be a
// short limit or a used-up window: only its text tells, so here it is the weaker
// of the two. Gemini's code 400 covers keys, sizes and shapes and proves nothing.
var rpcRules = []rpcRule{
	{id: "rpc.codex.usage", agent: agent.Codex, kind: "usagelimitexceeded", then: QuotaLimited, hint: HintCheckMessage},
	{id: "rpc.codex.overloaded", agent: agent.Codex, kind: "serveroverloaded", then: ProviderOverloaded, hint: HintCheckMessage},
	{id: "rpc.codex.context", agent: agent.Codex, kind: "contextwindowexceeded", then: ContextOverflow, hint: HintStartFresh},
	{id: "rpc.codex.unauthorized", agent: agent.Codex, kind: "unauthorized", then: AuthRequired, hint: HintLogIn},
	{id: "rpc.claude.auth", agent: agent.Claude, kind: "authenticationfailed", then: AuthRequired, hint: HintLogIn},
	{id: "rpc.claude.rate_limit", agent: agent.Claude, kind: "ratelimit", then: RateLimited, hint: HintCheckMessage},
	{id: "rpc.claude.invalid_request", agent: agent.Claude, kind: "invalidrequest", then: InvalidRequest, hint: HintStartFresh},
	{id: "rpc.claude.server_error", agent: agent.Claude, kind: "servererror", then: ProviderUnavailable, hint: HintCheckMessage},
	{id: "rpc.auth_required", code: -32000, then: AuthRequired, hint: HintLogIn},
	{id: "rpc.resource_missing.resume", code: -32002, method: "session/", then: SessionLost, hint: HintStartFresh},
	{id: "rpc.resume_refused", method: "session/resume", then: SessionLost, hint: HintStartFresh},
	{id: "rpc.load_refused", method: "session/load", then: SessionLost, hint: HintStartFresh},
	{id: "rpc.http.401", code: 401, then: AuthRequired, hint: HintLogIn},
	{id: "rpc.http.408", code: 408, then: ProviderTimeout, hint: HintCheckMessage},
	{id: "rpc.http.429", code: 429, then: RateLimited, hint: HintCheckMessage},
	{id: "rpc.http.500", code: 500, then: ProviderUnavailable, hint: HintCheckMessage},
	{id: "rpc.http.502", code: 502, then: ProviderUnavailable, hint: HintCheckMessage},
	{id: "rpc.http.503", code: 503, then: ProviderOverloaded, hint: HintCheckMessage},
	{id: "rpc.http.504", code: 504, then: ProviderTimeout, hint: HintCheckMessage},
	{id: "rpc.http.529", code: 529, then: ProviderOverloaded, hint: HintCheckMessage},
	{id: "rpc.invalid_params.prompt", code: -32602, method: "session/prompt", then: InvalidRequest, hint: HintCheckMessage},
}

// rpcData is what is read of an error's data: a typed kind, folded to lower-case
// letters so that usageLimitExceeded and usage_limit_exceeded are one, and texts.
type rpcData struct {
	kind  string
	texts []string
}

func readData(raw []byte) rpcData {
	var d rpcData
	if len(raw) == 0 || len(raw) > 1<<20 {
		return d
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		var s string
		if json.Unmarshal(raw, &s) == nil {
			d.texts = append(d.texts, s)
		}
		return d
	}
	for _, name := range []string{"errorKind", "codexErrorInfo", "codex_error_info"} {
		if k := kindOf(fields[name]); k != "" && d.kind == "" {
			d.kind = k
		}
	}
	for _, name := range []string{"message", "details", "detail"} {
		var s string
		if json.Unmarshal(fields[name], &s) == nil && s != "" {
			d.texts = append(d.texts, s)
		}
	}
	return d
}

// kindOf reads "usageLimitExceeded" and {"responseStreamDisconnected":{…}} alike.
func kindOf(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		var object map[string]json.RawMessage
		if json.Unmarshal(raw, &object) != nil || len(object) != 1 {
			return ""
		}
		for k := range object {
			s = k
		}
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return -1
	}, s)
}

// message picks the text that says most: the data's own where the message is
// only a frame around it.
func message(m string, d rpcData) string {
	m = strings.TrimSpace(m)
	for _, frame := range []string{"Internal error:", "Internal error"} {
		if rest, ok := strings.CutPrefix(m, frame); ok {
			m = strings.TrimSpace(rest)
		}
	}
	if m == "" && len(d.texts) > 0 {
		m = d.texts[0]
	}
	return redact.Text(inner(m))
}

// inner takes the message out of a provider's body that was passed on as text.
func inner(s string) string {
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
