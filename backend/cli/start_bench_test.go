//go:build unix

package cli_test

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkStart is the time from exec to exit: of tw, and of a program that does
// nothing.
func BenchmarkStart(b *testing.B) {
	nothing, err := exec.LookPath("true")
	require.NoError(b, err)
	for name, line := range map[string][]string{
		"ours": {program, "version"}, "rawprocess": {nothing},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := exec.Command(line[0], line[1:]...).Run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
