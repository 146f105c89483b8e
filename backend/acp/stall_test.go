package acp_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/acp"
)

// TestPeerStopsReading: nobody waits for such a peer longer than he wants to.
func TestPeerStopsReading(t *testing.T) {
	for _, row := range []struct {
		name string
		do   func(t *testing.T, p *peer, ctx context.Context) error
		want error
		took time.Duration
	}{
		{"call with a bound", func(t *testing.T, p *peer, ctx context.Context) error {
			return p.conn.Call(ctx, "m", nil, nil)
		}, context.DeadlineExceeded, 300 * time.Millisecond},
		{"notification with a bound", func(t *testing.T, p *peer, ctx context.Context) error {
			return p.conn.Notify(ctx, "m", nil)
		}, context.DeadlineExceeded, 300 * time.Millisecond},
		{"call without a bound", func(t *testing.T, p *peer, _ context.Context) error {
			return p.conn.Call(t.Context(), "m", nil, nil)
		}, acp.ErrStalled, 30 * time.Second},
		{"notification without a bound", func(t *testing.T, p *peer, _ context.Context) error {
			return p.conn.Notify(t.Context(), "m", nil)
		}, acp.ErrStalled, 30 * time.Second},
		{"close", func(t *testing.T, p *peer, _ context.Context) error {
			call := p.conn.Go(t.Context(), "m", nil)
			require.NoError(t, p.conn.Close())
			_, err := call.Wait(t.Context())
			return err
		}, acp.ErrClosed, 500 * time.Millisecond},
		{"answer to a request", func(t *testing.T, p *peer, _ context.Context) error {
			for i := range 500 {
				p.say(fmt.Sprintf(`{"id":%d,"method":"m"}`, i))
				require.NoError(t, p.request().Respond(strings.Repeat("x", 1000)))
			}
			return nil
		}, nil, 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPeer(t, acp.Options{})
				ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
				defer cancel()
				began := time.Now()
				err := row.do(t, p, ctx)
				assert.Equal(t, row.took, time.Since(began))
				require.ErrorIs(t, err, row.want)
			})
		})
	}
}

// TestStalled: a connection that was given up says so to everybody, and goes on
// delivering what the peer still says.
func TestStalled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPeer(t, acp.Options{WriteTimeout: time.Minute})
		p.say(`{"id":"q","method":"m"}`)
		r := p.request()
		heard := p.conn.Go(t.Context(), "heard", nil)
		p.hear()
		first, second := p.conn.Go(t.Context(), "a", nil), p.conn.Go(t.Context(), "b", nil)
		<-first.Done()
		for _, call := range []*acp.Pending{heard, first, second, p.conn.Go(t.Context(), "c", nil)} {
			_, err := call.Wait(t.Context())
			require.ErrorIs(t, err, acp.ErrStalled)
		}
		require.ErrorIs(t, r.Respond(1), acp.ErrStalled)
		require.ErrorIs(t, p.conn.Notify(t.Context(), "m", nil), acp.ErrStalled)
		p.say(chunkLine("last words"))
		p.saw()
		assert.Equal(t, `update agent_message_chunk m1 "last words"`, p.saw())
		require.NoError(t, p.conn.Err(), "the reading side is alive")
	})
}

// TestSlowIsNotStalled: a peer that reads a little now and then is waited for.
func TestSlowIsNotStalled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPeer(t, acp.Options{WriteTimeout: 10 * time.Second})
		call := p.conn.Go(t.Context(), "m", strings.Repeat("x", 1<<20))
		began := time.Now()
		for range 16 {
			<-time.After(9 * time.Second)
			_, err := io.ReadFull(p.in, make([]byte, 64<<10))
			require.NoError(t, err)
		}
		p.hear()
		p.say(`{"id":1,"result":1}`)
		_, err := call.Wait(t.Context())
		require.NoError(t, err)
		assert.Equal(t, 16*9*time.Second, time.Since(began))
	})
}

// TestFullQueue: beyond the bound callers wait for room, and what they gave up
// waiting for is not sent.
func TestFullQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPeer(t, acp.Options{Queue: 2})
		p.conn.Go(t.Context(), "taken", nil) // the writer holds it
		synctest.Wait()
		kept := p.conn.Go(t.Context(), "kept", nil)

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := p.conn.Go(ctx, "no room", nil).Wait(t.Context())
		require.ErrorIs(t, err, context.DeadlineExceeded)

		kept.Forget()
		_, err = kept.Wait(t.Context())
		require.ErrorIs(t, err, context.Canceled)
		ctx, cancel = context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, p.conn.Notify(ctx, "given up", nil), context.DeadlineExceeded)
		require.ErrorIs(t, p.conn.Notify(ctx, "too late", nil), context.DeadlineExceeded)

		last := p.conn.Go(t.Context(), "last", nil)
		assert.Contains(t, p.hear(), "taken")
		assert.Contains(t, p.hear(), "last")
		p.say(`{"id":4,"result":1}`)
		_, err = last.Wait(t.Context())
		require.NoError(t, err)
	})
}

// TestCloseWritesWhatIsQueued, then nothing new is taken, then the last answer of
// the peer still arrives.
func TestCloseWritesWhatIsQueued(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPeer(t, acp.Options{})
		call := p.conn.Go(t.Context(), "session/prompt", nil)
		errs := make(chan error, 1)
		go func() { errs <- p.conn.Close() }()
		synctest.Wait()
		require.ErrorIs(t, p.conn.Notify(t.Context(), "new", nil), acp.ErrClosed)
		assert.Contains(t, p.hear(), "session/prompt")
		_, err := p.in.ReadString('\n')
		require.ErrorIs(t, err, io.EOF)
		require.NoError(t, <-errs)
		p.say(chunkLine("bye"), `{"id":1,"result":1}`)
		_, err = call.Wait(t.Context())
		require.NoError(t, err)
		assert.Len(t, p.seen, 1)
	})
}

// TestPeerClosedItsInput: a peer that hears no more may still answer.
func TestPeerClosedItsInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPeer(t, acp.Options{})
		heard := p.conn.Go(t.Context(), "heard", nil)
		p.hear()
		require.NoError(t, p.readEnd.Close())
		_, err := p.conn.Go(t.Context(), "unheard", nil).Wait(t.Context())
		require.ErrorIs(t, err, acp.ErrClosed)
		require.ErrorIs(t, p.conn.Notify(t.Context(), "unheard", nil), acp.ErrClosed)
		p.say(`{"id":1,"result":1}`)
		_, err = heard.Wait(t.Context())
		require.NoError(t, err)
	})
}

// TestStalledPipe is the same over real pipes, whose buffer has to fill first.
func TestStalledPipe(t *testing.T) {
	ourR, theirW, err := os.Pipe()
	require.NoError(t, err)
	theirR, ourW, err := os.Pipe()
	require.NoError(t, err)
	p := &peer{t: t, seen: make(chan string, 1), reqs: make(chan *acp.Request, 1)}
	c := acp.New(ourR, ourW, p, acp.Options{WriteTimeout: 50 * time.Millisecond})
	err = c.Call(within(t), "m", strings.Repeat("x", 1<<20), nil)
	require.ErrorIs(t, err, acp.ErrStalled)
	require.NoError(t, c.Close())
	require.NoError(t, theirW.Close())
	<-c.Done()
	require.NoError(t, theirR.Close())
	require.NoError(t, ourR.Close())
}
