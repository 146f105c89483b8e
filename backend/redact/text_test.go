package redact_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"turnwatch/backend/redact"
)

func TestTextKeepsWhatASentenceSays(t *testing.T) {
	for _, tc := range []struct{ name, raw, want string }{
		{"plain", "Selected model is at capacity. Please try a different model.", "Selected model is at capacity. Please try a different model."},
		{"white space", "  a\t b\r\n\nc ", "a b c"},
		{"reset time", "You've hit your 5-hour limit · resets 10:16pm (UTC)", "You've hit your 5-hour limit · resets 10:16pm (UTC)"},
		{"fraction", "Reconnecting... 1/5, error 429/503, and/or more", "Reconnecting... 1/5, error 429/503, and/or more"},
		{"model", "Model openai/gpt-5.1 is not supported", "Model openai/gpt-5.1 is not supported"},
		{"address inside", "Upgrade (https://example.com/pro?x=1) or try again at 10:10 PM.", "Upgrade or try again at 10:10 PM."},
		{"address at the end", "Usage limit reached. Resets in 2hr. To continue using this model now, enable usage from your balance: https://opencode.ai/workspace/wrk_01/go", "Usage limit reached. Resets in 2hr"},
		{"posix path", "open /home/anna/work/main.go: no such file", "open: no such file"},
		{"nothing left", "https://example.com/a", ""},
		{"words like keys", "skipped the npm script, hfs and pkg ok; task-runner", "skipped the npm script, hfs and pkg ok; task-runner"},
		{"accents", "größer als 5 µs — naïve", "größer als 5 µs — naïve"},
		{"colour", "\x1b[31mred\x1b[0m \x1b]8;;http://x\x07link\x1b]8;;\x07", "red link"},
	} {
		t.Run(tc.name, func(t *testing.T) { assert.Equal(t, tc.want, redact.Text(tc.raw)) })
	}
}

func TestTextTakesSecretsOut(t *testing.T) {
	for _, tc := range []struct{ name, raw, secret string }{
		{"openai key", "Incorrect API key provided: sk-proj-CANARY12. You can", "CANARY"},
		{"short key", "key sk-CANARY", "CANARY"},
		{"bearer", "sent Bearer CANARY.abc-def", "CANARY"},
		{"header", `"Authorization": "Basic Q0FOQVJZ"`, "Q0FOQVJZ"},
		{"json", `{"api_key":"CANARY","n":1}`, "CANARY"},
		{"env", "OPENCODE_SERVER_PASSWORD=CANARY", "CANARY"},
		{"env other", "MY_THING=CANARY x", "CANARY"},
		{"password", "password: CANARY!x", "CANARY"},
		{"cookie", "Set-Cookie: a=b; sid=CANARY; path=x", "CANARY"},
		{"jwt", "token eyJhbGciOi.eyJzdWIiOi.CANARYsig", "CANARY"},
		{"pem", "-----BEGIN RSA PRIVATE KEY-----\nCANARY\nMII\n-----END RSA PRIVATE KEY-----", "CANARY"},
		{"half pem", "-----BEGIN PRIVATE KEY-----\nCANARY", "CANARY"},
		{"github", "ghp_CANARY0123456789", "CANARY"},
		{"google", "AIzaSyCANARY0123456789", "CANARY"},
		{"aws", "AKIACANARY0123456789", "CANARY"},
		{"mail", "ask CANARY.user+x@example.com now", "CANARY"},
		{"url", "see hTTps://CANARY.example/x", "CANARY"},
		{"url with password", "postgres://me:CANARY@db/x", "CANARY"},
		{"file url", "file:///home/CANARY/x", "CANARY"},
		{"posix path", "in /home/CANARY/x.go:12:3", "CANARY"},
		{"quoted path with blank", `read "/Users/Jo CANARY/x y"`, "CANARY"},
		{"home", "in ~/CANARY/x and ~CANARY/y", "CANARY"},
		{"windows path", `C:\Users\Jo CANARY\x.txt failed`, "CANARY"},
		{"unc", `\\CANARY\share\x`, "CANARY"},
		{"workspace", "workspace wrk_CANARY01", "CANARY"},
		{"session", "ses_CANARY0001 lost", "CANARY"},
		{"organisation", "org-CANARY123 of", "CANARY"},
		{"uuid", "id 12345678-1234-1234-1234-0123456789ab", "12345678"},
		{"hidden in colour", "sk\x1b[1m-CANARY12345", "CANARY"},
		{"hidden by a joiner", "s\u200dk-CANARY12345", "CANARY"},
		{"beyond the bound", strings.Repeat("word ", 8000) + "sk-CANARY12345", "CANARY"},
		{"across the bound", strings.Repeat("x ", 8190) + "sk-CANARY12345" + strings.Repeat("CANARY", 20), "CANARY"},
	} {
		t.Run(tc.name, func(t *testing.T) { assert.NotContains(t, redact.Text(tc.raw), tc.secret) })
	}
}

func TestTextIsAlwaysFitToKeep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "raw")
		requireFit(t, raw)
	})
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"", "a", "\x1b[", "C:\\a", "sk-", "https://", "-----BEGIN A-----", "é\u202e", strings.Repeat("ab: ", 2000)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) { requireFit(t, raw) })
}

func requireFit(t interface{ Fatalf(string, ...any) }, raw string) {
	got := redact.Text(raw)
	if len(got) > redact.Limit || !utf8.ValidString(got) {
		t.Fatalf("%q: %d bytes, valid %v", raw, len(got), utf8.ValidString(got))
	}
	for _, r := range got {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			t.Fatalf("%q keeps %U", raw, r)
		}
	}
	if again := redact.Text(got); again != got {
		t.Fatalf("%q became %q, and that %q", raw, got, again)
	}
}

func TestLineIsCutBetweenCharacters(t *testing.T) {
	assert.Equal(t, "aé", redact.Line("aéé", 4))
	assert.Equal(t, "", redact.Line("éé", 1))
}

func TestNameKeepsEveryWord(t *testing.T) {
	for _, tc := range []struct{ name, raw, want string }{
		{"model", "anthropic/claude-sonnet-4-5-20250929-thinking", "anthropic/claude-sonnet-4-5-20250929-thinking"},
		{"address", "https://example.com/modes#agent", "https://example.com/modes#agent"},
		{"escape", "a\x1b[31mb\u202e\x07\nc", "ab c"},
		{"long", strings.Repeat("é", 100), strings.Repeat("é", 40)},
	} {
		t.Run(tc.name, func(t *testing.T) { assert.Equal(t, tc.want, redact.Name(tc.raw, 80)) })
	}
}
