package proc_test

import (
	"bytes"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/diagnose"
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

// floodOf starts the flood with nothing but the prefilter of real agents before it.
func floodOf(size int) proc.Options {
	o := options("flood", strconv.Itoa(size))
	o.Want, o.Pass = diagnose.Prefilter, diagnose.Silent
	return o
}

func TestAFloodOf512MBHidesNoRecordAndTakesNoMemory(t *testing.T) {
	const size = 512 << 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	p := start(t, floodOf(size))
	var got []string
	for l := range p.Lines() {
		got = append(got, string(l.Text))
	}
	runtime.ReadMemStats(&after)
	assert.Equal(t, 7, done(t, p).Code)
	assert.Equal(t, []string{strings.TrimSuffix(record, "\n")}, got)
	assert.GreaterOrEqual(t, p.Stats().Bytes, uint64(size))
	assert.Zero(t, p.Stats().Dropped)
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(16<<20), "memory grows with the flood")
}

// BenchmarkFlood drains 2 GB of chatter with one record in it, and beside it lets
// "cat >/dev/null" do so: five runs of each in turns, of which the median counts.
func BenchmarkFlood(b *testing.B) {
	const size, runs = 2 << 30, 5
	var ours, cats []time.Duration
	measure := func(b *testing.B) {
		for len(ours) < runs {
			ours = append(ours, drainFlood(b, size))
			cats = append(cats, catFlood(b, size))
		}
		slices.Sort(ours)
		slices.Sort(cats)
	}
	for _, row := range []struct {
		name string
		took *[]time.Duration
	}{{"ours", &ours}, {"rawcat", &cats}} {
		b.Run(row.name, func(b *testing.B) {
			measure(b)
			for b.Loop() { // what is told was measured above
			}
			median := (*row.took)[runs/2]
			b.ReportMetric(float64(median.Nanoseconds()), "ns/op")
			b.ReportMetric(size/1e6/median.Seconds(), "MB/s")
		})
	}
}

func drainFlood(b *testing.B, size int) time.Duration {
	began := time.Now()
	p, err := proc.Start(b.Context(), floodOf(size))
	require.NoError(b, err)
	records := 0
	for range p.Lines() {
		records++
	}
	took := time.Since(began)
	<-p.Done()
	require.Equal(b, 7, p.Exit().Code)
	require.Equal(b, 1, records)
	require.NoError(b, p.Stdout().Close())
	return took
}

func catFlood(b *testing.B, size int) time.Duration {
	o := floodOf(size)
	r, w, err := os.Pipe()
	require.NoError(b, err)
	cat := exec.Command("cat")
	cat.Stdin = r
	began := time.Now()
	require.NoError(b, cat.Start())
	require.NoError(b, r.Close())
	program := exec.Command(o.Path, o.Args...)
	program.Env, program.Stderr = o.Env, w
	require.NoError(b, program.Start())
	require.NoError(b, w.Close())
	require.NoError(b, cat.Wait())
	took := time.Since(began)
	_ = program.Wait()
	require.Equal(b, 7, program.ProcessState.ExitCode())
	return took
}
