// Package gotest reads what `go test -json` prints, shows what a person wants to
// see of it as it comes and counts the tests.
//
// It is pure but for the lines that it hands to the caller.
package gotest

import "encoding/json"

// event is one line of go test -json. Fields that are not used are left out.
type event struct {
	Action     string
	Package    string
	Test       string
	Output     string
	ImportPath string // of build-output, instead of Package
}

// parse reads a line; false means that it is no event, but text that go printed
// beside its events.
func parse(line []byte) (event, bool) {
	var e event
	if len(line) == 0 || line[0] != '{' || json.Unmarshal(line, &e) != nil || e.Action == "" {
		return event{}, false
	}
	return e, true
}
