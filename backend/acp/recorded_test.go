package acp_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/acp"
	"turnwatch/backend/agent"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestRecorded reads what real agents wrote and compares what is made of it with
// the golden files: updates and requests by way of a connection, answers by their
// parsers.
func TestRecorded(t *testing.T) {
	files, err := filepath.Glob("testdata/recorded/*.jsonl")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		t.Run(name, func(t *testing.T) {
			recording, err := os.ReadFile(file)
			require.NoError(t, err)
			var got bytes.Buffer
			h := &goldenHandler{out: &got}
			c := acp.New(bytes.NewReader(recording), nopCloser{io.Discard}, h, acp.Options{
				Stamp: func() agent.Stamp { return agent.Stamp{Generation: 7} },
			})
			<-c.Done()
			require.NoError(t, c.Close())
			assert.Zero(t, c.Stats().Garbage)
			assert.Zero(t, c.Stats().Partial)
			for line := range bytes.Lines(recording) {
				goldenAnswer(t, &got, line)
			}
			golden := strings.TrimSuffix(file, ".jsonl") + ".golden"
			if *update {
				require.NoError(t, os.WriteFile(golden, got.Bytes(), 0o600))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			assert.Equal(t, string(want), got.String())
		})
	}
}

// goldenHandler writes a line for everything it is given.
type goldenHandler struct{ out io.Writer }

func (h *goldenHandler) Update(u acp.Update) {
	a, err := acp.Decode(u)
	fmt.Fprintf(h.out, "update %s gen=%d %v %s\n", u.Session, u.Stamp.Generation, err, show(a))
}

func (h *goldenHandler) Request(r *acp.Request) {
	if r.Method == "session/request_permission" {
		session, ask, err := acp.ParseAsk(r.Params)
		fmt.Fprintln(h.out, "ask", string(r.ID), session, err, show(ask))
	} else {
		fmt.Fprintln(h.out, "request", r.Method, string(r.ID), string(r.Params))
	}
	_ = r.Refuse()
}

func (h *goldenHandler) Notification(method string, params jsontext.Value, _ agent.Stamp) {
	fmt.Fprintln(h.out, "notification", method, len(params))
}

// goldenAnswer writes what the parsers make of an answer.
func goldenAnswer(t *testing.T, out io.Writer, line []byte) {
	var m struct {
		Method string
		Result map[string]any
	}
	require.NoError(t, json.Unmarshal(line, &m))
	raw, err := json.Marshal(m.Result)
	require.NoError(t, err)
	var v any
	switch {
	case m.Method != "" || m.Result == nil:
		return
	case m.Result["protocolVersion"] != nil:
		i, e := acp.ParseInitialized(raw)
		i.Raw, v, err = nil, &i, e
	case m.Result["stopReason"] != nil:
		p, e := acp.ParsePrompt(raw)
		p.Raw, v, err = nil, &p, e
	default:
		s, e := acp.ParseSession(raw)
		v, err = map[string]any{"id": s.ID, "options": s.Choices.Options()}, e
	}
	fmt.Fprintf(out, "answer %v %s\n", err, show(v))
}

// show is a value as JSON without its empty fields.
func show(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	var m any
	if err := json.Unmarshal(b, &m); err != nil {
		return err.Error()
	}
	b, _ = json.Marshal(full(m)) // it came from JSON
	return string(b)
}

func full(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	for k, e := range m {
		if raw, ok := e.(string); ok && slices.Contains([]string{"Raw", "raw_input", "raw_output"}, k) {
			if text, err := base64.StdEncoding.DecodeString(raw); err == nil {
				e, m[k] = string(text), string(text)
			}
		}
		switch e := full(e).(type) {
		case nil:
			delete(m, k)
		case string:
			if e == "" {
				delete(m, k)
			}
		case bool:
			if !e {
				delete(m, k)
			}
		case float64:
			if e == 0 {
				delete(m, k)
			}
		case map[string]any:
			if len(e) == 0 {
				delete(m, k)
			}
		}
	}
	return m
}
