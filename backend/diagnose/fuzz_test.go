package diagnose_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"turnwatch/backend/diagnose"
	"turnwatch/backend/redact"
)

func FuzzRead(f *testing.F) {
	for _, line := range []string{
		limit, saying("x"), swap("small=false", "small=true"), swap("main", `"m\u0061\ud83d\ude00in"`),
		limit + ` action_url="https://opencode.ai/workspace/a/go"`, "\x1b[31m" + limit, "a=", `a="`, `a="\u`, "=", "",
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		got, why := diagnose.Read(line, open)
		if why != "" {
			require.Zero(t, got)
			return
		}
		d := got.Diagnostic
		require.True(t, diagnose.Prefilter(line) || strings.Contains(string(line), "\x1b") || strings.Contains(string(line), "\\") || strings.Contains(string(line), "\u009b"), "a record that the prefilter drops")
		require.NotEmpty(t, got.Class.Code)
		require.Equal(t, diagnose.Source, d.Source)
		require.True(t, utf8.ValidString(d.Message) && d.Message != "" && len(d.Message) <= redact.Limit)
		require.True(t, d.ProviderID == "" || redact.ID(d.ProviderID))
		require.True(t, d.ModelID == "" || redact.ID(d.ModelID))
		if d.RemediationURL != "" {
			require.True(t, redact.Remediation(d.RemediationURL))
			require.Contains(t, string(line), d.RemediationURL)
		}
		if !d.ResetAt.IsZero() {
			require.True(t, d.ResetAt.After(d.OccurredAt) && d.ResetAt.Sub(d.OccurredAt) <= 366*24*time.Hour)
		}
	})
}

// Whatever a provider says, quoted as JSON quotes it, is read back as it is.
func TestAnyTextIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		quoted, err := json.Marshal(text) // escapes more than need be, which is as good
		require.NoError(t, err)
		got, why := diagnose.Read([]byte(head+ids+whose+"error.error="+string(quoted)), open)
		if text == "null" || text == "undefined" || strings.HasPrefix(strings.TrimSpace(text), "Abort") {
			return
		}
		require.Empty(t, why)
		want := redact.Text(text)
		if want == "" {
			want = diagnose.Generic
		}
		if !strings.Contains(text, "Error: ") { // the class of an error is taken off
			assert.Equal(t, want, got.Diagnostic.Message)
		}
	})
}
