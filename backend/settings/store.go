package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
)

// ErrBroken says that the file could not be understood, and that the last good
// values are in force.
var ErrBroken = errors.New("settings file is broken")

const largest = 4 << 20

// Store holds the values and writes the file.
type Store struct {
	dir string

	mu      sync.Mutex
	values  Values
	trouble *Fault
}

// Open reads the settings of a data folder. A missing file means the defaults. A
// broken one is no error of Open: the last good values are in force, Trouble
// says so, and the file is left alone until something is set; then it is moved
// to settings.broken.json. An error means that the file is there and cannot be
// read at all; the store works with the last good values all the same.
func Open(dir string) (*Store, error) {
	s := &Store{dir: dir, values: Defaults()}
	v, err := readFile(s.file())
	switch {
	case err == nil:
		s.values = v
		return s, s.keep(v)
	case errors.Is(err, fs.ErrNotExist):
		return s, nil
	}
	last := false
	if good, old := readFile(s.good()); old == nil {
		s.values, last = good, true
	}
	s.trouble = faultOf(err, last)
	if errors.Is(err, ErrBroken) {
		return s, nil
	}
	return s, err
}

func (s *Store) file() string   { return filepath.Join(s.dir, "settings.json") }
func (s *Store) good() string   { return filepath.Join(s.dir, "settings.good.json") }
func (s *Store) broken() string { return filepath.Join(s.dir, "settings.broken.json") }

// File is where the settings stand. A person may read and change it.
func (s *Store) File() string { return s.file() }

// Trouble says, as a *Fault, why the file is not what is in force; nil where it is.
func (s *Store) Trouble() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.trouble == nil {
		return nil
	}
	return s.trouble
}

// Read takes the file as it stands now, after somebody mended it. Where it is
// still not in order nothing changes but what Trouble says, and that is the error.
func (s *Store) Read() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, err := readFile(s.file())
	if errors.Is(err, fs.ErrNotExist) {
		v, err = Defaults(), nil
	}
	if err != nil {
		s.trouble = faultOf(err, s.trouble == nil || s.trouble.Last)
		return s.trouble
	}
	s.values, s.trouble = v, nil
	return s.keep(v)
}

func faultOf(err error, last bool) *Fault {
	var f *Fault
	if !errors.As(err, &f) {
		f = &Fault{Slip: Unreadable, Err: err}
	}
	f.Last = last
	return f
}

// Get copies the values in force.
func (s *Store) Get() Values {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.values.clone()
}

// Change lets f change the values, checks them and writes them. When it returns
// an error nothing has changed.
func (s *Store) Change(f func(*Values)) (Values, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.values.clone()
	f(&v)
	if err := v.Check(); err != nil {
		return s.values.clone(), fmt.Errorf("change settings: %w", faultOf(err, false).Err) // the file is not broken
	}
	if s.trouble != nil && s.trouble.Slip != Unreadable {
		if err := os.Rename(s.file(), s.broken()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return s.values.clone(), fmt.Errorf("move broken settings aside: %w", err)
		}
	}
	if err := write(s.file(), v); err != nil {
		return s.values.clone(), err
	}
	s.values, s.trouble = v, nil
	return v.clone(), s.keep(v)
}

// Trusts reports whether a folder was trusted. Give it with its links resolved.
func (s *Store) Trusts(dir string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Contains(s.values.Trusted, filepath.Clean(dir))
}

// Trust remembers that a folder is trusted.
func (s *Store) Trust(dir string) error {
	dir = filepath.Clean(dir)
	if s.Trusts(dir) {
		return nil
	}
	_, err := s.Change(func(v *Values) { v.Trusted = append(v.Trusted, dir) })
	return err
}

// keep writes the copy that stands in when a person breaks the file.
func (s *Store) keep(v Values) error {
	if old, err := readFile(s.good()); err == nil && same(old, v) {
		return nil
	}
	return write(s.good(), v)
}

func same(a, b Values) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

func readFile(name string) (Values, error) {
	file, err := os.Open(name)
	if err != nil {
		return Values{}, fmt.Errorf("read settings: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return Values{}, fmt.Errorf("read settings: %w", err)
	}
	if info.Size() > largest {
		return Values{}, fmt.Errorf("read settings: %w", &Fault{Slip: TooLarge, Err: errors.New("it is larger than 4 MiB")})
	}
	var raw bytes.Buffer
	if _, err := raw.ReadFrom(file); err != nil {
		return Values{}, fmt.Errorf("read settings: %w", err)
	}
	return Parse(raw.Bytes())
}

// Parse reads the text of a file. What it does not name keeps its default; a
// name that is not known is an error, since it is a slip of the pen.
func Parse(raw []byte) (Values, error) {
	v := Defaults()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&v); err != nil {
		return Values{}, fmt.Errorf("parse settings: %w", decoded(raw, err))
	}
	if d.More() {
		f := &Fault{Slip: BadSyntax, Line: lineAt(raw, d.InputOffset()+1), Err: errors.New("something stands behind the object")}
		return Values{}, fmt.Errorf("parse settings: %w", f)
	}
	if err := v.Check(); err != nil {
		f := faultOf(err, false)
		f.Line = lineAt(raw, int64(bytes.Index(raw, []byte(strconv.Quote(f.Name)))+1))
		return Values{}, fmt.Errorf("parse settings: %w", f)
	}
	return v.clone(), nil
}

// write replaces a file in one step: whoever reads it sees the old or the new.
func write(name string, v Values) error {
	raw, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	return put(name, append(raw, '\n'))
}

func put(name string, raw []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), "settings-*.tmp") // 0600
	if err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	_, err = tmp.Write(raw)
	if err == nil {
		err = tmp.Sync()
	}
	err = errors.Join(err, tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		return fmt.Errorf("write settings: %w", errors.Join(err, os.Remove(tmp.Name())))
	}
	return nil
}

// Check looks at the file of a data folder without touching anything: it says why
// it is not in force, or nil.
func Check(dir string) error {
	s := Store{dir: dir}
	if _, err := readFile(s.file()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
