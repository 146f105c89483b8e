package diagnose_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTheOneLink(t *testing.T) {
	const good, other = "https://opencode.ai/workspace/wrk_A/go", "https://opencode.ai/workspace/wrk_B/go"
	for _, tc := range []struct{ name, line, want string }{
		{"inline", saying("enable usage: " + good), good},
		{"at the start", saying(good + " enable usage"), good},
		{"in quotes", saying(`enable usage at "` + good + `" now`), good},
		{"in single quotes", saying(`at '` + good + `'`), good},
		{"before a line end", saying("enable usage: " + good + "\nthanks"), good},
		{"twice the same", saying(good + " or " + good), good},
		{"two of them", saying(good + " or " + other), ""},
		{"one valid of two", saying(good + " or https://example.com/x"), good},
		{"a full stop behind is part of it", saying("see " + good + "."), ""},
		{"in brackets", saying("see (" + good + ")"), ""},
		{"inside another address", saying("see http://evil.example/?" + good), ""},
		{"behind a letter", saying("x" + good), ""},
		{"a field wins", saying("see "+good) + " action_url=" + other, other},
		{"a field alone", saying("Overloaded") + " action_url=" + other, other},
		{"a field inside the error", swap("error.error=", "error.error.message=") + " error.error.action_url=" + other, other},
		{"a field that is no link", saying("see "+good) + " action_url=https://evil.example/", good},
		{"a field alone that is none", saying("Overloaded") + " action_url=https://evil.example/", ""},
		{"none", saying("Overloaded"), ""},
		{"wrong host", saying("https://opencode.ai.evil.example/workspace/a/go"), ""},
		{"host in capitals", saying("https://OpenCode.ai/workspace/a/go"), ""},
		{"scheme in capitals", saying("HTTPS://opencode.ai/workspace/a/go"), ""},
		{"http", saying("http://opencode.ai/workspace/a/go"), ""},
		{"port", saying("https://opencode.ai:443/workspace/a/go"), ""},
		{"user", saying("https://a@opencode.ai/workspace/a/go"), ""},
		{"billing", saying("https://opencode.ai/workspace/wrk_A/billing"), ""},
		{"members", saying("https://opencode.ai/workspace/wrk_A/members"), ""},
		{"no id", saying("https://opencode.ai/workspace/go"), ""},
		{"query", saying(good + "?x=1"), ""},
		{"fragment", saying(good + "#x"), ""},
		{"way up", saying("https://opencode.ai/workspace/../go"), ""},
		{"way up before", saying("https://opencode.ai/x/../workspace/a/go"), ""},
		{"escape", saying("https://opencode.ai/workspace/%61/go"), ""},
		{"backslash", saying(`https://opencode.ai\workspace\a\go`), ""},
		{"control character", saying("https://opencode.ai/workspace/a\x7f/go"), ""},
		{"look-alike", saying("https://opencоde.ai/workspace/a/go"), ""},
		{"overlong id", saying("https://opencode.ai/workspace/" + strings.Repeat("a", 129) + "/go"), ""},
		{"made of escapes", strings.Replace(saying("see "+good), "wrk_A", `wrk\u005fA`, 1), ""},
		{"escaped slashes", strings.Replace(saying("see "+good), "/go", `\/go`, 1), ""},
		{"put together by a colour", saying("see https://opencode.ai/work\x1b[0mspace/wrk_A/go"), ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			assert.Equal(t, tc.want, read(t, tc.line).Diagnostic.RemediationURL)
		})
	}
}
