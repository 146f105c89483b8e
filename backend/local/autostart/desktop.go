package autostart

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"
)

// ErrUnfit says that a path or an argument cannot stand in an entry.
var ErrUnfit = errors.New("it cannot stand in a start entry")

// Folder is the folder in which entries of one kind lie.
type Folder struct {
	dir  string
	name string
	text func(Entry) (string, error)
	off  []string // lines that switch an entry off
}

// XDG is a folder of desktop entries, like ~/.config/autostart.
func XDG(dir string) Folder {
	return Folder{dir, "turnwatch.desktop", desktopEntry, []string{"Hidden=true", "X-GNOME-Autostart-enabled=false"}}
}

// LaunchAgents is a folder of launch agents, like ~/Library/LaunchAgents.
func LaunchAgents(dir string) Folder {
	return Folder{dir, "app.turnwatch.plist", launchAgent, nil}
}

// On tells whether the program is started when the user logs in.
func (f Folder) On() (bool, error) {
	raw, err := os.ReadFile(filepath.Join(f.dir, f.name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("read start entry: %w", err)
	}
	for line := range strings.Lines(string(raw)) {
		for _, off := range f.off {
			if strings.EqualFold(strings.ReplaceAll(strings.TrimSpace(line), " ", ""), off) {
				return false, nil
			}
		}
	}
	return true, nil
}

// Set writes the entry.
func (f Folder) Set(e Entry) error {
	text, err := f.text(e)
	if err != nil {
		return fmt.Errorf("write start entry: %w", err)
	}
	if err := os.MkdirAll(f.dir, 0o755); err != nil {
		return fmt.Errorf("write start entry: %w", err)
	}
	tmp := filepath.Join(f.dir, "."+f.name+".new")
	if err := os.WriteFile(tmp, []byte(text), 0o644); err != nil {
		return fmt.Errorf("write start entry: %w", err)
	}
	if err := os.Rename(tmp, filepath.Join(f.dir, f.name)); err != nil {
		return fmt.Errorf("write start entry: %w", errors.Join(err, os.Remove(tmp)))
	}
	return nil
}

// Unset takes the entry away; that there is none is no error.
func (f Folder) Unset() error {
	if err := os.Remove(filepath.Join(f.dir, f.name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove start entry: %w", err)
	}
	return nil
}

// fit refuses what would end a line or a file.
func fit(e Entry) error {
	for _, s := range append([]string{e.Program, e.Comment}, e.Args...) {
		if strings.ContainsFunc(s, unicode.IsControl) {
			return ErrUnfit
		}
	}
	if !filepath.IsAbs(e.Program) || strings.ContainsRune(e.Program, '=') {
		return ErrUnfit
	}
	return nil
}

func desktopEntry(e Entry) (string, error) {
	if err := fit(e); err != nil {
		return "", err
	}
	words := []string{quoted(e.Program)}
	for _, a := range e.Args {
		words = append(words, quoted(a))
	}
	return "[Desktop Entry]\nType=Application\nName=Turnwatch\nComment=" + strings.ReplaceAll(e.Comment, `\`, `\\`) +
		"\nExec=" + strings.Join(words, " ") + "\nIcon=turnwatch\nTerminal=false\nX-GNOME-Autostart-enabled=true\n", nil
}

// quoted writes a word of Exec: in quotes, where backslash, quote, dollar and
// backtick are escaped, then all backslashes once more as in any value, and % doubled.
func quoted(s string) string {
	s = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "`", "\\`", `$`, `\$`).Replace(s)
	s = strings.ReplaceAll(s, `\`, `\\`)
	return `"` + strings.ReplaceAll(s, "%", "%%") + `"`
}

func launchAgent(e Entry) (string, error) {
	if err := fit(e); err != nil {
		return "", err
	}
	safe := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace
	var words strings.Builder
	for _, w := range append([]string{e.Program}, e.Args...) {
		words.WriteString("    <string>" + safe(w) + "</string>\n")
	}
	return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>app.turnwatch</string>
  <key>ProgramArguments</key>
  <array>
` + words.String() + `  </array>
  <key>RunAtLoad</key>
  <true/>
</dict>
</plist>
`, nil
}
