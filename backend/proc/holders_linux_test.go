package proc_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"turnwatch/backend/proc"
)

// holders are the processes that carry a launch id.
func holders(t *testing.T, launch string) []string {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	require.NoError(t, err)
	var found []string
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err == nil && strings.Contains(string(raw), proc.LaunchVar+"="+launch) {
			found = append(found, f)
		}
	}
	return found
}
