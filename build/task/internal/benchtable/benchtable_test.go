package benchtable_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/build/task/internal/benchtable"
)

var update = flag.Bool("update", false, "write the golden files")

func parse(t *testing.T, output string) benchtable.Run {
	t.Helper()
	run, err := benchtable.Parse(strings.NewReader(output))
	require.NoError(t, err)
	return run
}

func TestTableOfARun(t *testing.T) {
	output, err := os.ReadFile(filepath.Join("testdata", "run.txt"))
	require.NoError(t, err)
	got := benchtable.Markdown(parse(t, string(output)), "go1.26.8")
	golden := filepath.Join("testdata", "run.md")
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}

// rows are the cells of the table of one benchmark output, without its head.
func rows(t *testing.T, output string) []string {
	t.Helper()
	table, _, _ := strings.Cut(benchtable.Markdown(parse(t, output), "go1.26"), "\n\n")
	return strings.Split(table, "\n")[2:]
}

func TestRows(t *testing.T) {
	tests := []struct {
		name   string
		output string
		want   []string
	}{
		{
			"the baseline is the first that is not ours",
			"BenchmarkX/ours 1 300 ns/op\nBenchmarkX/theirs 1 100 ns/op\nBenchmarkX/other 1 50 ns/op\n",
			[]string{"|  X | ours | 300 ns | × 3.00 |  |", "|  X | theirs | 100 ns | baseline |  |", "|  X | other | 50 ns | × 0.50 |  |"},
		},
		{
			"raw goes before others",
			"BenchmarkX/stream 1 300 ns/op\nBenchmarkX/rawinsert 1 100 ns/op\n",
			[]string{"|  X | stream | 300 ns | × 3.00 |  |", "|  X | rawinsert | 100 ns | baseline |  |"},
		},
		{
			"members that are no contenders",
			"BenchmarkX/keys 1 200 ns/op\nBenchmarkX/dots 1 300 ns/op\n",
			[]string{"|  X | keys | 200 ns |  |  |", "|  X | dots | 300 ns |  |  |"},
		},
		{
			"of sizes the first is",
			"BenchmarkX/1000 1 200 ns/op\nBenchmarkX/1000000 1 300 ns/op\n",
			[]string{"|  X | 1000 | 200 ns | baseline |  |", "|  X | 1000000 | 300 ns | × 1.50 |  |"},
		},
		{
			"a group of one is compared with nothing",
			"BenchmarkX/ours 1 2500000 ns/op\nBenchmarkY 1 1500000000 ns/op\n",
			[]string{"|  X | ours | 2.50 ms |  |  |", "|  Y |  | 1.50 s |  |  |"},
		},
		{
			"metrics of its own stand in for the time, allocations beside the first",
			"BenchmarkX 1 5 ns/op 12.5 MB/s 70000 parts/s 8 B/op 3 allocs/op\n",
			[]string{"|  X |  | 12.5 MB/s |  | 3 |", "|  X |  | 70,000 parts/s |  |  |"},
		},
		{
			"a metric that the baseline lacks, and a baseline of nothing",
			"BenchmarkX/raw 1 5 ns/op 0 lost/op\nBenchmarkX/ours 1 5 ns/op 2 lost/op 9 kept/op\n",
			[]string{"|  X | raw | 0 lost/op | baseline |  |", "|  X | ours | 2 lost/op |  |  |", "|  X | ours | 9 kept/op |  |  |"},
		},
		{
			"the median of repetitions",
			"BenchmarkX 1 900 ns/op\nBenchmarkX 1 100 ns/op\nBenchmarkX 1 200 ns/op\n",
			[]string{"|  X |  | 200 ns |  |  |"},
		},
		{
			"processors are cut off where every name has them",
			"BenchmarkX/a-8 1 1 ns/op\nBenchmarkY-8 1 1 ns/op\n",
			[]string{"|  X | a | 1 ns |  |  |", "|  Y |  | 1 ns |  |  |"},
		},
		{
			"and are part of the name where one lacks them",
			"BenchmarkX/utf-8 1 1 ns/op\nBenchmarkY 1 1 ns/op\n",
			[]string{"|  X | utf-8 | 1 ns |  |  |", "|  Y |  | 1 ns |  |  |"},
		},
		{
			"the same name in two rooms",
			"pkg: m/acp\nBenchmarkX/a 1 1 ns/op\npkg: m/history\nBenchmarkX/b 1 2 ns/op\n",
			[]string{"| acp X | a | 1 ns |  |  |", "| history X | b | 2 ns |  |  |"},
		},
		{
			"a name with a bar stays in its cell",
			"BenchmarkX/a|b 1 1 ns/op\n",
			[]string{`|  X | a\|b | 1 ns |  |  |`},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, rows(t, tt.output))
		})
	}
}

func TestParseTellsBrokenLines(t *testing.T) {
	tests := []struct {
		name, output, err string
	}{
		{"no unit", "BenchmarkX 100 5 ns/op 7\n", "a value without a unit"},
		{"no number", "BenchmarkX 100 5 ns/op many B/op\n", `value "many" is no number`},
		{"a log line is none", "BenchmarkX says hello to you\n", ""},
		{"the name alone is none", "BenchmarkX\n", ""},
		{"an endless line", "BenchmarkX 100 " + strings.Repeat("9", 2<<20) + "\n", "token too long"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			run, err := benchtable.Parse(strings.NewReader(tt.output))
			if tt.err != "" {
				require.ErrorContains(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			assert.Empty(t, run.Results)
		})
	}
}

func TestSplice(t *testing.T) {
	begin, end := benchtable.Begin, benchtable.End
	tests := []struct {
		name, document, want string
	}{
		{"an empty place", "# Us\n" + begin + "\n" + end + "\nmore\n", "# Us\n" + begin + "\nTABLE\n" + end + "\nmore\n"},
		{"an old table", begin + "\nold\n\nold\n" + end, begin + "\nTABLE\n" + end},
		{"no place", "# Us\n", ""},
		{"no end", begin + "\nrest of the README\n", ""},
		{"in the wrong order", end + "\n" + begin, ""},
		{"twice", begin + end + begin + end, ""},
		{"two ends", begin + "\n" + end + "\ntext\n" + end, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := benchtable.Splice(tt.document, "TABLE\n")
			if tt.want == "" {
				require.ErrorIs(t, err, benchtable.ErrNoPlace)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tt.want, got)
			again, err := benchtable.Splice(got, "TABLE\n")
			require.NoError(t, err)
			assert.Equal(t, got, again, "once more changes nothing")
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add("BenchmarkX/ours-2 1 300 ns/op 5 B/op\nBenchmarkX/raw-2 1 0 ns/op\n")
	f.Add("pkg: a/b\nBenchmark 1 NaN x\nBenchmark-1 1 -1e308 x\n")
	f.Fuzz(func(t *testing.T, output string) {
		run, err := benchtable.Parse(strings.NewReader(output))
		if err != nil {
			return
		}
		table, _, _ := strings.Cut(benchtable.Markdown(run, "go1.26"), "\n\n")
		for _, line := range strings.Split(table, "\n") {
			if got := strings.Count(line, "|") - strings.Count(line, `\|`); got != 6 {
				t.Fatalf("%d bars in %q", got, line)
			}
		}
	})
}
