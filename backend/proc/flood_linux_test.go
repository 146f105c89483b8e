package proc_test

import (
	"bytes"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/proc"
)

func TestAProgramIsNeverHeldUpByItsStderr(t *testing.T) {
	for _, row := range []struct {
		name   string
		args   []string // pairs: lines, length
		wanted int
		stats  proc.Stats
	}{
		{"a line of 70,000 bytes", []string{"1", "70000"}, 1, proc.Stats{Bytes: 70_010, Lines: 2, Overlong: 1}},
		{"a line of 20 MB", []string{"1", "20000000"}, 1, proc.Stats{Bytes: 20_000_010, Lines: 2, Overlong: 1}},
		{"100 MB with a wanted line in the middle", []string{"500000", "99", "500000", "99"}, 2, proc.Stats{Bytes: 100_000_018, Lines: 1_000_002}},
	} {
		t.Run(row.name, func(t *testing.T) {
			o := options("stderr", row.args...)
			o.Want = func(l []byte) bool { return bytes.HasPrefix(l, []byte("wanted")) }
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			p := start(t, o)
			var got []proc.Line
			for l := range p.Lines() {
				got = append(got, l)
			}
			runtime.ReadMemStats(&after)
			assert.Equal(t, 7, done(t, p).Code)
			require.Len(t, got, row.wanted)
			assert.Equal(t, "wanted 0", string(got[0].Text))
			assert.False(t, got[0].Stamp.At.IsZero())
			assert.Equal(t, row.stats, p.Stats())
			assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(16<<20), "memory grows with the flood")
		})
	}
}

func TestAFloodThatNobodyReadsDoesNotHoldTheProgramUp(t *testing.T) {
	o := options("stderr", "100000", "99")
	o.Want = func([]byte) bool { return true }
	p := start(t, o)
	assert.Equal(t, 7, done(t, p).Code)
	for range p.Lines() { // what found room
	}
	assert.NotZero(t, p.Stats().Dropped)
}
