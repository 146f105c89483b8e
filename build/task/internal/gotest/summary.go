package gotest

import (
	"fmt"
	"strings"
)

// Summary is what a run of go test came to. Tests are counted where they have no
// subtests of their own; a package that fails without a failing test (it does
// not build, panics, leaks) counts as one failed test.
type Summary struct {
	Passed, Failed, Skipped int
	Packages                int // that have tests
	FailedPackages          int
	Cached                  int // packages whose result go knew already
	Failures                []string
	Skips                   []Skip
}

// Skip is a test that did not run.
type Skip struct {
	Test   string // package path, a dot, its name
	Reason string
}

// Closing is the last line of a run.
func (s Summary) Closing() string {
	return fmt.Sprintf("tests: %d passed, %d failed, %d skipped", s.Passed, s.Failed, s.Skipped)
}

// Report names the skipped and the failed tests and the number of packages, for
// the lines before the closing one.
func (s Summary) Report() []string {
	var lines []string
	for _, skip := range s.Skips {
		lines = append(lines, "skipped "+skip.Test+": "+skip.Reason)
	}
	for _, name := range s.Failures {
		lines = append(lines, "failed  "+name)
	}
	var notes []string
	if s.Cached > 0 {
		notes = append(notes, fmt.Sprintf("%d unchanged", s.Cached))
	}
	if s.FailedPackages > 0 {
		notes = append(notes, fmt.Sprintf("%d failed", s.FailedPackages))
	}
	line := fmt.Sprintf("packages with tests: %d", s.Packages)
	if len(notes) > 0 {
		line += " (" + strings.Join(notes, ", ") + ")"
	}
	return append(lines, line)
}
