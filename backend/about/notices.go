package about

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// File is the name of the file that holds the notices.
const File = "licences.json"

// most is how large a file of notices may be, in bytes.
const most = 16 << 20

// ErrNoNotices says that no file of notices lies beside the program: packages
// have one, a build from the sources has none.
var ErrNoNotices = errors.New("no notices beside the program")

// Work is something by others that is inside the program.
type Work struct {
	Name    string   `json:"name"`    // as its registry knows it
	Version string   `json:"version"` // with "v" for Go modules
	From    string   `json:"from"`    // "go" or "npm"
	Licence string   `json:"licence"` // an SPDX expression
	Texts   []string `json:"texts"`   // names of texts in Notices.Texts, never empty
}

// Notices are the works inside the program, by name, with what their licences ask to
// be passed on.
type Notices struct {
	Works []Work            `json:"works"`
	Texts map[string]string `json:"texts"` // many works share one
}

// ReadNotices reads the notices that belong to a program, by the path of the
// program. It returns ErrNoNotices where there are none, and an error that names
// the file where that cannot be read.
func ReadNotices(program string) (Notices, error) {
	if real, err := filepath.EvalSymlinks(program); err == nil {
		program = real
	}
	for _, path := range places(filepath.Dir(program)) {
		f, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return Notices{}, fmt.Errorf("open notices: %w", err)
		}
		defer f.Close()
		n, err := decode(io.LimitReader(f, most))
		if err != nil {
			return Notices{}, fmt.Errorf("read notices in %s: %w", path, err)
		}
		return n, nil
	}
	return Notices{}, ErrNoNotices
}

// places are where packages put the file: beside the program (Windows), in share
// (Linux), in Resources (macOS).
func places(dir string) []string {
	return []string{
		filepath.Join(dir, File),
		filepath.Join(dir, "..", "share", "turnwatch", File),
		filepath.Join(dir, "..", "Resources", File),
	}
}

func decode(r io.Reader) (Notices, error) {
	var n Notices
	if err := json.NewDecoder(r).Decode(&n); err != nil {
		return Notices{}, fmt.Errorf("decode: %w", err)
	}
	for _, w := range n.Works {
		if w.Name == "" || w.Licence == "" || len(w.Texts) == 0 {
			return Notices{}, fmt.Errorf("work %q has no name, no licence or no text", w.Name)
		}
		for _, t := range w.Texts {
			if n.Texts[t] == "" {
				return Notices{}, fmt.Errorf("work %q: text %q is missing", w.Name, t)
			}
		}
	}
	return n, nil
}
