package proc

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
)

func everything([]byte) bool { return true }

// drained runs a drain over r to its end and returns what it kept of it.
func drained(d *drain, r io.Reader) []Line {
	go d.run(r)
	var got []Line
	for l := range d.lines {
		got = append(got, l)
	}
	return got
}

func TestLinesOfStderr(t *testing.T) {
	full, over := strings.Repeat("y", MaxLine), strings.Repeat("z", MaxLine+1)
	for _, row := range []struct {
		name, in string
		lines    []string
		stats    Stats
	}{
		{"nothing", "", nil, Stats{}},
		{"a line", "one\n", []string{"one"}, Stats{Lines: 1}},
		{"carriage returns", "one\r\ntwo\r\n", []string{"one", "two"}, Stats{Lines: 2}},
		{"empty lines", "\n\n", []string{"", ""}, Stats{Lines: 2}},
		{"no end", "one\ntwo", []string{"one", "two"}, Stats{Lines: 2}},
		{"the longest", full + "\r\n" + full, []string{full, full}, Stats{Lines: 2}},
		{"one byte more", over + "\nafter\n", []string{"after"}, Stats{Lines: 2, Overlong: 1}},
		{"overlong without end", "one\n" + over, []string{"one"}, Stats{Lines: 2, Overlong: 1}},
		{"far overlong", strings.Repeat(over, 10) + "\nafter\n" + over + over + "\nagain", []string{"after", "again"}, Stats{Lines: 4, Overlong: 2}},
		{"any bytes", "\x00\xff\x1b[31m\n", []string{"\x00\xff\x1b[31m"}, Stats{Lines: 1}},
	} {
		for name, wrap := range map[string]func(io.Reader) io.Reader{
			"whole": func(r io.Reader) io.Reader { return r },
			"half":  iotest.HalfReader,
			"bytes": iotest.OneByteReader,
			"error": iotest.DataErrReader,
		} {
			t.Run(row.name+", "+name, func(t *testing.T) {
				d := newDrain(everything, nil, nil)
				var got []string
				for _, l := range drained(d, wrap(strings.NewReader(row.in))) {
					got = append(got, string(l.Text))
				}
				assert.Equal(t, row.lines, got)
				row.stats.Bytes = uint64(len(row.in))
				assert.Equal(t, row.stats, d.stats())

				all := newDrain(everything, func([]byte) bool { return true }, nil)
				all.run(wrap(strings.NewReader(row.in)))
				assert.Equal(t, row.stats.Overlong, all.stats().Overlong, "where blocks are passed over")
				assert.Equal(t, row.stats.Lines, all.stats().Lines, "where blocks are passed over")
			})
		}
	}
}

func TestALineCutByTheEndSaysSo(t *testing.T) {
	got := drained(newDrain(everything, nil, nil), strings.NewReader("whole\ncut"))
	require.Len(t, got, 2)
	assert.False(t, got[0].Cut)
	assert.True(t, got[1].Cut)
}

func TestWithoutWantNothingIsKept(t *testing.T) {
	d := newDrain(nil, nil, nil)
	assert.Empty(t, drained(d, strings.NewReader("one\ntwo\n")))
	assert.Equal(t, uint64(2), d.stats().Lines)
}

func TestAFullChannelDropsAndCountsAndNeverWaits(t *testing.T) {
	d := newDrain(everything, nil, nil)
	d.run(strings.NewReader(strings.Repeat("line\n", 1000))) // nobody reads
	assert.Equal(t, uint64(1000-lineSlots), d.stats().Dropped)
	assert.Len(t, d.lines, lineSlots)
}

// turns gives out one chunk a read and raises the generation between them.
type turns struct {
	chunks []string
	gen    agent.Counter
	n      agent.Generation
}

func (r *turns) Read(b []byte) (int, error) {
	if len(r.chunks) == 0 {
		return 0, io.EOF
	}
	n := copy(b, r.chunks[0])
	r.chunks = r.chunks[1:]
	r.n++
	r.gen.Raise(r.n)
	return n, nil
}

func TestALineBelongsToTheTurnInWhichItsFirstByteWasRead(t *testing.T) {
	r := &turns{chunks: []string{"a\nb", "", "b\nc\n", "d\n", "e"}}
	d := newDrain(everything, nil, func() agent.Stamp { return agent.Stamp{Generation: r.gen.Current(), At: time.Now()} })
	got := map[string]agent.Generation{}
	for _, l := range drained(d, r) {
		got[string(l.Text)] = l.Stamp.Generation
	}
	assert.Equal(t, map[string]agent.Generation{"a": 1, "bb": 1, "c": 3, "d": 4, "e": 5}, got)
}

