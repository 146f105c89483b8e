package acp

import (
	"bytes"
	"errors"
	"io"

	"turnwatch/backend/agent"
)

const (
	firstBuffer = 64 << 10 // what a pipe holds
	keepBuffer  = 1 << 20  // a larger buffer is let go after its line
	emptyReads  = 100      // reads of nothing in a row before the reader gives up
)

// errOverLong says that a line was longer than the bound and was skipped whole.
var errOverLong = errors.New("line too long")

// lines cuts a stream into lines of any length up to max, in one buffer that is
// used again for every line. It belongs to one goroutine.
type lines struct {
	r     io.Reader
	max   int
	stamp func() agent.Stamp

	buf        []byte
	start, end int // the unread bytes are buf[start:end]
	seen       int // buf[start:seen] holds no newline
	skipping   bool
	skipped    int // bytes of the line that is or was skipped
	err        error

	filled agent.Stamp // when the newest bytes were read
	first  agent.Stamp // when the first byte of the line in hand was read
}

// next returns the next line without its newline, valid until the next call, and
// the stamp of its first byte. errOverLong tells of a skipped line, whose length
// is then in skipped; reading goes on after it. At the end of the stream it
// returns what is left of a line, possibly nothing, with io.EOF or the error of
// the reader.
func (l *lines) next() ([]byte, agent.Stamp, error) {
	l.release()
	for {
		if i := bytes.IndexByte(l.buf[l.seen:l.end], '\n'); i >= 0 {
			return l.cut(l.seen + i)
		}
		l.seen = l.end
		if l.end-l.start > l.max {
			l.drop()
		}
		if l.err != nil {
			return l.finish()
		}
		l.fill()
	}
}

// cut ends the line in hand at the newline at position i.
func (l *lines) cut(i int) ([]byte, agent.Stamp, error) {
	line, st := l.buf[l.start:i], l.first
	l.start, l.seen, l.first = i+1, i+1, l.filled
	switch {
	case l.skipping:
		l.skipping = false
		l.skipped += len(line)
		return nil, st, errOverLong
	case len(line) > l.max:
		l.skipped = len(line)
		return nil, st, errOverLong
	}
	return line, st, nil
}

// drop throws away the bytes of a line that has grown too long.
func (l *lines) drop() {
	if !l.skipping {
		l.skipping, l.skipped = true, 0
	}
	l.skipped += l.end - l.start
	l.start, l.end, l.seen = 0, 0, 0
}

// finish hands out the rest of the stream.
func (l *lines) finish() ([]byte, agent.Stamp, error) {
	if l.skipping {
		l.skipping = false
		l.skipped += l.end - l.start
		l.start, l.seen = l.end, l.end
		return nil, l.first, errOverLong
	}
	line := l.buf[l.start:l.end]
	l.start, l.seen = l.end, l.end
	return line, l.first, l.err
}

// fill reads once, making room first.
func (l *lines) fill() {
	if l.start == l.end {
		l.start, l.end, l.seen = 0, 0, 0
	}
	if l.end == len(l.buf) {
		l.grow()
	}
	fresh := l.start == l.end && !l.skipping
	for range emptyReads {
		n, err := l.r.Read(l.buf[l.end:])
		if n > 0 {
			l.filled = l.stamp()
			if fresh {
				l.first = l.filled
			}
			l.end += n
		}
		l.err = err
		if n > 0 || err != nil {
			return
		}
	}
	l.err = io.ErrNoProgress
}

// grow makes room behind the unread bytes: by moving them to the front, or with
// a buffer twice as large.
func (l *lines) grow() {
	if l.start > 0 {
		l.end = copy(l.buf, l.buf[l.start:l.end])
		l.seen -= l.start
		l.start = 0
		if l.end <= len(l.buf)/2 {
			return
		}
	}
	size := max(firstBuffer, min(2*len(l.buf), l.max+firstBuffer))
	if size <= len(l.buf) {
		return
	}
	b := make([]byte, size)
	copy(b, l.buf[:l.end])
	l.buf = b
}

// release lets go of a buffer that an unusually long line has left behind.
func (l *lines) release() {
	if l.start == l.end && len(l.buf) > keepBuffer {
		l.buf, l.start, l.end, l.seen = nil, 0, 0, 0
	}
}
