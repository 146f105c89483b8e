package window_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkList is the first call of a page with 1,000 tasks.
func BenchmarkList(b *testing.B) {
	r := raiseFor(b, b.TempDir(), quick())
	fill(b, r, 1000)
	b.ResetTimer()
	for b.Loop() {
		list, err := r.Tasks.List(false)
		require.NoError(b, err)
		require.Len(b, list.Rows, 1000)
	}
}

// BenchmarkOpen opens a task with a long transcript.
func BenchmarkOpen(b *testing.B) {
	r := raiseFor(b, b.TempDir(), &player{script: func(turn turn) {
		for i := range 1000 {
			turn.say(string(rune('a'+i%26))+string(rune('a'+i/26)), "a sentence of the agent")
		}
		turn.end()
	}})
	row := r.task("go")
	r.settled(row.Task, "done")
	b.ResetTimer()
	for b.Loop() {
		_, err := r.Tasks.Open(row.Task, "")
		require.NoError(b, err)
	}
}
