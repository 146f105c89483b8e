package acp_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"turnwatch/backend/acp"
	"turnwatch/backend/agent"
)

// TestEveryLine: whatever the lengths of lines and reads, every line within the
// bound arrives once, whole and in order, and every longer one is counted.
func TestEveryLine(t *testing.T) {
	const maxLine = 150_000
	rapid.Check(t, func(t *rapid.T) {
		lengths := rapid.SliceOfN(rapid.OneOf(
			rapid.IntRange(0, 300),
			rapid.IntRange(60_000, 70_000),
			rapid.IntRange(120_000, 400_000),
		), 1, 12).Draw(t, "lengths")
		size := rapid.OneOf(rapid.IntRange(50, 5000), rapid.IntRange(60_000, 1<<20)).Draw(t, "read size")
		var in bytes.Buffer
		var want []string
		long := uint64(0)
		for i, n := range lengths {
			line := fmt.Sprintf(`{"method":"m%d","params":"%s"}`, i, strings.Repeat("x", n))
			in.WriteString(line + "\n")
			if len(line) > maxLine {
				long++
			} else {
				want = append(want, fmt.Sprintf("m%d %d", i, n))
			}
		}
		h := &lengthHandler{}
		c := acp.New(&smallReads{&in, size}, nopCloser{io.Discard}, h, acp.Options{MaxLine: maxLine})
		<-c.Done()
		require.NoError(t, c.Close())
		require.Equal(t, want, h.got)
		require.Equal(t, acp.Stats{Frames: uint64(len(want)), OverLong: long}, c.Stats())
	})
}

// lengthHandler notes each notification and the length of its text.
type lengthHandler struct{ got []string }

func (h *lengthHandler) Update(acp.Update)      {}
func (h *lengthHandler) Request(r *acp.Request) { _ = r.Refuse() }
func (h *lengthHandler) Notification(m string, params jsontext.Value, _ agent.Stamp) {
	h.got = append(h.got, fmt.Sprintf("%s %d", m, len(params)-2))
}
