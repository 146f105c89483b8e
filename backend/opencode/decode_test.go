package opencode_test

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/opencode"
)

func TestDecodeOfWhateverComes(t *testing.T) {
	for _, tc := range []struct {
		name, data string
		want       opencode.Event
	}{
		{"nothing", "", nil},
		{"no JSON", "CANARY", nil},
		{"a number", "7", nil},
		{"another type", `{"payload":{"type":"todo.updated","properties":{}}}`, nil},
		{"a copy", `{"payload":{"type":"sync","properties":{"sessionID":"ses_1","status":{"type":"busy"}}}}`, nil},
		{"no session", `{"payload":{"type":"session.status","properties":{"status":{"type":"busy"}}}}`, nil},
		{"session of another type", `{"payload":{"type":"session.status","properties":{"sessionID":7,"status":{"type":"busy"}}}}`, nil},
		{"unknown status", `{"payload":{"type":"session.status","properties":{"sessionID":"s","status":{"type":"dreaming"}}}}`, nil},
		{"no properties", `{"payload":{"type":"session.status"}}`, nil},
		{"error without a name", `{"payload":{"type":"session.error","properties":{"sessionID":"s","error":{}}}}`, nil},
		{"the bare payload", `{"type":"session.idle","properties":{"sessionID":"s"}}`, opencode.StatusChanged{Session: "s", Status: opencode.Status{Doing: opencode.Idle}}},
		{"a try that makes no sense", `{"type":"session.status","properties":{"sessionID":"s","status":{"type":"retry","attempt":-1,"next":1e300}}}`,
			opencode.StatusChanged{Session: "s", Status: opencode.Status{Doing: opencode.Retry}}},
		{"a subagent", `{"payload":{"type":"session.created","properties":{"sessionID":"ses_2","info":{"id":"ses_2","parentID":"ses_1","title":"look around"}}}}`,
			opencode.ChildMade{Session: "ses_2", Parent: "ses_1"}},
		{"a session of nobody", `{"payload":{"type":"session.created","properties":{"info":{"id":"ses_2"}}}}`, nil},
		{"a session that is its own parent", `{"payload":{"type":"session.updated","properties":{"info":{"id":"ses_2","parentID":"ses_2"}}}}`, nil},
		{"a parent of another type", `{"payload":{"type":"session.updated","properties":{"info":{"id":"ses_2","parentID":7}}}}`, nil},
		{"a status that is none", `{"type":"session.error","properties":{"sessionID":"s","error":{"name":"E","data":{"statusCode":99999}}}}`,
			opencode.SessionFailed{Session: "s", Error: opencode.Error{Name: "E"}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, ok := opencode.Decode(tc.data)
			assert.Equal(t, tc.want != nil, ok)
			if ok {
				assert.Equal(t, tc.want, got)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(hello)
	f.Add(retry)
	files, err := filepath.Glob("../managed/testdata/opencode/fail-http500.jsonl")
	require.NoError(f, err)
	for _, file := range files {
		in, err := os.Open(file)
		require.NoError(f, err)
		for lines := bufio.NewScanner(in); lines.Scan(); {
			if _, frame, ok := strings.Cut(lines.Text(), `"sse": `); ok {
				f.Add(strings.TrimSuffix(frame, "}"))
			}
		}
		require.NoError(f, in.Close())
	}
	f.Fuzz(func(t *testing.T, data string) {
		ev, ok := opencode.Decode(data)
		if !ok {
			return
		}
		switch e := ev.(type) {
		case opencode.StatusChanged:
			require.NotEmpty(t, e.Session)
			require.LessOrEqual(t, len(e.Status.Message), 64<<10)
			require.True(t, e.Status.Attempt >= 0 && (e.Status.Next.IsZero() || e.Status.Next.Year() < 10000))
			require.True(t, utf8.ValidString(e.Status.Message))
		case opencode.SessionFailed:
			require.NotEmpty(t, e.Session)
			require.LessOrEqual(t, len(e.Error.Body), 64<<10)
			require.True(t, e.Error.HTTP == 0 || e.Error.HTTP >= 100 && e.Error.HTTP < 600)
		}
	})
}
