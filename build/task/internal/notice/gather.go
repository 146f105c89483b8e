package notice

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// longest is how long one licence file may be, in bytes.
const longest = 1 << 20

// Source is a work and the folders where its licence files lie.
type Source struct {
	Name    string
	Version string
	From    string   // "go" or "npm"
	Says    string   // the SPDX expression in its own description; "" where it has none
	Dirs    []string // its own folder first, then those inside it that are used
}

// Work is one entry of the list; the names of its fields are those that the
// program reads.
type Work struct {
	Name    string   `json:"name"`
	Version string   `json:"version"`
	From    string   `json:"from"`
	Licence string   `json:"licence"`
	Texts   []string `json:"texts"`
}

// Notices is the whole list.
type Notices struct {
	Works []Work            `json:"works"`
	Texts map[string]string `json:"texts"`
}

var fileName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|copyright|patents|unlicense)([-.][\w.-]*)?$`)

// Add takes a work in. An error names the work and says what to do.
func (n *Notices) Add(s Source) error {
	texts, err := files(s.Dirs)
	if err != nil {
		return fmt.Errorf("gather notices of %s: %w", s.Name, err)
	}
	var ids []string
	for _, t := range texts {
		ids = append(ids, Classify(t)...)
	}
	slices.Sort(ids)
	licence := strings.Join(slices.Compact(ids), " AND ")
	if s.Says != "" {
		licence = strings.Trim(s.Says, "()")
	}
	if licence == "" || len(texts) == 0 || len(ids) == 0 {
		return fmt.Errorf("gather notices of %s %s: no licence that is known lies in %s: read what it asks for, then teach build/task/internal/notice to know it, or do without it",
			s.Name, s.Version, strings.Join(s.Dirs, ", "))
	}
	n.put(Work{Name: s.Name, Version: s.Version, From: s.From, Licence: licence}, texts)
	return nil
}

// AddText takes in a work whose licence stands in no file of its own.
func (n *Notices) AddText(w Work, text string) { n.put(w, []string{text}) }

func (n *Notices) put(w Work, texts []string) {
	if n.Texts == nil {
		n.Texts = map[string]string{}
	}
	for _, t := range texts {
		sum := sha256.Sum256([]byte(t))
		key := hex.EncodeToString(sum[:6])
		n.Texts[key] = t
		if !slices.Contains(w.Texts, key) {
			w.Texts = append(w.Texts, key)
		}
	}
	n.Works = append(n.Works, w)
	slices.SortFunc(n.Works, func(a, b Work) int {
		return strings.Compare(a.From+"\x00"+a.Name+"\x00"+a.Version, b.From+"\x00"+b.Name+"\x00"+b.Version)
	})
}

// files reads the licence files of folders, each once, in the order of the folders.
func files(dirs []string) ([]string, error) {
	var texts []string
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if !e.Type().IsRegular() || !fileName.MatchString(e.Name()) || strings.HasSuffix(e.Name(), ".go") {
				continue
			}
			data, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				return nil, err
			}
			if len(data) > longest {
				return nil, fmt.Errorf("%s is longer than a licence can be", e.Name())
			}
			text := strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(string(data), "?"), "\r\n", "\n"))
			if text != "" && !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
	}
	return texts, nil
}
