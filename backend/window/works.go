package window

import (
	"errors"
	"slices"
	"strings"

	"turnwatch/backend/about"
)

// Work is something by others that is inside the program.
type Work struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Licence string `json:"licence"` // an SPDX expression
}

// mostName is how long the name of a work may be, in bytes.
const mostName = 256

// Works lists what is inside the program by others. Programs that come in no package
// have no list: then it is empty.
func (s *Settings) Works() ([]Work, error) {
	n, err := s.r.notices()
	if err != nil {
		return nil, err
	}
	works := []Work{}
	for _, w := range n.Works {
		works = append(works, Work{Name: w.Name, Version: w.Version, Licence: w.Licence})
	}
	return works, nil
}

// Licence gives the texts that belong to a work, by name and version.
func (s *Settings) Licence(name, version string) (string, error) {
	if name == "" || len(name) > mostName || len(version) > mostName {
		return "", wrong("name")
	}
	n, err := s.r.notices()
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(n.Works, func(w about.Work) bool { return w.Name == name && w.Version == version })
	if i < 0 {
		return "", wrong("name")
	}
	var texts []string
	for _, key := range n.Works[i].Texts {
		texts = append(texts, n.Texts[key])
	}
	return strings.Join(texts, "\n\n"), nil
}

// notices reads the list each time: it is asked for once in a while, and is larger
// than all else that the window keeps.
func (r *room) notices() (about.Notices, error) {
	if r.o.Notices == nil {
		return about.Notices{}, nil
	}
	n, err := r.o.Notices()
	switch {
	case err == nil, errors.Is(err, about.ErrNoNotices):
		return n, nil
	default:
		r.o.Log.Warn("notices could not be read", "err", err)
		return n, &Error{Key: "error.notices"}
	}
}
