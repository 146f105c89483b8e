package proc

import (
	"bytes"
	"io"
	"sync/atomic"
	"time"

	"turnwatch/backend/agent"
)

// MaxLine is the longest line of stderr that is looked at, in bytes without its
// end. A longer one is read and thrown away.
const MaxLine = 64 << 10

// lineSlots is the room between the draining goroutine and the reader of Lines.
const lineSlots = 64

// Line is one line of stderr, without its end. The stamp was taken when its
// first byte was read.
type Line struct {
	Stamp agent.Stamp
	Text  []byte
	Cut   bool // ended with the stream, not with a line end
}

// Stats counts what came over stderr.
type Stats struct {
	Bytes    uint64 // all of them
	Lines    uint64 // all lines, the overlong among them
	Overlong uint64 // lines over MaxLine, thrown away
	Dropped  uint64 // lines that Want accepted and that found no room
}

// drain reads a stream of lines for ever. It waits for nobody and its memory
// does not grow: that is what keeps a program from blocking on its stderr.
type drain struct {
	want  func([]byte) bool
	skips func([]byte) bool // nil never does
	stamp func() agent.Stamp
	lines chan Line

	bytes, count, overlong, dropped atomic.Uint64
}

func newDrain(want, skips func([]byte) bool, stamp func() agent.Stamp) *drain {
	if want == nil {
		want = func([]byte) bool { return false }
	}
	if stamp == nil {
		stamp = func() agent.Stamp { return agent.Stamp{At: time.Now()} }
	}
	return &drain{want: want, skips: skips, stamp: stamp, lines: make(chan Line, lineSlots)}
}

func (d *drain) stats() Stats {
	return Stats{Bytes: d.bytes.Load(), Lines: d.count.Load(), Overlong: d.overlong.Load(), Dropped: d.dropped.Load()}
}

// run reads r to its end and closes the channel of lines. Any error is an end.
func (d *drain) run(r io.Reader) {
	defer close(d.lines)
	var (
		buf   = make([]byte, 2*MaxLine)
		begun int         // where the unfinished line begins
		fill  int         // where the next byte goes
		skip  bool        // inside an overlong line
		first agent.Stamp // of the unfinished line
	)
	for {
		n, err := r.Read(buf[fill:min(fill+MaxLine, len(buf))])
		if n > 0 {
			now := d.stamp()
			d.bytes.Add(uint64(n))
			if begun == fill {
				first = now
			}
			at := fill // nothing before it holds a line end
			fill += n
			if past, ok := d.pass(buf[begun:fill], at-begun, skip); ok {
				if past > 0 {
					begun, first = begun+past, now
				}
				at = fill
			}
			for {
				i := bytes.IndexByte(buf[at:fill], '\n')
				if i < 0 {
					break
				}
				d.finish(buf[begun:at+i], first, skip, false)
				at += i + 1
				begun, skip, first = at, false, now
			}
		}
		if err != nil {
			if begun < fill || skip {
				d.finish(buf[begun:fill], first, skip, true)
			}
			return
		}
		// One byte over, for the carriage return that is not counted.
		if fill-begun > MaxLine+1 {
			skip = true
		}
		switch {
		case skip, begun == fill:
			begun, fill = 0, 0
		case fill > MaxLine:
			fill = copy(buf, buf[begun:fill])
			begun = 0
		}
	}
}

// pass counts the lines that end in a block behind its old bytes, where nobody
// wants any of them, and says where the unfinished line begins. False: each line
// must be looked at, because one may be wanted or too long.
func (d *drain) pass(block []byte, old int, overlong bool) (past int, ok bool) {
	head := bytes.IndexByte(block[old:], '\n')
	if d.skips == nil || overlong || len(block)-old > MaxLine || old+head > MaxLine || !d.skips(block) {
		return 0, false
	}
	if head < 0 {
		return 0, true
	}
	past = old + bytes.LastIndexByte(block[old:], '\n') + 1
	d.count.Add(uint64(bytes.Count(block[old:past], []byte{'\n'})))
	return past, true
}

// finish handles one line. A skipped one counts and carries nothing.
func (d *drain) finish(line []byte, s agent.Stamp, skipped, cut bool) {
	d.count.Add(1)
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	if skipped || len(line) > MaxLine {
		d.overlong.Add(1)
		return
	}
	if !d.want(line) {
		return
	}
	select {
	case d.lines <- Line{Stamp: s, Text: bytes.Clone(line), Cut: cut}:
	default:
		d.dropped.Add(1)
	}
}
