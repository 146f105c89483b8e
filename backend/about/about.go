// Package about says what this program is: its version, what it was built with,
// and whose work it holds. It may read one file that packages put beside the
// program, and blocks no longer than that takes. It writes nothing.
package about

import (
	"runtime"
	"runtime/debug"
	"strings"
)

// release is the version of a package, without "v"; "" in every other build. The
// package task has the linker write it, and nothing else does.
var release string //nolint:gochecknoglobals // only the linker can set it, before the program starts

// Program is what a bug report needs to know.
type Program struct {
	Version string `json:"version"`          // as Version gives it
	Commit  string `json:"commit,omitempty"` // the full hash, where the build knew it
	Go      string `json:"go"`
	OS      string `json:"os"`   // as runtime.GOOS
	Arch    string `json:"arch"` // as runtime.GOARCH
	Licence string `json:"licence"`
}

// Licence of Turnwatch itself, as SPDX names it.
const Licence = "Apache-2.0"

// This says what the running program is.
func This() Program {
	p := Program{Version: Version(), Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, Licence: Licence}
	if info, ok := debug.ReadBuildInfo(); ok {
		p.Commit = setting(info, "vcs.revision")
	}
	return p
}

// Version is the release, or what Go knows of the commit that the program was
// built from, or "dev".
func Version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "dev"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return strings.TrimPrefix(v, "v")
	}
	if v := setting(info, "vcs.revision"); len(v) >= 12 {
		return "dev-" + v[:12]
	}
	return "dev"
}

func setting(info *debug.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}
