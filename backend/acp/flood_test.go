package acp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

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

// ask writes n requests of the ids 0 to n-1 and then a last word.
func (p *peer) ask(n int) {
	for i := range n {
		_, _ = fmt.Fprintf(p.out, `{"id":%d,"method":"m"}`+"\n", i)
	}
	_, _ = io.WriteString(p.out, `{"method":"after"}`+"\n")
}

// answers reads n answers and counts them by id, whatever they say.
func (p *peer) answers(n int) map[int]int {
	got := map[int]int{}
	for range n {
		var a struct{ ID int }
		require.NoError(p.t, json.Unmarshal([]byte(p.hear()), &a))
		got[a.ID]++
	}
	return got
}

func once(n int) map[int]int {
	all := map[int]int{}
	for i := range n {
		all[i] = 1
	}
	return all
}

// TestManyRequests: 5,000 requests at once. Those over the bound are not read
// before there is room, and each is answered exactly once.
func TestManyRequests(t *testing.T) {
	const n, bound = 5000, 1024
	for _, row := range []struct {
		name   string
		answer func(*peer)
	}{
		{"one after the other", func(p *peer) {
			for range n {
				_ = p.request().Respond(nil)
			}
		}},
		{"the newest first, in groups", func(p *peer) {
			for left := n; left > 0; {
				var group []*acp.Request
				for range min(left, bound) {
					group = append(group, p.request())
				}
				for _, r := range slices.Backward(group) {
					_ = r.Fail(1, "no", nil)
				}
				left -= len(group)
			}
		}},
		{"by many", func(p *peer) {
			var all sync.WaitGroup
			for range 8 {
				all.Go(func() {
					for range n / 8 {
						_ = p.request().Respond(nil)
					}
				})
			}
			all.Wait()
		}},
		{"before the peer reads", func(p *peer) {
			for range n {
				_ = p.request().Respond(nil)
			}
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPeer(t, acp.Options{})
				p.seen = make(chan string, n+1)
				go p.ask(n)
				synctest.Wait()
				assert.Len(t, p.reqs, bound, "no more are read")
				assert.Equal(t, uint64(1), p.conn.Stats().Held)
				go row.answer(p)
				if row.name == "before the peer reads" {
					synctest.Wait()
					assert.Len(t, p.seen, n+1, "it could write everything first")
				}
				assert.Equal(t, once(n), p.answers(n))
				synctest.Wait()
				assert.Len(t, p.seen, n+1, "and what stands behind them")
				assert.Zero(t, p.conn.Stats().Dropped)
			})
		})
	}
}

// TestUnreadAnswers: what a peer asks waits once too much of what it was answered
// waits for it, whoever answers, and none of it is lost.
func TestUnreadAnswers(t *testing.T) {
	t.Run("refused by the connection", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			const n = 50_000
			p := newPeer(t, acp.Options{})
			go p.say(slices.Repeat([]string{`[{"id":1,"method":"m"}]`}, n)...)
			synctest.Wait()
			assert.Less(t, p.conn.Stats().Batches, uint64(n), "the reader waits")
			for range n {
				assert.Contains(t, p.hear(), "-32600")
			}
			synctest.Wait()
			assert.Equal(t, uint64(n), p.conn.Stats().Batches)
		})
	})
	t.Run("large", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p := newPeer(t, acp.Options{})
			p.say(`{"id":0,"method":"m"}`)
			require.NoError(t, p.request().Respond(strings.Repeat("x", 4<<20)))
			go p.ask(2)
			synctest.Wait()
			assert.Empty(t, p.reqs, "the reader waits")
			assert.Contains(t, p.hear(), "xxx")
			for range 2 {
				require.NoError(t, p.request().Respond(nil))
				p.hear()
			}
		})
	})
}

// TestHeldReader: a reader that waits for room is let go when nothing can be
// answered any more, and reads to the end.
func TestHeldReader(t *testing.T) {
	for _, row := range []struct {
		name string
		end  func(*peer)
	}{
		{"closed", func(p *peer) { _ = p.conn.Close() }},
		{"the peer does not read", func(p *peer) { _ = p.request().Respond(nil) }},
		{"the peer closed its input", func(p *peer) { _ = p.readEnd.Close(); _ = p.request().Respond(nil) }},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPeer(t, acp.Options{WriteTimeout: time.Second})
				go p.ask(3000)
				synctest.Wait()
				row.end(p)
				for p.saw() != "notification after " {
				}
				stats := p.conn.Stats()
				assert.Equal(t, uint64(3001), stats.Frames)
				assert.Positive(t, stats.Dropped)
			})
		})
	}
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
