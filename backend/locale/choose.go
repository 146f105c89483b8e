package locale

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/language"
)

// Tags lists the languages of files, one for each LANGUAGE.json, in order.
func Tags(files fs.FS) ([]string, error) {
	names, err := fs.Glob(files, "*.json")
	if err != nil {
		return nil, fmt.Errorf("list languages: %w", err)
	}
	tags := make([]string, 0, len(names))
	for _, n := range names {
		tags = append(tags, strings.TrimSuffix(path.Base(n), ".json"))
	}
	slices.Sort(tags)
	return tags, nil
}

// Choose gives the one of tags that serves best who wants these languages, best
// first: pt-BR serves pt, zh-CN serves zh-Hans, nothing but en serves what is not
// there. A wanted tag that is malformed is passed over. "en" must be among tags; the
// pseudo language serves nobody who did not ask for it by name.
func Choose(tags []string, wanted ...string) string {
	known := []language.Tag{language.English} // the first serves whom none serves
	names := []string{"en"}
	for _, t := range tags {
		if tag, err := language.Parse(t); err == nil && t != "en" && t != PseudoTag {
			known, names = append(known, tag), append(names, t)
		}
	}
	match := language.NewMatcher(known)
	for _, w := range wanted {
		if w == PseudoTag || slices.Contains(names, w) {
			return w
		}
		tag, err := language.Parse(w)
		if err != nil {
			continue
		}
		if _, i, sure := match.Match(tag); sure >= language.Low {
			return names[i]
		}
	}
	return "en"
}

// Messages gives every sentence of one language by its key: a text, or an object
// of plural forms. What the language lacks is English.
func Messages(files fs.FS, tag string) (map[string]any, error) {
	out, err := messages(files, "en")
	if err != nil || tag == "en" {
		return out, err
	}
	if tag == PseudoTag {
		return Pseudo(out), nil
	}
	own, err := messages(files, tag)
	if err != nil {
		return nil, err
	}
	for k, v := range own {
		out[k] = v
	}
	return out, nil
}

func messages(files fs.FS, tag string) (map[string]any, error) {
	raw, err := fs.ReadFile(files, tag+".json")
	if err != nil {
		return nil, fmt.Errorf("read language: %w", err)
	}
	var out map[string]any
	if err := json.Unmarshal(raw, &out); err != nil {
		return nil, fmt.Errorf("read language %s: %w", tag, err)
	}
	return out, nil
}
