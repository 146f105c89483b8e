package opencode

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/tmaxmax/go-sse"

	"turnwatch/backend/agent"
)

// Bounds of the event stream.
const (
	firstBound   = 10 * time.Second // from the headers to the first event
	silentBound  = 35 * time.Second // without any event; a server's heart beats every 10 to 15 s
	largestEvent = 8 << 20
	firstWait    = 250 * time.Millisecond // before another attempt, doubled each time
	longestWait  = 10 * time.Second
)

var errSilent = errors.New("server is silent")

// Watch reads the server's event stream and hands on what it tells until ctx ends
// or the server refuses for good, which is a *RefusedError: a version that has no
// such stream, or a password that is not its own. A stream that breaks, ends or
// falls silent is connected to anew, with growing waits.
//
// Connect only when the server is known to listen: a request that comes while it
// is starting may be taken and never answered, which is bounded here but late.
func (c *Client) Watch(ctx context.Context, handle func(Event)) error {
	wait := firstWait
	for {
		spoke, err := c.listen(ctx, handle)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var refused *RefusedError
		if errors.As(err, &refused) && refused.Final() {
			return err
		}
		if spoke {
			wait = firstWait
		}
		c.log.Debug("event stream not there", "server", Server{URL: c.base.String()}, "wait", wait, "error", err)
		if !c.sleep(ctx, wait) {
			return ctx.Err()
		}
		wait = min(2*wait, longestWait)
	}
}

// listen reads one stream to its end and reports whether it spoke at all.
func (c *Client) listen(ctx context.Context, handle func(Event)) (spoke bool, err error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	body, err := c.get(ctx, "/global/event", nil, "text/event-stream")
	if err != nil {
		return false, err
	}
	defer body.Close()
	alarm := newAlarm(c.clock, func() { stop(errSilent) })
	defer alarm.stop()
	alarm.set(firstBound)
	err = io.EOF
	for ev, readErr := range sse.Read(body, &sse.ReadConfig{MaxEventSize: largestEvent}) {
		if readErr != nil {
			err = readErr
			break
		}
		alarm.set(silentBound)
		if !spoke {
			spoke = true
			handle(Connected{})
		}
		if e, ok := Decode(ev.Data); ok && e != (Connected{}) {
			handle(e)
		}
	}
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	if spoke {
		handle(Lost{Cause: fmt.Errorf("read event stream: %w", err)})
	}
	return spoke, err
}

// sleep waits; false when ctx ended first.
func (c *Client) sleep(ctx context.Context, d time.Duration) bool {
	woken := make(chan struct{})
	stop := c.clock.AfterFunc(d, func() { close(woken) })
	defer stop()
	select {
	case <-woken:
		return true
	case <-ctx.Done():
		return false
	}
}

// alarm rings once when it was not set anew in time.
type alarm struct {
	clock agent.Clock
	ring  func()

	mu     sync.Mutex
	cancel func() bool
}

func newAlarm(c agent.Clock, ring func()) *alarm { return &alarm{clock: c, ring: ring} }

func (a *alarm) set(d time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.cancel != nil {
		a.cancel()
	}
	a.cancel = a.clock.AfterFunc(d, a.ring)
}

func (a *alarm) stop() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.cancel != nil {
		a.cancel()
		a.cancel = nil
	}
}
