package managed

import (
	"path"
	"strings"
)

// environment is a set of variables, as a program would see it.
type environment map[string]string

func parseEnviron(list []string) environment {
	e := make(environment, len(list))
	for _, kv := range list {
		// Windows has variables that begin with "=".
		if i := strings.IndexByte(kv, '='); i > 0 {
			e[kv[:i]] = kv[i+1:]
		}
	}
	return e
}

// path is the PATH, which Windows writes as it likes.
func (e environment) path() string {
	if p, ok := e["PATH"]; ok {
		return p
	}
	return e["Path"]
}

// places lists where programs are installed: first the folders of PATH, then, as
// patterns, those that package managers use although a program started from a
// desktop has them on no PATH. goos is the system, prefix the global prefix that
// npm is set to ("" where none), own the folders of one agent below the home
// folder. Slashes part the result on every system. Pure.
func places(e environment, goos, prefix string, own []string) (onPath, beyond []string) {
	onPath = splitList(e.path(), goos)
	home := homeOf(e, goos)
	var all []string
	add := func(base string, below ...string) {
		if base == "" {
			return
		}
		if len(below) == 0 {
			all = append(all, slashed(base, goos))
		}
		for _, b := range below {
			all = append(all, clean(slashed(base, goos)+"/"+b))
		}
	}
	add(home, own...)
	addNode(add, e, goos, home, prefix)
	switch goos {
	case "windows":
		add(e["USERPROFILE"], "scoop/shims")
		add(e["LOCALAPPDATA"], "Programs/*", "Programs/*/bin", "Programs/*/resources", "Microsoft/WinGet/Links")
	case "darwin":
		add(home, "Applications/*.app/Contents/MacOS", "Applications/*.app/Contents/Resources/app/bin", "Applications/*.app/Contents/Resources/bin")
		add("/Applications/*.app/Contents", "MacOS", "Resources/app/bin", "Resources/bin")
		add("/opt/homebrew/bin")
		add("/usr/local/bin")
		add("/opt/local/bin")
	default:
		add("/home/linuxbrew/.linuxbrew/bin")
		add(home, ".linuxbrew/bin")
		add("/usr/local/bin")
		add("/usr/bin")
		add("/snap/bin")
		add(home, ".local/share/flatpak/exports/bin")
	}
	add(e["HOMEBREW_PREFIX"], "bin")
	add(home, ".local/bin", "bin", ".cargo/bin", "go/bin", ".nix-profile/bin")
	return onPath, unique(all)
}

// addNode adds the folders of npm, its relatives and the version managers of
// Node. A star stands for a version; the newest is taken first.
func addNode(add func(string, ...string), e environment, goos, home, prefix string) {
	bin := "bin"
	if goos == "windows" {
		bin = "."
		add(e["APPDATA"], "npm")
		add(e["LOCALAPPDATA"], "pnpm", "fnm_multishells/*", "Volta/bin")
		add(e["APPDATA"], "fnm/node-versions/*/installation", "nvm/*")
		add(e["NVM_SYMLINK"])
	}
	for _, p := range []string{prefix, e["npm_config_prefix"], e["NPM_CONFIG_PREFIX"]} {
		add(p, bin)
	}
	add(home, ".npm-global/bin", ".npm-packages/bin", ".npm/bin")
	add(e["NVM_BIN"])
	add(e["NVM_DIR"], "versions/node/*/bin")
	add(home, ".nvm/versions/node/*/bin")
	add(e["VOLTA_HOME"], "bin")
	add(home, ".volta/bin")
	add(e["FNM_MULTISHELL_PATH"], bin)
	add(e["FNM_DIR"], "node-versions/*/installation/bin")
	add(home, ".local/share/fnm/node-versions/*/installation/bin", ".fnm/node-versions/*/installation/bin")
	if goos == "darwin" {
		add(home, "Library/Application Support/fnm/node-versions/*/installation/bin", "Library/pnpm")
	}
	add(e["PNPM_HOME"])
	add(home, ".local/share/pnpm")
	add(e["BUN_INSTALL"], "bin")
	add(home, ".bun/bin", ".yarn/bin", ".config/yarn/global/node_modules/.bin",
		".asdf/shims", ".local/share/mise/shims", ".n/bin")
}

func homeOf(e environment, goos string) string {
	if goos == "windows" {
		return e["USERPROFILE"]
	}
	return e["HOME"]
}

// splitList splits a list of folders. Relative and empty entries are left out: a
// program is never run because of where Turnwatch happens to stand.
func splitList(list, goos string) []string {
	sep := ":"
	if goos == "windows" {
		sep = ";"
	}
	var out []string
	for _, p := range strings.Split(list, sep) {
		p = slashed(strings.Trim(p, `"`), goos)
		if absolute(p, goos) {
			out = append(out, clean(p))
		}
	}
	return unique(out)
}

func absolute(p, goos string) bool {
	if goos == "windows" {
		return len(p) > 2 && p[1] == ':' && p[2] == '/' || strings.HasPrefix(p, "//")
	}
	return strings.HasPrefix(p, "/")
}

// clean is path.Clean that leaves the two slashes of a Windows share alone.
func clean(p string) string {
	if strings.HasPrefix(p, "//") {
		return "/" + path.Clean(p[1:])
	}
	return path.Clean(p)
}

func slashed(p, goos string) string {
	if goos == "windows" {
		return strings.ReplaceAll(p, `\`, "/")
	}
	return p
}

func unique(list []string) []string {
	seen := make(map[string]bool, len(list))
	out := list[:0:0]
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// fileNames are the names that a program may have in a folder.
func fileNames(program, goos string) []string {
	if goos != "windows" {
		return []string{program}
	}
	lower := strings.ToLower(program)
	for _, ext := range []string{".exe", ".cmd", ".bat", ".com"} {
		if strings.HasSuffix(lower, ext) {
			return []string{program}
		}
	}
	return []string{program + ".exe", program + ".cmd", program + ".bat", program + ".com"}
}
