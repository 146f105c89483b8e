// Package release knows which release is made, when it counts as made, and what
// its files are. It reads the files it is given the paths of, and nothing else.
package release

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Version is a version of the project: major.minor.patch, and behind a hyphen what
// comes before a release.
type Version struct {
	text  string
	parts [3]int
	early bool
}

var pattern = regexp.MustCompile(`^(0|[1-9]\d{0,3})\.(0|[1-9]\d{0,3})\.(0|[1-9]\d{0,3})(-[0-9A-Za-z]+(\.[0-9A-Za-z]+)*)?$`)

// Parse reads a version. It takes neither a leading "v" nor build metadata, which
// the package formats disagree about.
func Parse(text string) (Version, error) {
	text = strings.TrimSpace(text)
	m := pattern.FindStringSubmatch(text)
	if m == nil {
		return Version{}, fmt.Errorf("read version: %q is not like 1.2.3 or 1.2.3-rc.1", text)
	}
	v := Version{text: text, early: m[4] != ""}
	for i := range v.parts {
		v.parts[i], _ = strconv.Atoi(m[i+1]) // four digits at most
	}
	return v, nil
}

// String is the version as it was written.
func (v Version) String() string { return v.text }

// Early tells whether it comes before a release.
func (v Version) Early() bool { return v.early || v.parts[0] == 0 }

// Dotted is the version as Windows counts, with four numbers.
func (v Version) Dotted() string {
	return fmt.Sprintf("%d.%d.%d.0", v.parts[0], v.parts[1], v.parts[2])
}

// Debian and RPM have it with a tilde where it comes before a release.
func (v Version) Debian() string { return strings.Replace(v.text, "-", "~", 1) }

// Epoch reads SOURCE_DATE_EPOCH: seconds since 1970. "" is no error and no time.
func Epoch(text string) (time.Time, bool, error) {
	if text == "" {
		return time.Time{}, false, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n > 1<<33 {
		return time.Time{}, false, fmt.Errorf("read SOURCE_DATE_EPOCH: %q is no number of seconds since 1970", text)
	}
	return time.Unix(n, 0).UTC(), true, nil
}

// File is a file of a release.
type File struct {
	Name string
	Size int64
	Sum  string // SHA-256, hexadecimal
}

// Files lists the files in a folder, by name, but for those that skip names. It
// does not enter folders.
func Files(dir string, skip ...string) ([]File, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("list release: %w", err)
	}
	var files []File
	for _, e := range entries {
		if !e.Type().IsRegular() || slices.Contains(skip, e.Name()) {
			continue
		}
		f, err := sum(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

func sum(path string) (File, error) {
	f, err := os.Open(path)
	if err != nil {
		return File{}, fmt.Errorf("sum file: %w", err)
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, f)
	if err != nil {
		return File{}, fmt.Errorf("sum file: %w", err)
	}
	return File{Name: filepath.Base(path), Size: n, Sum: hex.EncodeToString(h.Sum(nil))}, nil
}

// Sums is the text that sha256sum -c reads.
func Sums(files []File) string {
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintf(&b, "%s  %s\n", f.Sum, f.Name)
	}
	return b.String()
}

// Differing names the files that are not the same in two builds, or missing in one.
func Differing(a, b []File) []string {
	sums := map[string]string{}
	for _, f := range b {
		sums[f.Name] = f.Sum
	}
	var names []string
	for _, f := range a {
		if sums[f.Name] != f.Sum {
			names = append(names, f.Name)
		}
		delete(sums, f.Name)
	}
	for name := range sums {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
