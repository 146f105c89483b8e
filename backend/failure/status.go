package failure

import (
	"slices"
	"strconv"
	"strings"

	"turnwatch/backend/agent"
)

// statusRow is what an HTTP status says by itself, and what the words beside it may
// make of it. A 401 may mean "model not supported" and a 429 a used-up quota.
type statusRow struct {
	then   agent.Code
	admits []agent.Code
}

// statusOf returns the row of a status; false where it is no failure.
func statusOf(n int) (statusRow, bool) {
	switch n {
	case 400, 422:
		return statusRow{InvalidRequest, append(refusals[:len(refusals):len(refusals)], ProviderNotConfigured, SessionLost, RateLimited)}, true
	case 401:
		return statusRow{AuthRequired, doors}, true
	case 402:
		return statusRow{QuotaLimited, []agent.Code{SubscriptionRequired}}, true
	case 403:
		return statusRow{AuthRequired, append(doors[:len(doors):len(doors)], RateLimited)}, true
	case 404:
		return statusRow{ModelUnavailable, []agent.Code{SessionLost, ProviderNotConfigured, ProviderUnavailable}}, true
	case 408:
		return statusRow{then: ProviderTimeout}, true
	case 413:
		return statusRow{ContextOverflow, []agent.Code{InvalidRequest, RateLimited}}, true
	case 429:
		return statusRow{RateLimited, limits}, true
	case 502:
		return statusRow{ProviderUnavailable, outages}, true
	case 503:
		return statusRow{ProviderOverloaded, outages}, true
	case 504, 522, 524:
		return statusRow{then: ProviderTimeout}, true
	case 529:
		return statusRow{then: ProviderOverloaded}, true
	}
	switch {
	case n >= 500 && n < 600:
		return statusRow{ProviderUnavailable, outages}, true
	case n >= 400 && n < 500:
		return statusRow{UnknownProviderError, Codes()}, true
	}
	return statusRow{}, false
}

// verdict is one rule's word about a piece of evidence.
type verdict struct {
	id     string
	then   agent.Code
	sure   Confidence
	admits []agent.Code
	window bool
}

func (v verdict) admit(c agent.Code) bool { return slices.Contains(v.admits, c) }

// ofStatus is the verdict of a status in a field of its own or, less sure, in the
// text.
func ofStatus(n int, sure Confidence) (verdict, bool) {
	row, ok := statusOf(n)
	if !ok {
		return verdict{}, false
	}
	return verdict{id: "http." + strconv.Itoa(n), then: row.then, sure: sure, admits: row.admits}, true
}

// ofRPC is the verdict of a JSON-RPC error code. -32000 means "authentication
// required" in ACP and "some error of the server" elsewhere, so words may say more.
func ofRPC(code int64, method string) (verdict, bool) {
	switch {
	case code == -32000:
		return verdict{id: "rpc.auth_required", then: AuthRequired, sure: High, admits: []agent.Code{
			ModelUnavailable, SubscriptionRequired, QuotaLimited, RateLimited, ProviderOverloaded, ModelCapacity,
			ProviderNotConfigured, NetworkUnavailable, ProviderTimeout, SessionLost, ContextOverflow, AgentCrashed,
		}}, true
	case code == -32002 && ofSession(method):
		return verdict{id: "rpc.resource_missing.resume", then: SessionLost, sure: High}, true
	case code == -32602 && method == "session/prompt":
		return verdict{id: "rpc.invalid_params.prompt", then: InvalidRequest, sure: High, admits: append(refusals[:len(refusals):len(refusals)], SessionLost)}, true
	case code >= 400 && code < 600:
		v, ok := ofStatus(int(code), High)
		v.id = "rpc." + v.id
		return v, ok
	}
	return verdict{}, false
}

// statusIn finds an HTTP status in a text: three digits from 400 on that the text
// calls a status, code or error, or starts with.
func statusIn(low []byte) int {
	for i := 0; i+3 <= len(low); i++ {
		if low[i]|1 != '5' || !digit(low[i+1]) || !digit(low[i+2]) {
			continue
		}
		if i+3 < len(low) && (alnum(low[i+3]) || low[i+3] == '.' && i+4 < len(low) && digit(low[i+4])) {
			i += 2
			continue
		}
		if calledStatus(low[:i], low[i+3:]) {
			return int(low[i]-'0')*100 + int(low[i+1]-'0')*10 + int(low[i+2]-'0')
		}
	}
	return 0
}

func digit(b byte) bool { return b >= '0' && b <= '9' }

// calledStatus reports whether what stands around a number makes it a status: a word
// before it or, where a text begins with it, one behind it.
func calledStatus(before, behind []byte) bool {
	n := len(before)
	for n > 0 && len(before)-n < 4 && slices.Contains([]byte(" :=\"'([-"), before[n-1]) {
		n--
	}
	if n == 0 || before[n-1] == 0 {
		return reason(behind)
	}
	if n == len(before) {
		return false
	}
	start := n
	for start > 0 && (alnum(before[start-1]) || before[start-1] == '_') {
		start--
	}
	switch word := string(before[start:n]); word {
	case "status", "statuscode", "http", "error", "errors", "code", "repeated", "api_error_status", "error_status",
		"status_code", "httpstatuscode", "http_status", "http_status_code", "capierror", "apierror", "failed":
		return word != "code" || !endsWith(before[:start], "exit ", "exited with ")
	}
	return endsWith(before[:n], "http/1.1", "http/2", "http/1.0")
}

// reason reports whether a text goes on as it does behind the status that it begins
// with: with a body, the name of the status, or not at all.
func reason(behind []byte) bool {
	rest := strings.TrimLeft(string(behind[:min(len(behind), 32)]), " :-")
	if rest == "" {
		return true
	}
	for _, s := range []string{
		"{", "<", "status code", "bad request", "unauthorized", "payment required", "forbidden", "not found", "request timeout",
		"too many requests", "internal server error", "bad gateway", "service unavailable", "gateway time", "overloaded", "4", "5",
	} {
		if strings.HasPrefix(rest, s) {
			return true
		}
	}
	return false
}

func endsWith(b []byte, tails ...string) bool {
	for _, t := range tails {
		if len(b) >= len(t) && string(b[len(b)-len(t):]) == t {
			return true
		}
	}
	return false
}
