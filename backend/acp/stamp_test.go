package acp_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/acp"
	"turnwatch/backend/agent"
)

// stampHandler raises the generation with each update, as the owner of a session
// does when he dispatches the next turn, and notes what the lines were stamped.
type stampHandler struct {
	now agent.Counter
	got []string
}

func (h *stampHandler) note(what string, st agent.Stamp) {
	h.got = append(h.got, fmt.Sprintf("%s %d", what, st.Generation))
	h.now.Raise(h.now.Current() + 1)
}
func (h *stampHandler) Update(u acp.Update)    { h.note(u.Text, u.Stamp) }
func (h *stampHandler) Request(r *acp.Request) { h.note(r.Method, r.Stamp); _ = r.Refuse() }
func (h *stampHandler) Notification(m string, _ jsontext.Value, st agent.Stamp) {
	h.note(m, st)
}

// TestStamp: a line belongs to the generation in which its first byte was read,
// however late it is handled.
func TestStamp(t *testing.T) {
	half := chunkLine("cut in two")
	reads := [][]byte{
		[]byte(chunkLine("a") + "\n" + `{"method":"b"}` + "\n" + `{"id":1,"method":"c"}` + "\n" + half[:40]),
		[]byte(half[40:] + "\n" + chunkLine("d") + "\n"),
		[]byte(chunkLine("e")),
	}
	h := &stampHandler{}
	c := acp.New(&pieces{reads}, nopCloser{io.Discard}, h, acp.Options{
		Stamp: func() agent.Stamp { return agent.Stamp{Generation: h.now.Current()} },
	})
	<-c.Done()
	require.NoError(t, c.Close())
	assert.Equal(t, []string{"a 0", "b 0", "c 0", "cut in two 0", "d 3", "e 5"}, h.got)
}

// pieces hands out one piece a read.
type pieces struct{ left [][]byte }

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.left) == 0 {
		return 0, io.EOF
	}
	n := copy(b, p.left[0])
	if p.left[0] = p.left[0][n:]; len(p.left[0]) == 0 {
		p.left = p.left[1:]
	}
	return n, nil
}

// TestLog: the log tells how many lines of which length were skipped, and nothing
// of what was in them, and a flood of them is a handful of records.
func TestLog(t *testing.T) {
	var log bytes.Buffer
	p := newPeer(t, acp.Options{MaxLine: 1000, Log: slog.New(slog.NewTextHandler(&log, nil))})
	for range 1000 {
		p.say("canary garbage", "canary"+strings.Repeat("y", 2000))
	}
	p.say(`{"id":77,"result":"canary"}`, `{"method":"after"}`)
	p.saw()
	_, err := io.WriteString(p.out, `{"canary":`)
	require.NoError(t, err)
	require.NoError(t, p.out.Close())
	<-p.conn.Done()
	assert.NotContains(t, log.String(), "canary")
	assert.Contains(t, log.String(), `what="no message" bytes=14 count=1`)
	assert.Contains(t, log.String(), `what="too long" bytes=2006 count=512`)
	assert.Contains(t, log.String(), `what="cut off by the end" bytes=10 count=1`)
	assert.Equal(t, 10+10+1, strings.Count(log.String(), "\n"))
}

// TestReaderWithoutProgress: a reader that returns nothing for ever is no reason
// to spin.
func TestReaderWithoutProgress(t *testing.T) {
	c := acp.New(emptyReader{}, nopCloser{io.Discard}, &decodingHandler{}, acp.Options{})
	<-c.Done()
	require.ErrorIs(t, c.Err(), io.ErrNoProgress)
	require.NoError(t, c.Close())
}

type emptyReader struct{}

func (emptyReader) Read([]byte) (int, error) { return 0, nil }
