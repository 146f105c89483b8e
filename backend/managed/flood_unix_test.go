//go:build unix

package managed_test

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
)

// floodBytes is how much the flooding agent writes to stderr before and after its
// one true record.
const floodBytes = 32 << 20

// flood writes what a chatty OpenCode does, and one record in the middle of it.
func flood(w io.Writer, each int) {
	line := `timestamp=2026-11-30T17:15:33.855Z level=INFO run=a1035371 message=stream providerID=fake modelID=main session.id=ses_flood small=false agent=build` + "\n"
	block := bytes.Repeat([]byte(line), 64<<10/len(line))
	pour := func() {
		for n := 0; n < each; n += len(block) {
			_, _ = w.Write(block)
		}
	}
	pour()
	_, _ = io.WriteString(w, now()+` level=ERROR run=a1035371 message="stream error" providerID=fake modelID=main session.id=ses_flood small=false agent=build mode=primary error.error="AI_APICallError: Weekly usage limit reached. Resets in 4 days."`+"\n")
	pour()
}

func floods(f *fake, m frame) bool {
	switch m.Method {
	case "session/new":
		f.answer(m.ID, `{"sessionId":"ses_flood"}`)
	case "session/prompt":
		flood(os.Stderr, floodBytes)
		f.say("done")
		f.answer(m.ID, `{"stopReason":"end_turn"}`)
	default:
		return false
	}
	return true
}

// TestAFloodOfStderrHidesNoRecord: the pipe is drained to the end, nothing grows,
// and the one record comes through.
func TestAFloodOfStderrHidesNoRecord(t *testing.T) {
	r := newRig(t)
	r.kind = agent.OpenCode
	c := r.open("flood")
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	_, events := r.turn(c, "go")
	runtime.GC()
	runtime.ReadMemStats(&after)
	assert.Less(t, int64(after.HeapAlloc)-int64(before.HeapAlloc), int64(8<<20))
	seen := 0
	for _, ev := range events {
		if f, ok := ev.(agent.FailureSeen); ok {
			seen++
			assert.Equal(t, agent.Code("quota_limited"), f.Failure.Code)
		}
	}
	assert.Equal(t, 1, seen)
}

// BenchmarkFlood drains a flood through the whole way of a line, and beside it by
// "cat >/dev/null".
func BenchmarkFlood(b *testing.B) {
	self, err := os.Executable()
	require.NoError(b, err)
	b.Run("ours", func(b *testing.B) {
		b.SetBytes(2 * floodBytes)
		r := newRig(b)
		r.kind = agent.OpenCode
		c := r.open("flood")
		for b.Loop() {
			r.turn(c, "go")
		}
	})
	b.Run("rawcat", func(b *testing.B) {
		b.SetBytes(2 * floodBytes)
		for b.Loop() {
			cmd := exec.Command("sh", "-c", `"$0" 2>&1 >/dev/null | cat >/dev/null`, self)
			cmd.Env = append(os.Environ(), fakeVar+"=pour")
			out, err := cmd.CombinedOutput()
			require.NoError(b, err, strings.TrimSpace(string(out)))
		}
	})
}