func TestALineBehindABlockThatIsPassedOverBelongsToItsOwnTurn(t *testing.T) {
	r := &turns{chunks: []string{"zz", "q\nb", "x\n"}}
	wanted := func(b []byte) bool { return bytes.IndexByte(b, 'x') >= 0 }
	d := newDrain(wanted, func(b []byte) bool { return !wanted(b) }, func() agent.Stamp { return agent.Stamp{Generation: r.gen.Current(), At: time.Now()} })
	got := drained(d, r)
	require.Len(t, got, 1)
	assert.Equal(t, "bx", string(got[0].Text))
	assert.Equal(t, agent.Generation(2), got[0].Stamp.Generation)
	assert.Equal(t, uint64(2), d.stats().Lines)
}

func FuzzStderr(f *testing.F) {
	f.Add([]byte("one\r\ntwo\n\nlast"), uint16(3), uint16(0))
	f.Add([]byte("\n\r\n\r"), uint16(1), uint16(32766))
	f.Add([]byte("x\ny"), uint16(700), uint16(32767))
	f.Fuzz(func(t *testing.T, in []byte, chunk, pad uint16) {
		in = append(bytes.Repeat([]byte{'p'}, 2*int(pad)), in...)
		var want []string
		overlong := uint64(0)
		rest := in
		for len(rest) > 0 {
			line, after, _ := bytes.Cut(rest, []byte{'\n'})
			rest = after
			line = bytes.TrimSuffix(line, []byte{'\r'})
			if len(line) > MaxLine {
				overlong++
			} else {
				want = append(want, string(line))
			}
		}
		var got []string
		d := newDrain(func(l []byte) bool { got = append(got, string(l)); return false }, nil, nil)
		d.run(&chunked{rest: in, size: int(chunk) + 1})
		if !assert.Equal(t, want, got) || !assert.Equal(t, overlong, d.stats().Overlong) {
			t.FailNow()
		}
		requireSameWhenPassedOver(t, &chunked{rest: in, size: int(chunk) + 1}, want, d.stats())
	})
}

// requireSameWhenPassedOver drains once more where only lines with an x are wanted
// and blocks without one are passed over: no line is missed and none miscounted.
func requireSameWhenPassedOver(t *testing.T, r io.Reader, lines []string, stats Stats) {
	t.Helper()
	wanted := func(b []byte) bool { return bytes.IndexByte(b, 'x') >= 0 }
	var want, got []string
	for _, l := range lines {
		if wanted([]byte(l)) {
			want = append(want, l)
		}
	}
	d := newDrain(func(l []byte) bool {
		if wanted(l) {
			got = append(got, string(l))
		}
		return false
	}, func(block []byte) bool { return !wanted(block) }, nil)
	d.run(r)
	if !assert.Equal(t, want, got) || !assert.Equal(t, stats, d.stats()) {
		t.FailNow()
	}
}

type chunked struct {
	rest []byte
	size int
}

func (c *chunked) Read(b []byte) (int, error) {
	if len(c.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), c.size)], c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

// BenchmarkStderr compares the drain of a pipe with one that looks at nothing.
func BenchmarkStderr(b *testing.B) {
	const size = 32 << 20
	chunk := bytes.Repeat([]byte("timestamp=2026-11-30T17:15:33.855Z level=INFO run=a1035371 message=stream small=false agent=build\n"), 600)
	want := func(l []byte) bool { return bytes.Contains(l, []byte("level=ERROR")) }
	none := func(block []byte) bool { return !want(block) }
	for _, row := range []struct {
		name string
		read func(io.Reader)
	}{
		{"ours", func(r io.Reader) { newDrain(want, none, nil).run(r) }},
		{"discard", func(r io.Reader) { _, _ = io.Copy(io.Discard, r) }},
	} {
		b.Run(row.name, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				r, w, err := os.Pipe()
				require.NoError(b, err)
				go func() {
					for sent := 0; sent < size; sent += len(chunk) {
						_, _ = w.Write(chunk[:min(len(chunk), size-sent)])
					}
					_ = w.Close()
				}()
				row.read(r)
				_ = r.Close()
			}
		})
	}
}
