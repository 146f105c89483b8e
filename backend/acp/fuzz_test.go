package acp_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/acp"
	"turnwatch/backend/agent"
)

// FuzzReader: whatever bytes come, in whatever pieces, a valid line between them
// is never lost, and the buffer stays within its bound.
func FuzzReader(f *testing.F) {
	f.Add([]byte("{\"id\":1,\"result\":2}\n<html>\n{\"method\":\"x\"}"), uint8(1))
	f.Add([]byte("\xef\xbb\xbf[{\"a\":1}]\r\n\x00\xff{\"params\":{\"update\":{}},\"method\":\"session/update\"}\n{"), uint8(7))
	f.Add([]byte(chunkLine("\\ud800é")+"\n"+chunkLine("x")), uint8(200))
	f.Add(bytes.Repeat([]byte("long"), 2000), uint8(64))
	f.Fuzz(func(t *testing.T, noise []byte, size uint8) {
		const maxLine = 4096
		in := append(append([]byte{}, noise...), "\n"+chunkLine("canary one")+"\n"...)
		in = append(append(in, noise...), "\n"+chunkLine("canary two")+"\n"...)
		in = append(in, noise...)
		r := &meteredReader{r: bytes.NewReader(in), n: int(size) + 1}
		h := &canaryHandler{}
		c := acp.New(r, nopCloser{io.Discard}, h, acp.Options{MaxLine: maxLine})
		<-c.Done()
		require.NoError(t, c.Close())
		require.Equal(t, 1, h.one)
		require.Equal(t, 1, h.two)
		require.LessOrEqual(t, r.most, maxLine+64<<10)
		s := c.Stats()
		require.LessOrEqual(t, s.Frames+s.Garbage+s.OverLong+s.Partial+s.Batches, uint64(bytes.Count(in, []byte("\n"))+1))
	})
}

// meteredReader hands out n bytes a read and notes the most room it was given.
type meteredReader struct {
	r       io.Reader
	n, most int
}

func (m *meteredReader) Read(p []byte) (int, error) {
	m.most = max(m.most, len(p))
	return m.r.Read(p[:min(len(p), m.n)])
}

type canaryHandler struct{ one, two int }

func (h *canaryHandler) Update(u acp.Update) {
	if u.MessageID != "m1" || u.Session != "s1" {
		return
	}
	switch u.Text {
	case "canary one":
		h.one++
	case "canary two":
		h.two++
	}
}
func (h *canaryHandler) Request(r *acp.Request)                           { _ = r.Refuse() }
func (h *canaryHandler) Notification(string, jsontext.Value, agent.Stamp) {}

// FuzzDecode: whatever object comes as an update or as an answer, decoding it ends
// in bounded fields, and text that a person will see is valid UTF-8.
func FuzzDecode(f *testing.F) {
	files, err := filepath.Glob("testdata/recorded/*.jsonl")
	require.NoError(f, err)
	for _, file := range files {
		recording, err := os.ReadFile(file)
		require.NoError(f, err)
		for line := range bytes.Lines(recording) {
			f.Add(bytes.TrimSpace(line))
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		h := &fuzzHandler{t: t}
		c := acp.New(bytes.NewReader(append(line, '\n')), nopCloser{io.Discard}, h, acp.Options{})
		<-c.Done()
		require.NoError(t, c.Close())
		if _, err := acp.ParseInitialized(line); err != nil {
			require.NotContains(t, err.Error(), "jsontext")
		}
		s, err := acp.ParseSession(line)
		if err == nil {
			for _, o := range s.Choices.Options() {
				require.NotEmpty(t, o.ID)
			}
		}
		_, err = acp.ParsePrompt(line)
		require.True(t, err == nil || len(err.Error()) < 200)
	})
}

type fuzzHandler struct{ t *testing.T }

func (h *fuzzHandler) Update(u acp.Update) {
	a, err := acp.Decode(u)
	require.Equal(h.t, u.Kind, a.Kind)
	require.LessOrEqual(h.t, len(a.Raw), 64<<10)
	for _, s := range []string{string(a.Kind), a.MessageID, a.Block.Text, a.Title, a.Tool.Title, a.Tool.Name, a.Tool.ID, string(u.Session)} {
		require.True(h.t, utf8.ValidString(s))
	}
	if tool := a.Kind == agent.ToolCalled || a.Kind == agent.ToolChanged; tool && err == nil {
		require.NotEmpty(h.t, a.Tool.ID)
		require.Equal(h.t, u.ToolCallID, a.Tool.ID)
	}
}

func (h *fuzzHandler) Request(r *acp.Request) {
	_, _, _ = acp.ParseAsk(r.Params)
	require.NoError(h.t, r.Refuse())
}
func (h *fuzzHandler) Notification(string, jsontext.Value, agent.Stamp) {}
