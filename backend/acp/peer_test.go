package acp_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"turnwatch/backend/acp"
	"turnwatch/backend/agent"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long a test waits for what must come. It is no measure of
// anything: a test that passes never waits for it.
const patience = time.Minute

// peer is the other end of a connection, driven line by line by a test.
type peer struct {
	t    *testing.T
	conn *acp.Conn
	in   *bufio.Reader // what the connection writes
	out  *io.PipeWriter
	seen chan string // what the handler was given, in order
	reqs chan *acp.Request

	readEnd *io.PipeReader
}

// newPeer joins a connection and a peer in memory and takes both apart at the end
// of the test.
func newPeer(t *testing.T, o acp.Options) *peer {
	t.Helper()
	ourR, theirW := io.Pipe()
	theirR, ourW := io.Pipe()
	p := &peer{
		t: t, in: bufio.NewReader(theirR), out: theirW, readEnd: theirR,
		seen: make(chan string, 4096), reqs: make(chan *acp.Request, 4096),
	}
	p.conn = acp.New(ourR, ourW, p, o)
	t.Cleanup(func() {
		_ = p.readEnd.Close()
		_ = p.out.Close()
		_ = p.conn.Close()
		<-p.conn.Done()
	})
	return p
}

func (p *peer) Update(u acp.Update) {
	if len(u.Text) > 1000 {
		p.seen <- fmt.Sprintf("update %s %s of %d bytes", u.Kind, u.MessageID, len(u.Text))
		return
	}
	p.seen <- fmt.Sprintf("update %s %s%s %q", u.Kind, u.MessageID, u.ToolCallID, u.Text)
}

func (p *peer) Request(r *acp.Request) {
	p.seen <- fmt.Sprintf("request %s %s %s", r.Method, []byte(r.ID), []byte(r.Params))
	p.reqs <- r
}

func (p *peer) Notification(method string, params jsontext.Value, _ agent.Stamp) {
	p.seen <- fmt.Sprintf("notification %s %s", method, []byte(params))
}

// say writes lines as they are.
func (p *peer) say(lines ...string) {
	p.t.Helper()
	for _, l := range lines {
		_, err := io.WriteString(p.out, l+"\n")
		require.NoError(p.t, err)
	}
}

// hear returns the next line that the connection wrote.
func (p *peer) hear() string {
	p.t.Helper()
	line, err := p.in.ReadString('\n')
	require.NoError(p.t, err)
	return line
}

// saw waits for what the handler was given next.
func (p *peer) saw() string {
	p.t.Helper()
	return receive(p.t, p.seen)
}

// request waits for the next request.
func (p *peer) request() *acp.Request {
	p.t.Helper()
	return receive(p.t, p.reqs)
}

func receive[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(patience):
		require.FailNow(t, "nothing came")
		panic("unreachable")
	}
}

func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

func chunkLine(text string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","messageId":"m1","content":{"type":"text","text":%q}}}}`, text)
}
