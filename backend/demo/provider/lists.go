package provider

import (
	"io"
	"net/http"
	"strings"
)

// serveList answers what asks for no answer of a model: lists of models and
// counts of tokens. Anything else is 404, or 200 for a HEAD, by which some
// agents look whether the provider is there.
func (p *Provider) serveList(w http.ResponseWriter, r *http.Request, a ask) {
	switch {
	case r.Method == http.MethodHead:
		w.WriteHeader(http.StatusOK)
	case strings.Contains(a.path, "count_tokens"):
		writeJSON(w, http.StatusOK, map[string]any{"input_tokens": 10})
	case strings.Contains(a.path, ":countTokens"):
		writeJSON(w, http.StatusOK, map[string]any{"totalTokens": 10})
	case r.Method == http.MethodGet && strings.Contains(a.path, "/models"):
		writeJSON(w, http.StatusOK, models(strings.Contains(a.path, "/v1beta")))
	default:
		writeJSON(w, http.StatusNotFound, openAIError("fake provider: there is nothing at this path", "invalid_request_error", "not_found"))
	}
}

// models is a list that OpenAI's and Anthropic's clients both understand, or one
// of Gemini.
func models(gemini bool) map[string]any {
	names := []string{"fake-model", "fake-small"}
	data, google := []any{}, []any{}
	for _, n := range names {
		data = append(data, map[string]any{
			"id": n, "object": "model", "type": "model", "display_name": n,
			"created": 1, "created_at": "2026-01-01T00:00:00Z", "owned_by": "fake",
		})
		google = append(google, map[string]any{
			"name": "models/" + n, "displayName": n, "inputTokenLimit": 1048576, "outputTokenLimit": 65536,
			"supportedGenerationMethods": []any{"generateContent", "countTokens"},
		})
	}
	if gemini {
		return map[string]any{"models": google}
	}
	return map[string]any{
		"object": "list", "data": data, "models": []any{}, "has_more": false,
		"first_id": names[0], "last_id": names[len(names)-1],
	}
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("content-type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, encode(v))
}
