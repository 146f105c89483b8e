package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// PageBytes is the most that is kept for the page.
const PageBytes = 4 << 20

// ErrPage says that what was to be kept for the page is none of its kind.
var ErrPage = errors.New("what the page keeps is a JSON object of at most 4 MiB")

// Page is what the page keeps with the data: drafts, and where the reader was. It
// is a JSON object that the page alone understands; "" where there is none or it
// cannot be read. Its loss is no harm.
func (s *Store) Page() string {
	file, err := os.Open(s.page())
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }()
	raw, err := io.ReadAll(io.LimitReader(file, PageBytes+1))
	if err != nil || checkPage(raw) != nil {
		return ""
	}
	return string(raw)
}

// KeepPage replaces what the page keeps, in one step. It waits for the disk.
func (s *Store) KeepPage(text string) error {
	if err := checkPage([]byte(text)); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := put(s.page(), []byte(text)); err != nil {
		return fmt.Errorf("keep page: %w", err)
	}
	return nil
}

func checkPage(raw []byte) error {
	var object map[string]json.RawMessage
	if len(raw) > PageBytes || json.Unmarshal(raw, &object) != nil || object == nil {
		return ErrPage
	}
	return nil
}

func (s *Store) page() string { return filepath.Join(s.dir, "page.json") }
