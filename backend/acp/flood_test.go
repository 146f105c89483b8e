package acp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/acp"
	"turnwatch/backend/agent"
)

// gatedHandler is slow: it handles a hundred updates for each token it gets.
type gatedHandler struct {
	gate    chan struct{}
	handled atomic.Int64
	wrong   atomic.Int64 // updates that came out of order
}

func (h *gatedHandler) Update(u acp.Update) {
	n := h.handled.Load()
	if u.Text != strconv.FormatInt(n, 10) {
		h.wrong.Add(1)
	}
	if n%100 == 0 {
		<-h.gate
	}
	h.handled.Store(n + 1)
}
func (h *gatedHandler) Request(r *acp.Request)                           { _ = r.Refuse() }
func (h *gatedHandler) Notification(string, jsontext.Value, agent.Stamp) {}

// TestFlood: 100,000 updates as fast as the pipe takes them, to a slow handler:
// none is lost, none is out of order, and the peer is never further ahead than
// the one buffer holds.
func TestFlood(t *testing.T) {
	const updates, buffer = 100_000, 64 << 10
	ourR, theirW := io.Pipe()
	h := &gatedHandler{gate: make(chan struct{})}
	c := acp.New(ourR, nopCloser{io.Discard}, h, acp.Options{})
	var written, ahead int64
	go func() {
		for i := range updates {
			_, _ = io.WriteString(theirW, chunkLine(strconv.Itoa(i))+"\n")
			written++
			ahead = max(ahead, written-h.handled.Load())
		}
		_ = theirW.Close()
	}()
	for range updates / 100 {
		h.gate <- struct{}{}
	}
	<-c.Done()
	require.NoError(t, c.Close())
	assert.Equal(t, int64(updates), h.handled.Load())
	assert.Zero(t, h.wrong.Load())
	assert.Equal(t, uint64(updates), c.Stats().Updates)
	assert.LessOrEqual(t, ahead, int64(buffer/len(chunkLine("0"))+2))
}

// TestLongLines: a line of 20 MB is read whole, and one over the bound costs
// nothing but itself.
func TestLongLines(t *testing.T) {
	for _, row := range []struct {
		name  string
		bytes int
		max   int
		want  acp.Stats
	}{
		{"20 MB", 20_000_000, 0, acp.Stats{Frames: 2, Updates: 2}},
		{"just under the bound", 1<<20 - 200, 1 << 20, acp.Stats{Frames: 2, Updates: 2}},
		{"over the bound", 1<<20 + 1, 1 << 20, acp.Stats{Frames: 1, Updates: 1, OverLong: 1}},
		{"20 MB over the bound", 20_000_000, 1 << 20, acp.Stats{Frames: 1, Updates: 1, OverLong: 1}},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := newPeer(t, acp.Options{MaxLine: row.max})
			long := strings.Repeat("x", row.bytes)
			p.say(strings.Replace(chunkLine("?"), "?", long, 1), chunkLine("after"))
			if row.want.OverLong == 0 {
				assert.Equal(t, fmt.Sprintf("update agent_message_chunk m1 of %d bytes", row.bytes), p.saw())
			}
			assert.Equal(t, `update agent_message_chunk m1 "after"`, p.saw())
			assert.Equal(t, row.want, p.conn.Stats())
		})
	}
}

// TestTooManyRequests: a peer that asks without end and reads no answer is
// refused, and neither stops the reader nor fills the memory.
func TestTooManyRequests(t *testing.T) {
	p := newPeer(t, acp.Options{})
	for i := range 1200 {
		p.say(fmt.Sprintf(`{"id":%d,"method":"m"}`, i))
	}
	p.say(`{"method":"after"}`)
	for range 1024 {
		assert.Contains(t, p.saw(), "request m")
	}
	assert.Equal(t, "notification after ", p.saw())
	assert.Equal(t, uint64(176), p.conn.Stats().Refused)
	assert.JSONEq(t, `{"jsonrpc":"2.0","id":1024,"error":{"code":-32000,"message":"too many open requests"}}`, p.hear())

	go func() { _, _ = io.Copy(io.Discard, p.in) }()
	for range 1024 {
		require.NoError(t, p.request().Respond(nil))
	}
	again := false
	for tries := 0; !again && tries < 100_000; tries++ { // once the answers are written there is room
		p.say(`{"id":"again","method":"m"}`, `{"method":"probe"}`)
		again = strings.HasPrefix(p.saw(), "request")
	}
	assert.True(t, again)
}

// TestManyCallers: calls from many goroutines, some of them let go, answered in a
// disorder: each gets its own answer.
func TestManyCallers(t *testing.T) {
	p := newPeer(t, acp.Options{Queue: 4})
	go func() { // answers in pairs, the second call first
		var held string
		for {
			line, err := p.in.ReadString('\n')
			if err != nil {
				return
			}
			id := strings.TrimPrefix(line[:strings.Index(line, `,"method"`)], `{"jsonrpc":"2.0","id":`)
			answer := fmt.Sprintf(`{"id":%s,"result":%q}`, id, line)
			if held == "" && strings.Contains(line, "held") {
				held = answer
				continue
			}
			for _, a := range []string{answer, held} {
				if a != "" {
					_, _ = io.WriteString(p.out, a+"\n")
				}
			}
			held = ""
		}
	}()
	var wait sync.WaitGroup
	var wrong atomic.Int64
	for i := range 400 {
		wait.Go(func() {
			ctx, cancel := context.WithCancel(within(t))
			defer cancel()
			method := []string{"plain", "held", "let go"}[i%3]
			if method == "let go" {
				go cancel()
			}
			var got string
			err := p.conn.Call(ctx, method, i, &got)
			if method == "let go" && errors.Is(err, context.Canceled) {
				return
			}
			if err != nil || !strings.Contains(got, fmt.Sprintf(`"params":%d}`, i)) {
				wrong.Add(1)
			}
		})
	}
	done := make(chan struct{})
	go func() { wait.Wait(); close(done) }()
	for open := true; open; { // each call lets a held answer go
		require.NoError(t, p.conn.Call(within(t), "plain", -1, nil))
		select {
		case <-done:
			open = false
		default:
		}
	}
	assert.Zero(t, wrong.Load())
}
