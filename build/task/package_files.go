package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"turnwatch/build/task/internal/step"
)

// source is a file below build/package.
func (p *packaging) source(parts ...string) string {
	return filepath.Join(append([]string{p.root, "build", "package"}, parts...)...)
}

var blank = regexp.MustCompile(`\$\{([A-Z0-9]+)\}`)

// fill puts values in the place of ${NAME}. A name without a value is an error.
func fill(text string, values map[string]string) (string, error) {
	var missing []string
	text = blank.ReplaceAllStringFunc(text, func(m string) string {
		name := m[2 : len(m)-1]
		v, ok := values[name]
		if !ok {
			missing = append(missing, name)
		}
		return v
	})
	if len(missing) > 0 {
		return "", fmt.Errorf("fill in template: nothing is known for %s", strings.Join(missing, ", "))
	}
	return text, nil
}

// values are what every template may ask for.
func (p *packaging) values() map[string]string {
	kind := "stable"
	if p.version.Early() {
		kind = "development"
	}
	developer, _, _ := strings.Cut(appID, ".Turnwatch")
	return map[string]string{
		"VERSION": p.version.String(), "VERSION4": p.version.Dotted(), "VERSIONCOMMA": strings.ReplaceAll(p.version.Dotted(), ".", ","),
		"DATE": p.made.Format("2006-01-02"), "TIME": p.made.Format("2006-01-02T15:04:05Z"), "RELEASE": kind,
		"ID": appID, "DEVELOPER": developer,
	}
}

// filled writes a template of build/package, filled in, to a file. more outranks the
// usual values.
func (p *packaging) filled(to string, more map[string]string, from ...string) error {
	text, err := os.ReadFile(p.source(from...))
	if err != nil {
		return fmt.Errorf("read template: %w", err)
	}
	values := p.values()
	for k, v := range more {
		values[k] = v
	}
	out, err := fill(string(text), values)
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(from...), err)
	}
	return put(to, []byte(out), 0o644)
}

// put writes a file, and the folders it needs, with exactly this mode.
func put(path string, data []byte, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	if err := os.WriteFile(path, data, mode); err != nil {
		return fmt.Errorf("write file: %w", err)
	}
	return os.Chmod(path, mode)
}

// copyFile copies a file.
func copyFile(to, from string, mode os.FileMode) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return fmt.Errorf("read file: %w", err)
	}
	return put(to, data, mode)
}

// zip compresses without a name or a time, so that the same data gives the same
// bytes.
func zip(data []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	_, err = w.Write(data)
	if err := errors.Join(err, w.Close()); err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	return b.Bytes(), nil
}

// copySources copies what git knows, and what it would know, to another folder.
func (p *packaging) copySources(ctx context.Context, dir string) error {
	return p.console.Do(ctx, "copy the sources", func(ctx context.Context, _ io.Writer) (string, error) {
		list, err := step.Output(ctx, step.Command{Dir: p.root, Args: []string{"git", "ls-files", "-co", "--exclude-standard", "-z"}})
		if err != nil {
			return "", err
		}
		names := strings.Split(strings.TrimRight(list, "\x00"), "\x00")
		for _, name := range names {
			from := filepath.Join(p.root, filepath.FromSlash(name))
			info, err := os.Lstat(from)
			if errors.Is(err, os.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
				continue // deleted, but not yet in a commit
			}
			if err != nil {
				return "", fmt.Errorf("copy sources: %w", err)
			}
			if err := copyFile(filepath.Join(dir, filepath.FromSlash(name)), from, info.Mode().Perm()); err != nil {
				return "", err
			}
		}
		return fmt.Sprintf("%d files", len(names)), nil
	})
}
