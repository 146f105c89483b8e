package diagnose_test

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/diagnose"
)

var update = flag.Bool("update", false, "write the golden files anew")

// What OpenCode 1.18.33 wrote to stderr in 77 recorded runs, each kind of line
// once, and what becomes of it.
func TestRecordedLines(t *testing.T) {
	file, err := os.Open("testdata/opencode.stderr")
	require.NoError(t, err)
	defer file.Close()
	var out strings.Builder
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		f, why := diagnose.Read(lines.Bytes(), open)
		if why != "" {
			fmt.Fprintf(&out, "%s: %.70s\n", why, lines.Text())
			continue
		}
		d := f.Diagnostic
		fmt.Fprintf(&out, "%s: %s/%s %q", f.Class.Code, d.ProviderID, d.ModelID, d.Message)
		if !d.ResetAt.IsZero() {
			fmt.Fprintf(&out, ", in %s", d.ResetAt.Sub(d.OccurredAt))
		}
		fmt.Fprintf(&out, " %s\n", d.RemediationURL)
	}
	require.NoError(t, lines.Err())
	const golden = "testdata/opencode.golden"
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(out.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), out.String())
}
