package managed

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"turnwatch/backend/agent"
)

// rival is the plugin of OpenCode that sends prompts by itself, as auto-resume does.
const rival = "opencode-auto-resume"

// mostRivalConfig bounds how much of a configuration is read.
const mostRivalConfig = 1 << 20

// Rival reports whether an agent that works in dir is set up to send prompts by
// itself: two must not do that in one session. It is known of OpenCode, whose
// configuration is looked at where OpenCode looks: the user's, that of the folder
// and of those above it up to the repository's, and what environ names. What cannot
// be read counts as not there. It reads a few small files and may be called from
// any goroutine.
func Rival(kind agent.Kind, dir string, environ []string) bool {
	if kind != agent.OpenCode {
		return false
	}
	e := parseEnviron(environ)
	if names(e["OPENCODE_CONFIG_CONTENT"]) || configNames(e["OPENCODE_CONFIG"]) {
		return true
	}
	home := homeOf(e, runtime.GOOS)
	user := e["XDG_CONFIG_HOME"]
	if user == "" && home != "" {
		user = filepath.Join(home, ".config")
	}
	folders := above(dir)
	if user != "" {
		folders = append(folders, filepath.Join(user, "opencode"))
	}
	if home != "" {
		folders = append(folders, filepath.Join(home, ".opencode"))
	}
	if own := e["OPENCODE_CONFIG_DIR"]; own != "" {
		folders = append(folders, own)
	}
	return slices.ContainsFunc(folders, loads)
}

// above are a folder's own place of configuration, and those of the folders above
// it up to the one that holds the repository.
func above(dir string) (out []string) {
	for range 64 {
		out = append(out, dir, filepath.Join(dir, ".opencode"))
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil || filepath.Dir(dir) == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	return out
}

// loads reports whether a folder's configuration or its plugins name the rival.
func loads(dir string) bool {
	for _, name := range []string{"opencode.json", "opencode.jsonc", "config.json"} {
		if configNames(filepath.Join(dir, name)) {
			return true
		}
	}
	for _, name := range []string{"plugin", "plugins"} {
		list, err := os.ReadDir(filepath.Join(dir, name))
		if err == nil && slices.ContainsFunc(list, func(f fs.DirEntry) bool { return strings.Contains(strings.ToLower(f.Name()), "auto-resume") }) {
			return true
		}
	}
	return false
}

func configNames(file string) bool {
	if file == "" {
		return false
	}
	if s, err := os.Stat(file); err != nil || !s.Mode().IsRegular() {
		return false // a pipe would never end
	}
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostRivalConfig))
	return err == nil && names(string(text))
}

// names reports whether a configuration names the rival in a string of its own:
// what stands in a comment is switched off.
func names(text string) bool {
	for i := 0; i < len(text); i++ {
		switch rest := text[i:]; {
		case strings.HasPrefix(rest, "//"):
			i += lineOf(rest)
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				return false
			}
			i += end + 3
		case text[i] == '"':
			n := stringOf(rest)
			if strings.Contains(rest[:n], rival) {
				return true
			}
			i += n - 1
		}
	}
	return false
}

func lineOf(s string) int {
	if n := strings.IndexByte(s, '\n'); n >= 0 {
		return n
	}
	return len(s)
}

// stringOf is the length of the JSON string that s begins with, its quotes included.
func stringOf(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}
