package notice

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// JSON is the list as the program reads it. The same list gives the same bytes.
func (n Notices) JSON() ([]byte, error) {
	data, err := json.Marshal(n)
	if err != nil {
		return nil, fmt.Errorf("write notices: %w", err)
	}
	return append(data, '\n'), nil
}

// Text is the list for a person: every text once, under the works it belongs to.
func (n Notices) Text() string {
	var b strings.Builder
	b.WriteString("Turnwatch contains works by others. Thank you.\n\n")
	for _, w := range n.Works {
		fmt.Fprintf(&b, "%s %s (%s)\n", w.Name, w.Version, w.Licence)
	}
	var done []string
	for _, w := range n.Works {
		for _, key := range w.Texts {
			if slices.Contains(done, key) {
				continue
			}
			done = append(done, key)
			fmt.Fprintf(&b, "\n%s\n%s\n\n%s\n", strings.Repeat("-", 72), strings.Join(n.sharing(key), ", "), n.Texts[key])
		}
	}
	return b.String()
}

func (n Notices) sharing(key string) []string {
	var names []string
	for _, w := range n.Works {
		if slices.Contains(w.Texts, key) {
			names = append(names, w.Name)
		}
	}
	return names
}
