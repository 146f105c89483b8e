package redact_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"turnwatch/backend/redact"
)

func TestRemediation(t *testing.T) {
	const good = "https://opencode.ai/workspace/wrk_01AbC-9/go"
	tests := []struct {
		name string
		link string
		want bool
	}{
		{"a workspace", good, true},
		{"the shortest id", "https://opencode.ai/workspace/a/go", true},
		{"the longest id", "https://opencode.ai/workspace/" + strings.Repeat("a", 128) + "/go", true},
		{"an id that is too long", "https://opencode.ai/workspace/" + strings.Repeat("a", 129) + "/go", false},
		{"no id", "https://opencode.ai/workspace//go", false},
		{"nothing", "", false},
		{"http", "http://opencode.ai/workspace/a/go", false},
		{"upper case", "HTTPS://opencode.ai/workspace/a/go", false},
		{"another host", "https://opencode.ai.evil.example/workspace/a/go", false},
		{"a user before the host", "https://opencode.ai@evil.example/workspace/a/go", false},
		{"a port", "https://opencode.ai:443/workspace/a/go", false},
		{"a sub-domain", "https://www.opencode.ai/workspace/a/go", false},
		{"another path", "https://opencode.ai/workspace/a/billing", false},
		{"a path in the id", "https://opencode.ai/workspace/a/b/go", false},
		{"a way up", "https://opencode.ai/workspace/../go", false},
		{"an escape", "https://opencode.ai/workspace/%61/go", false},
		{"a query", good + "?x=1", false},
		{"a fragment", good + "#x", false},
		{"a slash behind", good + "/", false},
		{"a line end behind", good + "\n", false},
		{"a line end in it", "https://opencode.ai/workspace/a\n/go", false},
		{"a blank before", " " + good, false},
		{"a NUL behind", good + "\x00", false},
		{"a script", "javascript:alert(1)//" + good, false},
		{"letters that look alike", "https://opencode.ai/workspace/аbc/go", false},
		{"text before", "see " + good, false},
		{"two of them", good + good, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { assert.Equal(t, tt.want, redact.Remediation(tt.link)) })
	}
}

func FuzzRemediation(f *testing.F) {
	f.Add("https://opencode.ai/workspace/wrk_1/go")
	f.Add("https://opencode.ai/workspace/a/go\n")
	rule := regexp.MustCompile(`\Ahttps://opencode\.ai/workspace/[A-Za-z0-9_-]{1,128}/go\z`)
	f.Fuzz(func(t *testing.T, s string) {
		assert.Equal(t, rule.MatchString(s), redact.Remediation(s), "%q", s)
	})
}
