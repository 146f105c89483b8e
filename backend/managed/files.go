package managed

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unicode/utf8"
)

// fileLimit is the most that is read from or written to one file for an agent.
const fileLimit = 10 << 20

// Errors of folder, each a reason that an agent is told. Their texts name no path.
var (
	errOutside  = errors.New("path is outside the session's folder")
	errRelative = errors.New("path is not absolute")
	errFolder   = errors.New("path is a folder")
	errNoFile   = errors.New("no such file")
	errNotFile  = errors.New("not a regular file")
	errTooLarge = fmt.Errorf("file is larger than %d bytes", fileLimit)
	errNotText  = errors.New("file is not UTF-8 text")
	errDenied   = errors.New("permission denied")
)

// folder is a session's folder as an agent may use it: text files inside it, and
// nothing else. Every access goes through one open handle of the folder and
// follows no link out of it, however the tree changes in between; a link with an
// absolute target is followed nowhere. Its methods block on the disk.
type folder struct {
	root  *os.Root
	names []string // the folder's own name as given and with links resolved
}

// openFolder opens a folder that exists. Close it when done.
func openFolder(dir string) (*folder, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open folder: %w", err)
	}
	f := &folder{root: root, names: []string{filepath.Clean(dir)}}
	if real, err := filepath.EvalSymlinks(dir); err == nil && real != f.names[0] {
		f.names = append(f.names, real)
	}
	return f, nil
}

func (f *folder) close() error { return f.root.Close() }

// inside returns the name relative to the folder of an absolute path.
func (f *folder) inside(name string) (string, error) {
	switch {
	case strings.ContainsRune(name, 0):
		return "", errOutside
	case !filepath.IsAbs(name):
		return "", errRelative
	}
	for _, dir := range f.names {
		rel, err := filepath.Rel(dir, name)
		switch {
		case err != nil || !filepath.IsLocal(rel):
		case rel == ".":
			return "", errFolder
		default:
			return rel, nil
		}
	}
	return "", errOutside
}

// read returns the text of a file, or limit lines of it from a 1-based line on;
// nil means from the start, and to the end.
func (f *folder) read(name string, line, limit *int) (string, error) {
	rel, err := f.inside(name)
	if err != nil {
		return "", err
	}
	file, err := f.root.OpenFile(rel, os.O_RDONLY|dontWait, 0)
	if err != nil {
		return "", reason(err)
	}
	defer file.Close()
	if err := regular(file); err != nil {
		return "", err
	}
	raw, err := io.ReadAll(io.LimitReader(file, fileLimit+1))
	switch {
	case err != nil:
		return "", reason(err)
	case len(raw) > fileLimit:
		return "", errTooLarge
	case !utf8.Valid(raw) || strings.IndexByte(string(raw), 0) >= 0:
		return "", errNotText
	}
	return lines(string(raw), line, limit), nil
}

// write makes a file hold a text, and the file and the folders above it where
// they do not exist. An existing file is written in place: it keeps its mode, its
// owner and its links.
func (f *folder) write(name, text string) error {
	rel, err := f.inside(name)
	switch {
	case err != nil:
		return err
	case len(text) > fileLimit:
		return errTooLarge
	}
	if parent := filepath.Dir(rel); parent != "." {
		if err := f.root.MkdirAll(parent, 0o777); err != nil {
			return reason(err)
		}
	}
	file, err := f.root.OpenFile(rel, os.O_WRONLY|os.O_CREATE|dontWait, 0o666)
	if err != nil {
		return reason(err)
	}
	if err := regular(file); err != nil {
		file.Close()
		return err
	}
	if _, err = io.WriteString(file, text); err == nil {
		err = file.Truncate(int64(len(text)))
	}
	return reason(errors.Join(err, file.Close()))
}

// regular refuses folders, pipes, sockets and devices. It looks at the open
// file, so it cannot be fooled by a change of names.
func regular(file *os.File) error {
	info, err := file.Stat()
	switch {
	case err != nil:
		return reason(err)
	case info.IsDir():
		return errFolder
	case !info.Mode().IsRegular():
		return errNotFile
	}
	return nil
}

// reason turns an error of the system into one of ours. Those of the system name
// paths; an agent is told the reason alone.
func reason(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return errNoFile
	case errors.Is(err, fs.ErrPermission):
		return errDenied
	case isEscape(err):
		return errOutside
	case errors.Is(err, syscall.EISDIR):
		return errFolder
	case isNotFile(err):
		return errNotFile
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return errors.New("input or output error")
}

// isEscape reports the error that os.Root gives for a name or link that leads
// out of it, which has no value of its own.
func isEscape(err error) bool {
	return strings.Contains(err.Error(), "escapes from parent") ||
		strings.Contains(err.Error(), "too many levels of symbolic links")
}

// lines cuts a window of lines out of a text. Line ends are kept.
func lines(text string, from, limit *int) string {
	if from != nil {
		for n := 1; n < *from; n++ {
			i := strings.IndexByte(text, '\n')
			if i < 0 {
				return ""
			}
			text = text[i+1:]
		}
	}
	if limit == nil {
		return text
	}
	end := 0
	for range max(*limit, 0) {
		i := strings.IndexByte(text[end:], '\n')
		if i < 0 {
			return text
		}
		end += i + 1
	}
	return text[:end]
}
