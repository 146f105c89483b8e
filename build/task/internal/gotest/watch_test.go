package gotest_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"turnwatch/build/task/internal/gotest"
)

var update = flag.Bool("update", false, "write the golden files")

// watch feeds a recording and returns all that a person would read.
func watch(recording string, pieces func(rest string) int) (shown string, sum gotest.Summary) {
	var b strings.Builder
	w := gotest.Watch(func(line string) { b.WriteString(line + "\n") })
	for rest := recording; rest != ""; {
		n := min(max(pieces(rest), 1), len(rest))
		_, _ = w.Write([]byte(rest[:n]))
		rest = rest[n:]
	}
	sum = w.Summary()
	for _, line := range sum.Report() {
		b.WriteString(line + "\n")
	}
	b.WriteString(sum.Closing() + "\n")
	return b.String(), sum
}

func whole(rest string) int { return len(rest) }

func read(t require.TestingT, name string) string {
	data, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return string(data)
}

// The recordings are of go test -json over small packages.
func TestRecordings(t *testing.T) {
	tests := []struct {
		name                    string
		passed, failed, skipped int
		packages, broken        int
	}{
		{"good", 4, 0, 2, 1, 0},   // parents of subtests are not counted
		{"bad", 3, 2, 0, 1, 1},    // a subtest that failed, and a parent that failed by itself
		{"boom", 1, 1, 0, 1, 1},   // a panic ends the package
		{"broken", 0, 1, 0, 1, 1}, // it does not build
		{"leak", 1, 1, 0, 1, 1},   // every test passes, TestMain fails
		{"none", 0, 0, 0, 0, 0},   // no test files
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			shown, sum := watch(read(t, tt.name+".json"), whole)
			assert.Equal(t, []int{tt.passed, tt.failed, tt.skipped, tt.packages, tt.broken},
				[]int{sum.Passed, sum.Failed, sum.Skipped, sum.Packages, sum.FailedPackages})
			assert.Len(t, sum.Failures, tt.failed, "each failure has a name")
			assert.NotContains(t, shown, "quiet words of a passing test")

			golden := filepath.Join("testdata", tt.name+".golden")
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(shown), 0o644))
			}
			assert.Equal(t, read(t, tt.name+".golden"), shown)
		})
	}
}

func TestPiecesDoNotMatter(t *testing.T) {
	recording := read(t, "bad.json") + read(t, "good.json") + read(t, "broken.json")
	want, _ := watch(recording, whole)
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 400)
		got, _ := watch(recording, func(string) int { return size.Draw(t, "size") })
		assert.Equal(t, want, got)
	})
}

func TestWhatIsNoEventIsShown(t *testing.T) {
	shown, sum := watch("go: no such tool\n{\"half\": \n{}\n  \nlast line without an end", whole)
	assert.Equal(t, "go: no such tool\n{\"half\":\n{}\nlast line without an end\npackages with tests: 0\ntests: 0 passed, 0 failed, 0 skipped\n", shown)
	assert.Zero(t, sum.Passed)
}

func TestCachedPackagesAreCounted(t *testing.T) {
	shown, sum := watch(`{"Action":"output","Package":"a/b","Output":"ok  \ta/b\t(cached)\n"}`+"\n"+`{"Action":"pass","Package":"a/b"}`+"\n", whole)
	assert.Equal(t, 1, sum.Cached)
	assert.Contains(t, shown, "packages with tests: 1 (1 unchanged)")
}

func FuzzWatch(f *testing.F) {
	f.Add([]byte(read(f, "bad.json")))
	f.Add([]byte(`{"Action":"fail","Package":"p","Test":"a//b/"}`))
	f.Add([]byte("{}\n{\"Action\":\"build-fail\"}\n\r\n"))
	f.Fuzz(func(t *testing.T, output []byte) {
		_, sum := watch(string(output), whole)
		if len(sum.Failures) != sum.Failed {
			t.Fatalf("%d failures, %d of them with a name", sum.Failed, len(sum.Failures))
		}
	})
}
