package backend_test

import (
	"fmt"
	"slices"
	"strings"
)

const module = "turnwatch"

// pack is one package as the rule sees it: what its files import for any
// platform and build tag, tests aside.
type pack struct {
	path    string // below the module, "." for its root
	name    string
	imports []string
}

// breaches lists what a package does against the rule, each with what to do.
func breaches(p pack) []string {
	var found []string
	if slices.Contains(vague(), p.name) {
		found = append(found, fmt.Sprintf("%s: the name %s says nothing: name a package for what it speaks to or does", p.path, p.name))
	}
	room, line := place(p.path)
	if room == "" {
		return append(found, fmt.Sprintf("%s: unknown room: give it a line in layers() of backend/layers_table_test.go", p.path))
	}
	for _, imported := range p.imports {
		if reason := refusal(room, line, imported); reason != "" {
			found = append(found, fmt.Sprintf("%s imports %s: %s", p.path, imported, reason))
		}
	}
	return found
}

// place finds the room that a path belongs to and its line, counted from 1. A
// folder that is no room has line 0; room is empty for a path without a place.
func place(path string) (room string, line int) {
	for _, known := range outside() {
		if path == known || known != "backend" && strings.HasPrefix(path, known+"/") {
			return known, 0
		}
	}
	for i, rooms := range layers() {
		for _, known := range rooms {
			if path == known || strings.HasPrefix(path, known+"/") {
				return known, i + 1
			}
		}
	}
	return "", 0
}

// refusal says why a room may not import a package, or nothing.
func refusal(room string, line int, imported string) string {
	path, ours := strings.CutPrefix(imported, module+"/")
	if imported == module {
		path, ours = ".", true
	}
	if !ours {
		if slices.Contains(standardOnly(), room) && !standard(imported) {
			return room + " imports the standard library only"
		}
		return ""
	}
	target, above := place(path)
	switch {
	case target == room:
		return ""
	case target == "":
		return "an unknown room: give it a line in layers() of backend/layers_table_test.go"
	case above == 0:
		return target + " is no room to import"
	case line == 0:
		return room + " imports no room"
	case above == line:
		return fmt.Sprintf("%s and %s stand on the same line (%d): what both need goes on a line above", room, target, line)
	case above > line:
		return fmt.Sprintf("%s (line %d) stands above %s (line %d): only what is above may be imported", room, line, target, above)
	default:
		return ""
	}
}

// standard tells a package of the standard library: its first part has no dot.
func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}
