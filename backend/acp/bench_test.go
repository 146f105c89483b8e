package acp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/acp"
	"turnwatch/backend/agent"
)

// BenchmarkConnection reads the same updates from a real pipe in three ways, side
// by side: bytes alone, this package, and the SDK's own connection, which closes
// on a burst and is therefore given no more frames than it can queue. The frames
// are written one by one, as agents do, so the small ones are bound by the writes
// of the producer and not by the pipe. One operation is one frame.
func BenchmarkConnection(b *testing.B) {
	for _, size := range []struct {
		name  string
		bytes int
	}{
		{"small", 177}, {"64KiB", 64 << 10},
	} {
		frame := benchFrame(b, size.bytes)
		for _, way := range []struct {
			name string
			read func(b *testing.B, r *os.File)
		}{
			{"rawpipe", benchRaw}, {"ours", benchOurs}, {"sdk", benchSDK},
		} {
			b.Run(size.name+"/"+way.name, func(b *testing.B) {
				r, w, err := os.Pipe()
				require.NoError(b, err)
				b.SetBytes(int64(len(frame)))
				b.ReportAllocs()
				b.ResetTimer()
				go produce(w, frame, b.N)
				way.read(b, r)
				b.StopTimer()
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "frames/s")
				require.NoError(b, r.Close())
			})
		}
	}
}

// benchFrame is a text chunk of that many bytes with its newline, with an escape
// in every line of the text as real text has.
func benchFrame(b *testing.B, size int) []byte {
	const head, tail = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"ses_bench1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"`, "\"}}}}\n"
	fill := strings.Repeat(`The quick brown fox jumps over the lazy dog, once more.\n`, size/56+1)
	n := size - len(head) - len(tail)
	require.Positive(b, n)
	text := strings.TrimSuffix(fill[:n], `\`)
	text += strings.Repeat(".", n-len(text))
	return []byte(head + text + tail)
}

// produce writes n frames, one write each as agents write them, and closes w.
func produce(w *os.File, frame []byte, n int) {
	for range n {
		if _, err := w.Write(frame); err != nil {
			panic(err)
		}
	}
	_ = w.Close()
}

func benchRaw(b *testing.B, r *os.File) {
	buf := make([]byte, 128<<10)
	for {
		if _, err := r.Read(buf); err != nil {
			require.ErrorIs(b, err, io.EOF)
			return
		}
	}
}

type countingHandler struct{ frames, bytes int }

func (h *countingHandler) Update(u acp.Update) {
	h.frames++
	h.bytes += len(u.Text)
}
func (h *countingHandler) Request(r *acp.Request)                           { _ = r.Refuse() }
func (h *countingHandler) Notification(string, jsontext.Value, agent.Stamp) {}

func benchOurs(b *testing.B, r *os.File) {
	h := &countingHandler{}
	c := acp.New(r, nopCloser{io.Discard}, h, acp.Options{})
	<-c.Done()
	require.NoError(b, c.Close())
	require.Equal(b, b.N, h.frames)
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// benchSDK reads with the SDK's connection. It counts its own notifications and
// lets through only as many lines as its queue holds.
func benchSDK(b *testing.B, r *os.File) {
	credits := make(chan struct{}, 512)
	frames, done := 0, make(chan struct{})
	c := sdk.NewConnection(func(_ context.Context, method string, params json.RawMessage) (any, *sdk.RequestError) {
		var n sdk.SessionNotification
		if err := json.Unmarshal(params, &n); err != nil || method != sdk.ClientMethodSessionUpdate {
			panic(fmt.Sprint(method, err))
		}
		<-credits
		if frames++; frames == b.N {
			close(done)
		}
		return nil, nil
	}, io.Discard, &creditReader{r: bufio.NewReaderSize(r, 128<<10), credits: credits})
	c.SetLogger(slog.New(slog.DiscardHandler))
	<-done
	<-c.Done()
	require.Equal(b, b.N, frames)
}

// creditReader takes a credit for each line it begins to hand out.
type creditReader struct {
	r       *bufio.Reader
	credits chan struct{}
	rest    []byte
}

func (c *creditReader) Read(p []byte) (int, error) {
	if len(c.rest) == 0 {
		line, err := c.r.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		c.credits <- struct{}{}
		c.rest = line
	}
	n := copy(p, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}
