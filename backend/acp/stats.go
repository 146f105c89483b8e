package acp

import "sync/atomic"

// Stats counts what a connection has read.
type Stats struct {
	Frames   uint64 // messages of any sort that were understood
	Updates  uint64 // session/update among them
	Garbage  uint64 // lines that are no message: text, HTML, broken or too deep JSON
	OverLong uint64 // lines over MaxLine
	Partial  uint64 // 1 when the stream ended in the middle of a message
	Batches  uint64 // arrays: ACP has no batches; answered with -32600 and dropped
	Stray    uint64 // answers to calls that were let go, answered before or never made
	Unknown  uint64 // updates of a kind that Turnwatch does not read; handled all the same
	Held     uint64 // times the reader waited: 1,024 requests open, or 4 MiB of answers unread
	Dropped  uint64 // requests over that bound after the writing side had ended
}

// counters are written by the reader alone and read by anybody.
type counters struct {
	frames, updates, garbage, overLong, partial, batches, stray, unknown, held, dropped atomic.Uint64
}

// Stats returns the counts so far.
func (c *Conn) Stats() Stats {
	return Stats{
		Frames:   c.n.frames.Load(),
		Updates:  c.n.updates.Load(),
		Garbage:  c.n.garbage.Load(),
		OverLong: c.n.overLong.Load(),
		Partial:  c.n.partial.Load(),
		Batches:  c.n.batches.Load(),
		Stray:    c.n.stray.Load(),
		Unknown:  c.n.unknown.Load(),
		Held:     c.n.held.Load(),
		Dropped:  c.n.dropped.Load(),
	}
}

// odd counts a line that could not be used and logs its length, each time the
// count has doubled, so that a flood of them is no flood of log records.
func (c *Conn) odd(n *atomic.Uint64, what string, length int) {
	if k := n.Add(1); k&(k-1) == 0 {
		c.log.Warn("acp: line skipped", "what", what, "bytes", length, "count", k)
	}
}
