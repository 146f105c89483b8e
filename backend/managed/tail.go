package managed

import (
	"bytes"
	"sync"

	"turnwatch/backend/redact"
)

// Bounds of the tail.
const (
	tailLines = 50
	tailWidth = 2 << 10
)

// tail holds the last lines that a process wrote to stderr, in memory only. Raw
// lines never leave it: outside they are sanitised. Safe for several goroutines;
// never blocks.
type tail struct {
	mu    sync.Mutex
	lines [][]byte // oldest first, at most tailLines of at most tailWidth bytes
}

func (t *tail) add(line []byte) {
	if len(bytes.TrimSpace(line)) == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.lines) == tailLines {
		copy(t.lines, t.lines[1:])
		t.lines = t.lines[:tailLines-1]
	}
	t.lines = append(t.lines, bytes.Clone(line[:min(len(line), tailWidth)]))
}

// clear forgets everything.
func (t *tail) clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines = nil
}

// shown returns the lines fit for the screen. Lines of which nothing is left are
// left out.
func (t *tail) shown() []string {
	t.mu.Lock()
	raw := bytes.Join(t.lines, []byte("\n"))
	t.mu.Unlock()
	var out []string
	for line := range bytes.SplitSeq(raw, []byte("\n")) {
		if s := redact.Line(string(line), 500); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// text returns the raw lines, for the recognition of why a start failed. The
// result must not be kept or handed on.
func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.Join(t.lines, []byte("\n")))
}
