package managed

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// finder looks for programs with one environment. It only reads the file system.
type finder struct {
	env    environment
	prefix string // npm's global prefix as ~/.npmrc has it
}

func newFinder(environ []string) finder {
	f := finder{env: parseEnviron(environ)}
	if home := homeOf(f.env, runtime.GOOS); home != "" {
		f.prefix = npmPrefix(filepath.Join(home, ".npmrc"), home)
	}
	return f
}

// place is where a program was found.
type place struct {
	file   string
	onPath bool
	closed string // a file of that name that cannot be run, where nothing else was found
}

// locate finds the first of the names that can be run, on PATH before elsewhere.
func (f finder) locate(names, own []string) place {
	onPath, beyond := places(f.env, runtime.GOOS, f.prefix, own)
	var p place
	for _, name := range names {
		if p.file = first(onPath, name, &p.closed); p.file != "" {
			p.onPath = true
			return p
		}
		for _, pattern := range beyond {
			if p.file = first(expand(pattern), name, &p.closed); p.file != "" {
				return p
			}
		}
	}
	return p
}

// first returns the first folder's file of that name that can be run.
func first(folders []string, name string, closed *string) string {
	for _, dir := range folders {
		for _, n := range fileNames(name, runtime.GOOS) {
			file := filepath.Join(filepath.FromSlash(dir), n)
			info, err := os.Stat(file)
			if err != nil || !info.Mode().IsRegular() {
				continue
			}
			if runtime.GOOS == "windows" || info.Mode()&0o111 != 0 {
				return file
			}
			if *closed == "" {
				*closed = file
			}
		}
	}
	return ""
}

// expand returns the folders that a pattern stands for, newest version first.
func expand(pattern string) []string {
	if !strings.Contains(pattern, "*") {
		return []string{pattern}
	}
	found, err := filepath.Glob(filepath.FromSlash(pattern))
	if err != nil {
		return nil
	}
	slices.SortStableFunc(found, func(a, b string) int {
		va, vb := parseVersion(a), parseVersion(b)
		switch {
		case va == "" && vb == "":
			return strings.Compare(a, b)
		case olderThan(va, vb) || va == "":
			return 1
		case olderThan(vb, va) || vb == "":
			return -1
		}
		return 0
	})
	return found
}

// npmPrefix reads the prefix line of an .npmrc. Anything odd means none.
func npmPrefix(file, home string) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	lines := bufio.NewReader(io.LimitReader(f, 64<<10))
	for {
		line, err := lines.ReadString('\n')
		if k, v, ok := strings.Cut(line, "="); ok && strings.TrimSpace(k) == "prefix" {
			v = strings.Trim(strings.TrimSpace(v), `"'`)
			for _, h := range []string{"~", "${HOME}", "$HOME"} {
				if rest, ok := strings.CutPrefix(v, h); ok {
					v = home + rest
				}
			}
			if filepath.IsAbs(v) {
				return filepath.Clean(v)
			}
			return ""
		}
		if err != nil {
			return ""
		}
	}
}

// packageVersion reads the version of the npm package that a program belongs to,
// by the package.json nearest to the file behind the links. "" where none is.
func packageVersion(program string) string {
	file, err := filepath.EvalSymlinks(program)
	if err != nil {
		return ""
	}
	dir := filepath.Dir(file)
	for range 6 {
		if v := readVersion(filepath.Join(dir, "package.json")); v != "" {
			return v
		}
		up := filepath.Dir(dir)
		if up == dir || filepath.Base(dir) == "node_modules" {
			break
		}
		dir = up
	}
	return ""
}

func readVersion(file string) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, 256<<10))
	if err != nil {
		return ""
	}
	var p struct {
		Version string `json:"version"`
	}
	if json.Unmarshal(raw, &p) != nil {
		return ""
	}
	return parseVersion(p.Version)
}
