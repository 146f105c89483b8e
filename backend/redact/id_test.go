package redact_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"turnwatch/backend/redact"
)

func TestID(t *testing.T) {
	for _, tc := range []struct {
		name, id string
		want     bool
	}{
		{"provider", "opencode-go", true},
		{"model", "claude-sonnet-4-5@20250929", true},
		{"model of a host", "accounts/fireworks/models/llama-v3p1-405b-instruct", true},
		{"scoped model", "@cf/meta/llama-3.1-8b", true},
		{"size", "llama3.1:8b", true},
		{"long name", "anthropic/claude-sonnet-4-5-20250929-thinking-high-latest", true},
		{"the longest", strings.Repeat("a", 128), true},
		{"too long", strings.Repeat("a", 129), false},
		{"nothing", "", false},
		{"blank", "a b", false},
		{"other letters", "gpt-\u0435", false},
		{"quote", `a"b`, false},
		{"address", "https://evil.example/x", false},
		{"address without scheme", "//evil.example/x", false},
		{"one slash", "http:/evil.example", false},
		{"path", "/home/anna/model.gguf", false},
		{"account", "wrk_01ABC", false},
		{"account inside", "zen/wrk_01ABC/main", false},
		{"account in capitals", "WRK_01ABC", false},
		{"mailbox", "anna@example.com", false},
		{"key", "sk-proj-abcdefgh", false},
		{"token", "ghp_0123456789abcdef", false},
	} {
		t.Run(tc.name, func(t *testing.T) { assert.Equal(t, tc.want, redact.ID(tc.id)) })
	}
}
