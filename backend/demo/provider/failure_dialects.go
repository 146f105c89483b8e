package provider

import (
	"strconv"
	"time"
)

// messagesFailure fails as Anthropic's API does.
func messagesFailure(name string, now time.Time) (answer, bool) {
	switch name {
	case "limit":
		return anthropicLimit(now), true
	case "quota":
		return anthropic(400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits."), true
	case "rate":
		return anthropic(429, "rate_limit_error", "Number of request tokens has exceeded your per-minute rate limit (https://docs.anthropic.com/en/api/rate-limits); see the response headers for current usage.").saying("retry-after", "3"), true
	case "overloaded", "503":
		return anthropic(529, "overloaded_error", "Overloaded").saying("x-should-retry", "true"), true
	case "auth":
		return anthropic(401, "authentication_error", "invalid x-api-key"), true
	case "403":
		return anthropic(403, "permission_error", "Your API key does not have permission to use the specified resource."), true
	case "404":
		return anthropic(404, "not_found_error", "model: fake-model"), true
	case "400":
		return anthropic(400, "invalid_request_error", "messages: at least one message is required"), true
	case "overflow":
		return anthropic(400, "invalid_request_error", "prompt is too long: 213462 tokens > 200000 maximum"), true
	case "500":
		return anthropic(500, "api_error", "Internal server error"), true
	}
	return answer{}, false
}

// anthropicLimit is the limit of a subscription: its reset stands in the headers.
func anthropicLimit(now time.Time) answer {
	a := anthropic(429, "rate_limit_error", "This request would exceed your account's rate limit. Please try again later.")
	reset := strconv.FormatInt(now.Add(limitLasts).Unix(), 10)
	a = a.saying("retry-after", strconv.Itoa(int(limitLasts.Seconds()))).saying("x-should-retry", "true")
	for k, v := range map[string]string{
		"status": "rejected", "reset": reset, "representative-claim": "five_hour",
		"5h-status": "rejected", "5h-reset": reset, "5h-utilization": "1.0",
		"7d-status": "allowed", "7d-reset": strconv.FormatInt(now.Add(96*time.Hour).Unix(), 10), "7d-utilization": "0.4",
		"fallback-percentage": "0.5", "overage-status": "rejected", "overage-disabled-reason": "org_level_disabled",
	} {
		a = a.saying("anthropic-ratelimit-unified-"+k, v)
	}
	return a
}

func anthropic(status int, kind, message string) answer {
	return answer{status: status, contentType: "application/json", body: encode(map[string]any{
		"type": "error", "error": map[string]any{"type": kind, "message": message}, "request_id": "req_fake0001",
	})}
}

// geminiFailure fails as Google's API does.
func geminiFailure(name string) (answer, bool) {
	const quota = "You exceeded your current quota, please check your plan and billing details."
	switch name {
	case "limit", "quota":
		return google(429, "RESOURCE_EXHAUSTED", quota+" For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.",
			quotaFailure("GenerateRequestsPerDayPerProjectPerModel-FreeTier", "50"),
			map[string]any{"@type": "type.googleapis.com/google.rpc.Help", "links": []any{map[string]any{"description": "Learn more about Gemini API quotas", "url": "https://ai.google.dev/gemini-api/docs/rate-limits"}}},
			retryInfo("43s")), true
	case "rate":
		return google(429, "RESOURCE_EXHAUSTED", quota+" Please retry in 3.1s.",
			quotaFailure("GenerateRequestsPerMinutePerProjectPerModel-FreeTier", "5"), retryInfo("3s")), true
	case "overloaded", "503":
		return google(503, "UNAVAILABLE", "The model is overloaded. Please try again later."), true
	case "auth":
		return google(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", map[string]any{
			"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com",
			"metadata": map[string]any{"service": "generativelanguage.googleapis.com"},
		}), true
	case "403":
		return google(403, "PERMISSION_DENIED", "The caller does not have permission"), true
	case "404":
		return google(404, "NOT_FOUND", "models/fake-model is not found for API version v1beta"), true
	case "400":
		return google(400, "INVALID_ARGUMENT", "Request contains an invalid argument."), true
	case "overflow":
		return google(400, "INVALID_ARGUMENT", "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."), true
	case "500":
		return google(500, "INTERNAL", "An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting"), true
	}
	return answer{}, false
}

func google(status int, word, message string, details ...any) answer {
	e := map[string]any{"code": status, "message": message, "status": word}
	if len(details) > 0 {
		e["details"] = details
	}
	return answer{status: status, contentType: "application/json", body: encode(map[string]any{"error": e})}
}

func quotaFailure(id, value string) map[string]any {
	return map[string]any{"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": []any{map[string]any{
		"quotaMetric": "generativelanguage.googleapis.com/generate_content_free_tier_requests",
		"quotaId":     id, "quotaValue": value,
		"quotaDimensions": map[string]any{"location": "global", "model": "gemini-2.5-pro"},
	}}}
}

func retryInfo(delay string) map[string]any {
	return map[string]any{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}
}
