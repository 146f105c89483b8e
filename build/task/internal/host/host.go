// Package host finds out what the machine lacks and how it is installed.
//
// The decisions are pure; Machine is the only way to the machine itself. Install
// blocks while the package manager works.
package host

import (
	"fmt"
	"strings"
)

// Machine answers what the decisions need to know.
type Machine struct {
	OS      string                     // as runtime.GOOS
	Root    bool                       // packages may be installed as we are
	Has     func(program string) bool  // a program is on PATH and starts
	Compile func() bool                // a small C program with the C library's headers compiles
	Library func(name string) bool     // pkg-config finds a library's headers
	Writes  func(language string) bool // a font with the letters of a language is there
	Sudo    func() bool                // sudo works without a password
}

// Need is one thing that a verb cannot do without.
type Need string

// What verbs need beside Go itself.
const (
	CCompiler Need = "a C compiler" // cgo: SQLite and the race detector
	Git       Need = "git"
	NPM       Need = "npm"
	Window    Need = "GTK and WebKitGTK 4.1 with their headers" // Linux only
	Browser   Need = "Chromium"                                 // for the tests of the page
	Fonts     Need = "fonts for Japanese, Chinese and Arabic"   // what the page is looked at in
	MinGW     Need = "MinGW-w64"                                // the compiler for Windows
	NSIS      Need = "NSIS"                                     // makes the Windows installer
	SVG       Need = "rsvg-convert"                             // draws the icon
	AppStream Need = "appstreamcli"                             // checks what software centres show
	Bootstrap Need = "debootstrap"                              // makes a clean Debian
	RPM       Need = "rpm"
	SQLite    Need = "sqlite3"                               // lays down data of an older schema
	Wine      Need = "Wine"                                  // runs the Windows installer
	Screen    Need = "Xvfb, D-Bus, openbox, xdotool, import" // to open the window where nobody sees it; Linux only
)

// Missing lists the needs that the machine does not meet, in the order asked.
func (m Machine) Missing(needs ...Need) []Need {
	var missing []Need
	for _, n := range needs {
		if !m.meets(n) {
			missing = append(missing, n)
		}
	}
	return missing
}

func (m Machine) meets(n Need) bool {
	switch n {
	case CCompiler:
		return m.Compile()
	case Git:
		return m.Has("git")
	case NPM:
		return m.Has("npm") && m.Has("node")
	case Browser:
		return m.Has("chromium") || m.Has("chromium-browser") || m.Has("google-chrome")
	case Fonts:
		return m.OS != "linux" || m.Writes("ja") && m.Writes("zh-cn") && m.Writes("ar")
	case MinGW:
		return m.Has("x86_64-w64-mingw32-gcc") && m.Has("x86_64-w64-mingw32-windres")
	case NSIS:
		return m.Has("makensis")
	case SVG:
		return m.Has("rsvg-convert")
	case AppStream:
		return m.Has("appstreamcli")
	case Bootstrap:
		return m.Has("debootstrap")
	case RPM:
		return m.Has("rpm")
	case SQLite:
		return m.Has("sqlite3")
	case Wine:
		return m.Has("wine")
	case Screen:
		return m.Has("Xvfb") && m.Has("dbus-run-session") && m.Has("openbox") && m.Has("xdotool") && m.Has("import")
	case Window:
		return m.OS != "linux" || m.Library("gtk+-3.0") && m.Library("webkit2gtk-4.1")
	default:
		return false
	}
}

// Manager is a package manager.
type Manager struct {
	Name     string
	refresh  []string // run before an install, where lists may be absent
	install  []string
	packages map[Need][]string
}

