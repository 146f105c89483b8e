package bom

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var requirement = regexp.MustCompile(`^(?:require\s+)?([^\s"]+\.[^\s"]+)\s+(v[^\s"]+)(?:\s+//.*)?$`)

// GoModules reads the modules of a go.mod, with their sums from go.sum. A line that
// replaces a module is refused: the bill would name what is not inside.
func GoModules(mod, sums string) ([]Part, error) {
	known := map[string]string{}
	for _, line := range strings.Split(sums, "\n") {
		if f := strings.Fields(line); len(f) == 3 {
			known[f[0]+" "+f[1]] = f[2]
		}
	}
	var parts []Part
	block := ""
	for i, line := range strings.Split(mod, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case line == ")":
			block = ""
			continue
		case strings.HasSuffix(line, "("):
			block = strings.TrimSpace(strings.TrimSuffix(line, "("))
		}
		if block == "replace" || strings.HasPrefix(line, "replace") {
			return nil, fmt.Errorf("read go.mod: line %d replaces a module, which the bill of materials cannot say", i+1)
		}
		if block != "require" && !strings.HasPrefix(line, "require ") {
			continue
		}
		if m := requirement.FindStringSubmatch(line); m != nil {
			parts = append(parts, Part{Name: m[1], Version: m[2], From: "go", GoSum: known[m[1]+" "+m[2]]})
		}
	}
	if len(parts) == 0 {
		return nil, fmt.Errorf("read go.mod: it requires nothing")
	}
	return parts, nil
}

// NPMPackages reads the packages of a package-lock.json of version 2 or 3.
func NPMPackages(lock []byte) ([]Part, error) {
	var l struct {
		Version  int `json:"lockfileVersion"`
		Packages map[string]struct {
			Version   string          `json:"version"`
			Integrity string          `json:"integrity"`
			Licence   json.RawMessage `json:"license"`
			Link      bool            `json:"link"`
		} `json:"packages"`
	}
	if err := json.Unmarshal(lock, &l); err != nil {
		return nil, fmt.Errorf("read package-lock.json: %w", err)
	}
	if l.Version < 2 || l.Version > 3 {
		return nil, fmt.Errorf("read package-lock.json: version %d is not known", l.Version)
	}
	var parts []Part
	for path, p := range l.Packages {
		at := strings.LastIndex(path, "node_modules/")
		if at < 0 || p.Link {
			continue // the page itself
		}
		part := Part{Name: path[at+len("node_modules/"):], Version: p.Version, From: "npm", Path: path, Integrity: p.Integrity}
		_ = json.Unmarshal(p.Licence, &part.Licence) // old packages have an object: then it stays unknown
		part.Licence = strings.Trim(part.Licence, "()")
		parts = append(parts, part)
	}
	slices.SortFunc(parts, func(a, b Part) int {
		return strings.Compare(a.Name+"@"+a.Version+" "+a.Path, b.Name+"@"+b.Version+" "+b.Path)
	})
	return parts, nil
}

var inModules = regexp.MustCompile(`(?:^|/)(node_modules/(?:.*/node_modules/)?(?:@[^/]+/)?[^/]+)/`)

// Bundled gives the paths of the npm packages in a bundle, by its source map, sorted
// and as the lock file has them.
func Bundled(sourceMap []byte) ([]string, error) {
	var m struct {
		Sources []string `json:"sources"`
	}
	if err := json.Unmarshal(sourceMap, &m); err != nil {
		return nil, fmt.Errorf("read source map: %w", err)
	}
	if len(m.Sources) == 0 {
		return nil, fmt.Errorf("read source map: it names no source")
	}
	var names []string
	for _, s := range m.Sources {
		if found := inModules.FindStringSubmatch(s); found != nil {
			names = append(names, found[1])
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}
