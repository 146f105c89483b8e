package window

import (
	"path/filepath"
	"strings"

	"github.com/sahilm/fuzzy"
)

// mostFound bounds a list of files.
const mostFound = 50

// files finds files of a folder by letters of their path, the best first. One
// that leads out of the folder by a link is left out.
func (c call) files(dir, query string) ([]string, error) {
	all, err := c.traces.store.Files(c.ctx, dir)
	if err != nil {
		return nil, &Error{Key: "hint.folder_unreadable"}
	}
	query = strings.ReplaceAll(query, " ", "")
	out := make([]string, 0, mostFound)
	add := func(name string) bool {
		if inside(dir, filepath.FromSlash(name)) {
			out = append(out, name)
		}
		return len(out) < mostFound
	}
	if query == "" {
		for _, name := range all {
			if !add(name) {
				break
			}
		}
		return out, nil
	}
	for _, m := range fuzzy.Find(query, all) {
		if !add(m.Str) {
			break
		}
	}
	return out, nil
}