func managers() []Manager {
	return []Manager{
		{
			Name:    "apt-get",
			refresh: []string{"apt-get", "update", "-q"},
			install: []string{"apt-get", "install", "-y", "-q", "--no-install-recommends"},
			packages: map[Need][]string{
				CCompiler: {"gcc", "libc6-dev"}, Git: {"git"}, NPM: {"nodejs", "npm"},
				Window:  {"pkg-config", "libgtk-3-dev", "libwebkit2gtk-4.1-dev"},
				Browser: {"chromium"}, Fonts: {"fontconfig", "fonts-noto-cjk", "fonts-noto-core"},
				Screen: {"xvfb", "dbus", "openbox", "xdotool", "imagemagick", "fonts-dejavu-core"},
				MinGW:  {"gcc-mingw-w64-x86-64-posix"}, NSIS: {"nsis"}, SVG: {"librsvg2-bin"}, AppStream: {"appstream"},
				Bootstrap: {"debootstrap"}, RPM: {"rpm"}, SQLite: {"sqlite3"}, Wine: {"wine", "wine64"},
			},
		},
		{
			Name:    "dnf",
			install: []string{"dnf", "install", "-y"},
			packages: map[Need][]string{
				CCompiler: {"gcc", "glibc-devel"}, Git: {"git"}, NPM: {"nodejs", "npm"},
				Window:  {"pkgconf-pkg-config", "gtk3-devel", "webkit2gtk4.1-devel"},
				Browser: {"chromium"}, Fonts: {"fontconfig", "google-noto-sans-cjk-fonts", "google-noto-sans-arabic-fonts"},
				Screen: {"xorg-x11-server-Xvfb", "dbus-daemon", "openbox", "xdotool", "ImageMagick", "dejavu-sans-fonts"},
				MinGW:  {"mingw64-gcc"}, NSIS: {"mingw32-nsis"}, SVG: {"librsvg2-tools"}, AppStream: {"appstream"},
				Bootstrap: {"debootstrap"}, RPM: {"rpm"}, SQLite: {"sqlite"}, Wine: {"wine-core"},
			},
		},
		{
			Name:    "pacman",
			install: []string{"pacman", "-Sy", "--needed", "--noconfirm"},
			packages: map[Need][]string{
				CCompiler: {"gcc", "glibc"}, Git: {"git"}, NPM: {"nodejs", "npm"},
				Window:  {"pkgconf", "gtk3", "webkit2gtk-4.1"},
				Browser: {"chromium"}, Fonts: {"fontconfig", "noto-fonts-cjk", "noto-fonts"},
				Screen: {"xorg-server-xvfb", "dbus", "openbox", "xdotool", "imagemagick", "ttf-dejavu"},
				MinGW:  {"mingw-w64-gcc"}, NSIS: {"nsis"}, SVG: {"librsvg"}, AppStream: {"appstream"},
				Bootstrap: {"debootstrap"}, RPM: {"rpm-tools"}, SQLite: {"sqlite"}, Wine: {"wine"},
			},
		},
	}
}

// Manager finds the package manager of the machine. There is none on macOS and
// Windows, nor on a Linux without one of the three that are known.
func (m Machine) Manager() (Manager, bool) {
	if m.OS != "linux" {
		return Manager{}, false
	}
	for _, pm := range managers() {
		if m.Has(pm.Name) {
			return pm, true
		}
	}
	return Manager{}, false
}

// Commands lists what installs the needs, in order: first the list of packages
// where the manager keeps one, then the packages.
func (pm Manager) Commands(needs []Need) [][]string {
	install := append([]string{}, pm.install...)
	for _, n := range needs {
		install = append(install, pm.packages[n]...)
	}
	if len(pm.refresh) == 0 {
		return [][]string{install}
	}
	return [][]string{pm.refresh, install}
}

// Plan is how the needs come onto the machine.
type Plan struct {
	Commands [][]string // to run, in order
	ByHand   string     // what the user is told when we may not install; then Commands is empty
}

// PlanFor decides between installing and telling the user how.
func (m Machine) PlanFor(missing []Need) Plan {
	if len(missing) == 0 {
		return Plan{}
	}
	pm, ok := m.Manager()
	if !ok {
		return Plan{ByHand: m.withoutManager(missing)}
	}
	commands := pm.Commands(missing)
	switch {
	case m.Root:
		return Plan{Commands: commands}
	case m.Has("sudo") && m.Sudo():
		return Plan{Commands: prefixed(commands, "sudo", "-n")}
	default:
		return Plan{ByHand: byHand(missing, prefixed(commands, "sudo"))}
	}
}

func prefixed(commands [][]string, prefix ...string) [][]string {
	out := make([][]string, len(commands))
	for i, c := range commands {
		out[i] = append(append([]string{}, prefix...), c...)
	}
	return out
}

func byHand(missing []Need, commands [][]string) string {
	lines := make([]string, len(commands))
	for i, c := range commands {
		lines[i] = strings.Join(c, " ")
	}
	return fmt.Sprintf("%s missing and installing needs root; run:\n  %s", list(missing), strings.Join(lines, " && "))
}

func (m Machine) withoutManager(missing []Need) string {
	switch m.OS {
	case "darwin":
		return fmt.Sprintf("%s missing; run:\n  xcode-select --install   (C compiler, git)\n  brew install node        (npm)", list(missing))
	case "windows":
		return fmt.Sprintf("%s missing; run:\n  winget install Git.Git OpenJS.NodeJS.LTS BrechtSanders.WinLibs.POSIX.UCRT", list(missing))
	default:
		return fmt.Sprintf("%s missing and none of apt-get, dnf, pacman is here: install it by your system's own means", list(missing))
	}
}

func list(missing []Need) string {
	words := make([]string, len(missing))
	for i, n := range missing {
		words[i] = string(n)
	}
	if len(words) == 1 {
		return words[0] + " is"
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1] + " are"
}
