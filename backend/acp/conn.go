package acp

import (
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"turnwatch/backend/agent"
)

// Options tune a connection. The zero value is usable.
type Options struct {
	// MaxLine is the longest line that is read, in bytes; 0 means 64 MiB. A
	// longer one is skipped and counted, and the connection lives on.
	MaxLine int
	// Queue is how many calls and notifications may wait for the writer; 0 means
	// 256. Answers to the peer's requests do not count.
	Queue int
	// WriteTimeout is how long a write may stay without progress (64 KiB or the
	// rest of a line); 0 means 30 s. Then the writing side is closed and every
	// call fails with ErrStalled.
	WriteTimeout time.Duration
	// Stamp is called when bytes are read, on the reader's goroutine, and must
	// not block. A line carries the stamp of its first byte. nil means the time
	// and generation 0.
	Stamp func() agent.Stamp
	// Noise is called for each line that is no message, on the reader's goroutine,
	// with how many of them came in a row and their bytes together. It must not
	// block. nil is deaf.
	Noise func(lines, bytes int)
	// Log gets counts and lengths, never text of the peer. nil discards.
	Log *slog.Logger
}

func (o Options) withDefaults() Options {
	if o.MaxLine <= 0 {
		o.MaxLine = 64 << 20
	}
	if o.Queue <= 0 {
		o.Queue = 256
	}
	if o.WriteTimeout <= 0 {
		o.WriteTimeout = 30 * time.Second
	}
	if o.Stamp == nil {
		o.Stamp = func() agent.Stamp { return agent.Stamp{At: time.Now()} }
	}
	if o.Noise == nil {
		o.Noise = func(int, int) {}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// Handler gets what the peer sends, in the order of its lines, always from the
// one reader goroutine. While 1,024 requests of the peer are not answered, or 4 MiB
// of answers not written, the next request waits, and everything behind it.
type Handler interface {
	// Update is one session/update. It may block, which is the back-pressure on
	// the peer, but must not wait for an answer of the same connection. The raw
	// fields of the update are valid until it returns.
	Update(Update)
	// Request is a request of the peer. It must return soon and must see to it
	// that the request is answered exactly once, now or later, by any goroutine.
	Request(*Request)
	// Notification is any other message without an id: $/cancel_request,
	// session/cancel, _vendor/… . params belong to the callee; nil where absent.
	Notification(method string, params jsontext.Value, st agent.Stamp)
}

// Update is one session/update with what routing needs decoded.
type Update struct {
	Session    agent.ProviderSession
	Kind       agent.UpdateKind // as the peer wrote it; "" where it wrote none
	MessageID  string
	ToolCallID string
	Text       string // content.text, of the three chunk kinds only
	Stamp      agent.Stamp

	// Raw is the update object and Params the whole params object, as they came.
	// Both point into the reader's buffer: valid until Handler.Update returns.
	// Duplicate names and invalid UTF-8 may be in them.
	Raw    jsontext.Value
	Params jsontext.Value

	plain bool // the content is a text block: Text says all of it
}

// Conn is one connection. Its methods are safe for use from several goroutines.
type Conn struct {
	h   Handler
	w   io.Writer
	o   Options
	log *slog.Logger

	t       table
	n       counters
	noise   noise
	wake    chan struct{} // one slot: the writer has something to look at
	done    chan struct{} // closed when the reading side has ended
	written chan struct{} // closed when the writer has ended
	shut    func() error  // closes w, once
}

// New starts a connection that reads r and writes w and is the only user of
// both. Its reader ends when r does: whoever owns r must make it end. w.Close
// must make a blocked Write return, as it does for pipes. Call Close when done;
// the two goroutines end when r has ended and Close was called.
func New(r io.Reader, w io.WriteCloser, h Handler, o Options) *Conn {
	o = o.withDefaults()
	c := &Conn{
		h: h, w: w, o: o, log: o.Log,
		wake:    make(chan struct{}, 1),
		done:    make(chan struct{}),
		written: make(chan struct{}),
		shut:    sync.OnceValue(w.Close),
	}
	c.t.f = flight{
		calls: make(map[uint64]*Pending),
		room:  make(chan struct{}, o.Queue),
		gone:  make(chan struct{}),
		freed: make(chan struct{}, 1),
	}
	go c.read(r)
	go c.write()
	return c
}

// Done is closed when r has ended, everything read from it was handled, and
// every call has been completed.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err says why the reading side ended: nil while it has not, ErrClosed when r
// ended cleanly, else an error that wraps ErrClosed and the cause.
func (c *Conn) Err() (err error) {
	c.t.update(func(f *flight) { err = f.noRead })
	return err
}

// Close ends the writing side: nothing new is taken, what is queued is written
// for at most half a second, then w is closed. The reading side goes on, so that
// the last words of a peer that ends at EOF are still delivered and its answers
// still complete their calls. It may be called more than once and always
// returns the error of closing w, if any.
func (c *Conn) Close() error {
	c.t.update(func(f *flight) { f.closing = true })
	c.nudge()
	grace := time.NewTimer(closeGrace)
	defer grace.Stop()
	select {
	case <-c.written:
	case <-grace.C:
		c.stop(ErrClosed)
	}
	return c.shut()
}
