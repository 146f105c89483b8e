//go:build unix

package cli_test

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every reported text, as the command answers it: code, retry and reset.
func TestClassifyAnswersEachLine(t *testing.T) {
	for _, file := range []string{"error_texts.jsonl", "reported.jsonl"} {
		raw, err := os.ReadFile("../failure/testdata/" + file)
		require.NoError(t, err)
		var wants []map[string]any
		var in strings.Builder
		for l := range strings.Lines(string(raw)) {
			var want map[string]any
			require.NoError(t, json.Unmarshal([]byte(l), &want))
			if want["occurred_at"] == nil {
				want["occurred_at"] = "2026-09-01T12:00:00Z"
			}
			wants = append(wants, want)
			ask, err := json.Marshal(want)
			require.NoError(t, err)
			in.Write(append(ask, '\n'))
		}
		out, stderr, status := call(t, in.String(), "classify")
		require.Zero(t, status, stderr)
		lines := bufio.NewScanner(strings.NewReader(out))
		for _, want := range wants {
			require.True(t, lines.Scan())
			var got map[string]any
			require.NoError(t, json.Unmarshal(lines.Bytes(), &got))
			assert.Equal(t, want["code"], got["code"], want["text"])
			if want["code"] == nil {
				assert.JSONEq(t, `{"code":null}`, lines.Text())
				continue
			}
			assert.Equal(t, want["retrying"], got["retrying"], want["text"])
			assert.Equal(t, want["reset_at"], got["reset_at"], want["text"])
		}
		assert.False(t, lines.Scan())
	}
}

func TestClassifyOfWhateverComes(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     string
		status   int
		says     string
	}{
		{"nothing", "", "", 0, ""},
		{"blank lines", "\n \n", "", 0, ""},
		{"an empty object", "{}", `{"code":null}`, 0, ""},
		{"typed data", `{"agent":"codex","channel":"acp error","rpc_code":-32603,"text":"Internal error","data":{"codexErrorInfo":"usageLimitExceeded","model":"gpt-5"},"occurred_at":"2026-09-01T12:00:00Z"}`,
			`{"code":"quota_limited","class":"hard","confidence":"high","rule_id":"codex.kind.usage","catalogue_version":"2","model":"gpt-5","retrying":false,"reset_at":null,"retry_after_s":null}`, 0, ""},
		{"a status as a text", `{"http_status":"503","text":"no","data":null}`,
			`{"code":"provider_overloaded","class":"transient","confidence":"high","rule_id":"http.503","catalogue_version":"2","retrying":false,"reset_at":null,"retry_after_s":null}`, 0, ""},
		{"a short throttle", `{"agent":"kimi","text":"request reached organization max RPM: 20, please try again after 1 seconds","channel":"CLI text"}`,
			`{"code":"rate_limited","class":"transient","confidence":"high","rule_id":"kimi.throttle","catalogue_version":"2","retrying":false,"reset_at":null,"retry_after_s":1}`, 0, ""},
		{"no JSON", "oops", `{"error":"This line is not a JSON object of the form that \"tw classify --help\" shows."}`, 1, "could not be read: 1"},
		{"a status of the wrong type", `{"http_status":[503],"text":"no"}`, `{"error":"This line is not a JSON object of the form that \"tw classify --help\" shows."}`, 1, "could not be read: 1"},
		{"a status that is a word", `{"http_status":"soon"}`, `{"error":"This line is not a JSON object of the form that \"tw classify --help\" shows."}`, 1, "could not be read: 1"},
		{"a code of the wrong type", `{"rpc_code":true}`, `{"error":"This line is not a JSON object of the form that \"tw classify --help\" shows."}`, 1, "could not be read: 1"},
		{"a code that is a word", `{"rpc_code":"oops","http_status":null}`, `{"code":null}`, 0, ""},
		{"a time that is none", `{"occurred_at":"noon"}`, `{"error":"This line is not a JSON object of the form that \"tw classify --help\" shows."}`, 1, "could not be read: 1"},
		{"too long", `{"text":"` + strings.Repeat("x", 17<<20) + `"}`, `{"error":"This line is longer than 16 MiB."}`, 1, "could not be read: 1"},
		{"15 MiB", `{"text":"` + strings.Repeat("x", 15<<20) + `"}`, `{"code":null}`, 0, ""},
		{"the last line without its end", `{"http_status":200}` + "\n" + `{"text":"hello"}`, `{"code":null}` + "\n" + `{"code":null}`, 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, stderr, status := call(t, tt.in, "classify")
			assert.Equal(t, tt.status, status)
			assert.Contains(t, stderr, tt.says)
			assert.Equal(t, tt.want, strings.TrimSuffix(out, "\n"))
		})
	}
}
