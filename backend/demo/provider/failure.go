package provider

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"
)

// limitLasts is how long a usage limit lasts from when it is asked.
const limitLasts = 5 * time.Hour

// workspace is the page that OpenCode's gateway names; the id is made up.
const workspace = "https://opencode.ai/workspace/wrk_TEST0001/go"

// failure is a dialect's own way to fail by a name. false: there is none.
func failure(d Dialect, name string, now time.Time) (answer, bool) {
	if name == "401" {
		name = "auth"
	}
	switch d {
	case Messages:
		if a, ok := messagesFailure(name, now); ok {
			return a, true
		}
	case Gemini:
		if a, ok := geminiFailure(name); ok {
			return a, true
		}
	case Responses:
		if a, ok := responsesFailure(name, now); ok {
			return a, true
		}
	}
	return chatFailure(name)
}

// plainAnswer is a failure that is the same whatever the dialect: OpenCode's own
// gateway, and pages that are no API at all.
func plainAnswer(d directive) (answer, bool) {
	balance := " To continue using this model now, enable usage from your available balance: " + workspace
	limits := map[string][2]string{
		"go5h":      {"5 hour", "5-hour usage limit reached. Resets in " + d.str("resets", "2hr 7min") + "."},
		"goweekly":  {"weekly", "Weekly usage limit reached. Resets in " + d.str("resets", "4 days") + "."},
		"gomonthly": {"monthly", "Monthly usage limit reached. Resets in " + d.str("resets", "12 days") + "."},
	}
	if l, ok := limits[d.name]; ok {
		return gateway(429, "GoUsageLimitError", l[1]+balance, map[string]any{"workspace": "wrk_TEST0001", "limitName": l[0]}), true
	}
	switch d.name {
	case "free":
		return gateway(429, "FreeUsageLimitError", "Rate limit exceeded. Please try again later.", map[string]any{}), true
	case "gorate":
		return gateway(429, "RateLimitError", "Rate limit exceeded. Please try again later.", map[string]any{}), true
	case "credits":
		return gateway(401, "CreditsError", "Insufficient balance. Manage your billing here: https://opencode.ai/workspace/wrk_TEST0001/billing", nil), true
	case "200err":
		a := gateway(200, "GoUsageLimitError", limits["go5h"][1]+balance, nil)
		a.contentType = "application/json"
		return a, true
	case "garbage":
		return answer{status: 200, contentType: "text/html", body: "<html><body>502 Bad Gateway</body></html>"}, true
	case "502html":
		return answer{status: 502, contentType: "text/html", body: "<html><body><h1>502 Bad Gateway</h1></body></html>"}, true
	case "529":
		return anthropic(529, "overloaded_error", "Overloaded"), true
	}
	return answer{}, false
}

// gateway is an error body of OpenCode's own gateway.
func gateway(status int, kind, message string, metadata map[string]any) answer {
	body := map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": message}}
	if metadata != nil {
		body["metadata"] = metadata
	}
	return answer{status: status, contentType: "text/plain;charset=UTF-8", body: encode(body)}
}

func chatFailure(name string) (answer, bool) {
	switch name {
	case "limit", "quota":
		return openAI(429, "You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.", "insufficient_quota", "insufficient_quota"), true
	case "rate":
		return openAI(429, "Rate limit reached for fake-model in organization org-fake on tokens per min (TPM): Limit 30000, Used 29000, Requested 4000. Please try again in 3s.", "tokens", "rate_limit_exceeded").saying("retry-after", "3"), true
	case "overloaded":
		return openAI(503, "Our servers are currently overloaded. Please try again later.", "service_unavailable_error", "server_is_overloaded"), true
	case "auth":
		return openAI(401, "Incorrect API key provided: sk-fake. You can find your API key at https://platform.openai.com/account/api-keys.", "invalid_request_error", "invalid_api_key"), true
	case "403":
		return openAI(403, "Forbidden", "forbidden", nil), true
	case "404":
		return openAI(404, "The model does not exist or you do not have access to it.", "invalid_request_error", "model_not_found"), true
	case "400":
		return openAI(400, "Bad request: unsupported parameter", "invalid_request_error", nil), true
	case "overflow":
		return openAI(400, "This model's maximum context length is 128000 tokens. However, your messages resulted in 213462 tokens. Please reduce the length of the messages.", "invalid_request_error", "context_length_exceeded"), true
	case "500":
		return openAI(500, "The server had an error while processing your request. Sorry about that!", "server_error", nil), true
	case "503":
		return openAI(503, "Service unavailable", "server_error", nil), true
	}
	return answer{}, false
}

func responsesFailure(name string, now time.Time) (answer, bool) {
	switch name {
	case "limit":
		left, until := int(limitLasts.Seconds()), now.Add(limitLasts).Unix()
		a := answer{status: 429, contentType: "application/json", body: encode(map[string]any{"error": map[string]any{
			"type": "usage_limit_reached", "message": "The usage limit has been reached", "plan_type": "plus",
			"resets_at": until, "resets_in_seconds": left, "eligible_promo": nil,
		}})}
		for k, v := range map[string]string{
			"active-limit": "premium", "plan-type": "plus",
			"primary-used-percent": "100", "primary-window-minutes": "300",
			"primary-reset-after-seconds": strconv.Itoa(left), "primary-reset-at": strconv.FormatInt(until, 10),
			"secondary-used-percent": "40", "secondary-window-minutes": "10080",
			"secondary-reset-after-seconds": "345600", "secondary-reset-at": strconv.FormatInt(now.Add(96*time.Hour).Unix(), 10),
		} {
			a = a.saying("x-codex-"+k, v)
		}
		return a, true
	case "overflow":
		return openAI(400, "Your input exceeds the context window of this model. Please adjust your input and try again.", "invalid_request_error", "context_length_exceeded"), true
	}
	return answer{}, false
}

// openAI is an error in OpenAI's shape.
func openAI(status int, message, kind string, code any) answer {
	return answer{status: status, contentType: "application/json", body: encode(openAIError(message, kind, code))}
}

func openAIError(message, kind string, code any) map[string]any {
	return map[string]any{"error": map[string]any{"message": message, "type": kind, "param": nil, "code": code}}
}

// saying adds a header.
func (a answer) saying(key, value string) answer {
	h := map[string]string{key: value}
	for k, v := range a.header {
		if _, ok := h[k]; !ok {
			h[k] = v
		}
	}
	a.header = h
	return a
}

// withRetry sets or takes away the headers that say when to try again.
func withRetry(a answer, d directive) answer {
	for key, name := range map[string]string{"retry_after": "retry-after", "retry_after_ms": "retry-after-ms"} {
		v, ok := d.kv[key]
		switch {
		case ok && v == "none":
			a = a.saying(name, "")
		case ok:
			a = a.saying(name, v)
		}
	}
	return a
}

// encode is JSON with sorted keys. What it is given is built here and encodes.
func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return `{"error":{"message":"fake provider: ` + http.StatusText(500) + `"}}`
	}
	return string(b)
}
