package acp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"turnwatch/backend/agent"
)

// noise is a row of lines that are no messages. It belongs to the reader.
type noise struct{ lines, bytes int }

// read is the reader goroutine. It calls the handler and completes the calls.
func (c *Conn) read(r io.Reader) {
	l := &lines{r: r, max: c.o.MaxLine, stamp: c.o.Stamp}
	s := newScanner()
	for {
		data, st, err := l.next()
		switch {
		case err == nil:
			c.handle(s, data, st)
		case errors.Is(err, errOverLong):
			c.odd(&c.n.overLong, "too long", l.skipped)
		default:
			c.handleRest(s, data, st)
			c.endReading(err)
			return
		}
	}
}

// handleRest handles what stands before the end of the stream without a newline:
// a whole message counts, half of one is counted.
func (c *Conn) handleRest(s *scanner, data []byte, st agent.Stamp) {
	if len(bytes.TrimSpace(data)) == 0 {
		return
	}
	if _, err := s.scan(data); err != nil {
		c.odd(&c.n.partial, "cut off by the end", len(data))
		return
	}
	c.handle(s, data, st)
}

func (c *Conn) endReading(cause error) {
	err := ErrClosed
	if !errors.Is(cause, io.EOF) {
		err = fmt.Errorf("read message: %w: %w", ErrClosed, cause)
	}
	c.t.update(func(f *flight) {
		f.noRead = err
		f.completeAll(err)
	})
	close(c.done)
}

// handle routes one line.
func (c *Conn) handle(s *scanner, data []byte, st agent.Stamp) {
	f, err := s.scan(data)
	switch {
	case errors.Is(err, errBatch):
		c.odd(&c.n.batches, "batch", len(data))
		c.refuse(jsontext.Value("null"), CodeInvalidRequest, "batches are not part of ACP")
		return
	case err != nil:
		if len(bytes.TrimSpace(data)) > 0 {
			c.odd(&c.n.garbage, "no message", len(data))
			c.noise.lines++
			c.noise.bytes += len(data)
			c.o.Noise(c.noise.lines, c.noise.bytes)
		}
		return
	}
	c.noise = noise{}
	c.n.frames.Add(1)
	switch {
	case f.method == "":
		c.answered(f)
	case f.method == methodUpdate:
		c.updated(f, st)
	case f.id != nil:
		c.requested(f, st)
	default:
		c.h.Notification(f.method, own(f.params), st)
	}
}

// updated hands over an update. One that came as a request is answered with null
// once it is handled.
func (c *Conn) updated(f frame, st agent.Stamp) {
	c.n.updates.Add(1)
	if !known(f.update.Kind) {
		c.n.unknown.Add(1)
	}
	f.update.Stamp = st
	var r *Request
	if f.id != nil {
		r = c.admit(f, st)
	}
	c.h.Update(f.update)
	if r != nil {
		_ = r.Respond(nil) // fails only when nobody can be answered any more
	}
}

func (c *Conn) requested(f frame, st agent.Stamp) {
	if r := c.admit(f, st); r != nil {
		c.h.Request(r)
	}
}

// answered completes the call that the answer names.
func (c *Conn) answered(f frame) {
	var p *Pending
	if id, ok := callID(f.id); ok {
		c.t.update(func(t *flight) { p = t.calls[id] })
	}
	if p == nil {
		c.n.stray.Add(1)
		return
	}
	raw, fault := own(f.result), error(nil)
	switch {
	case f.fault != nil && f.fault.Kind() != 'n':
		raw, fault = nil, parseError(p.method, f.fault)
	case raw == nil:
		raw = jsontext.Value("null") // JavaScript drops an undefined result
	}
	hit := false
	c.t.update(func(t *flight) { hit = t.complete(p.id, raw, fault) })
	if !hit {
		c.n.stray.Add(1) // let go of in the meantime
	}
}

// callID reads the id of an answer. Ours are numbers; a peer that echoes them as
// text is understood.
func callID(id jsontext.Value) (uint64, bool) {
	n, err := strconv.ParseUint(string(bytes.Trim(id, `"`)), 10, 64)
	return n, err == nil
}

// own copies a value out of the reader's buffer.
func own(v jsontext.Value) jsontext.Value { return bytes.Clone(v) }

func known(k agent.UpdateKind) bool {
	switch k {
	case agent.UserChunk, agent.MessageChunk, agent.ThoughtChunk, agent.ToolCalled,
		agent.ToolChanged, agent.PlanChanged, agent.UsageChanged, agent.CommandsListed,
		agent.ModeChanged, agent.OptionsChanged, agent.InfoChanged, agent.NoticeSent:
		return true
	}
	return false
}
