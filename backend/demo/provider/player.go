package provider

import (
	"context"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
)

// player carries out one answer. It lives as long as its request and is used by
// the request's goroutine alone.
type player struct {
	ask      ask
	n        int
	w        http.ResponseWriter
	http     *http.Request
	provider *Provider
	enc      encoder
	headed   bool // the headers are out
	opened   bool // the first events are out
}

// play answers, and says how it ended. It blocks for as long as the answer says,
// never longer than the client and the provider's context live.
func (p *player) play(a answer) End {
	ctx, cancel := context.WithCancel(p.http.Context())
	defer cancel()
	defer context.AfterFunc(p.provider.ctx, cancel)()
	p.enc = newEncoder(p.ask, p.n, p.provider.clock.Now().Unix())
	if a.status != 0 {
		p.status(a)
		return Answered
	}
	if !p.ask.stream {
		return p.whole(ctx, a.steps)
	}
	for _, s := range a.steps {
		if over, how := p.step(ctx, s); over {
			return how
		}
	}
	p.head()
	return Answered
}

func (p *player) status(a answer) {
	h := p.w.Header()
	h.Set("content-type", a.contentType)
	h.Set("request-id", "req_fake"+strconv.Itoa(p.n))
	for k, v := range a.header {
		if v == "" {
			h.Del(k)
			continue
		}
		h.Set(k, v)
	}
	p.w.WriteHeader(a.status)
	_, _ = io.WriteString(p.w, a.body)
}

// whole answers in one piece. What would break a stream breaks the answer before
// its headers; a stream that would just end gives an answer without a reason.
func (p *player) whole(ctx context.Context, steps []step) End {
	r, rest := whole(steps)
	if len(rest) > 0 {
		switch s := rest[0]; s.kind {
		case hang, drip:
			return p.wait(ctx)
		case cut, cutRST:
			return p.drop(s.kind)
		case fail:
			p.status(openAI(http.StatusInternalServerError, s.text, "server_error", nil))
			return Answered
		}
	}
	writeJSON(p.w, http.StatusOK, p.enc.whole(r))
	return Answered
}

// step carries out one step of a stream; over says that nothing may follow.
func (p *player) step(ctx context.Context, s step) (over bool, how End) {
	if ctx.Err() != nil {
		return true, p.gone()
	}
	switch s.kind {
	case hang:
		return true, p.wait(ctx)
	case cut, cutRST:
		return true, p.drop(s.kind)
	case head:
		p.head()
		return false, ""
	}
	p.open()
	switch s.kind {
	case say:
		p.send(p.enc.say(s.text)...)
	case think:
		p.send(p.enc.think(s.text)...)
	case use:
		p.send(p.enc.use(s.call)...)
	case raw:
		p.bytes(s.text)
	case fail:
		p.send(p.enc.fail(s.text, "server_is_overloaded")...)
	case end:
		p.send(p.enc.close(s.end, s.usage)...)
	case drip:
		return true, p.drip(ctx, s)
	}
	if s.wait > 0 && !p.sleep(ctx, s.wait) {
		return true, p.gone()
	}
	return false, ""
}

// drip keeps the stream alive without saying anything.
func (p *player) drip(ctx context.Context, s step) End {
	for p.sleep(ctx, max(s.wait, time.Millisecond)) {
		if s.text == "" {
			p.bytes(": keepalive\n\n")
			continue
		}
		p.send(p.enc.say("")...)
	}
	return p.gone()
}

// head sends the headers, once.
func (p *player) head() {
	if p.headed {
		return
	}
	p.headed = true
	h := p.w.Header()
	h.Set("content-type", "text/event-stream")
	h.Set("cache-control", "no-cache")
	h.Set("request-id", "req_fake"+strconv.Itoa(p.n))
	p.w.WriteHeader(http.StatusOK)
	p.flush()
}

// open sends the headers and the dialect's opening, once. It comes before
// anything else that the encoder is asked for: encoders count.
func (p *player) open() {
	p.head()
	if !p.opened {
		p.opened = true
		p.send(p.enc.open()...)
	}
}

// send writes events.
func (p *player) send(evs ...event) {
	var text string
	for _, e := range evs {
		if e.name != "" {
			text += "event: " + e.name + "\n"
		}
		data := e.text
		if e.data != nil {
			data = encode(e.data)
		}
		text += "data: " + data + "\n\n"
	}
	p.bytes(text)
}

// bytes writes and flushes. A client that is gone is noticed by its context.
func (p *player) bytes(text string) {
	_, _ = io.WriteString(p.w, text)
	p.flush()
}

func (p *player) flush() { _ = http.NewResponseController(p.w).Flush() }

// wait waits for the client or the provider to go.
func (p *player) wait(ctx context.Context) End {
	<-ctx.Done()
	return p.gone()
}

func (p *player) gone() End {
	if p.provider.ctx.Err() != nil {
		return ServerGone
	}
	return ClientGone
}

// sleep waits, and reports whether the whole time passed.
func (p *player) sleep(ctx context.Context, d time.Duration) bool {
	woken := make(chan struct{})
	stop := p.provider.clock.AfterFunc(d, func() { close(woken) })
	defer stop()
	select {
	case <-woken:
		return true
	case <-ctx.Done():
		return false
	}
}

// drop closes the connection below HTTP. A reset throws away what the client has
// not read yet.
func (p *player) drop(kind stepKind) End {
	c, _, err := http.NewResponseController(p.w).Hijack()
	if err != nil {
		return Dropped
	}
	if t, ok := c.(*net.TCPConn); ok && kind == cutRST {
		_ = t.SetLinger(0)
	}
	_ = c.Close()
	return Dropped
}
