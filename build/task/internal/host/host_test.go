package host_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"turnwatch/build/task/internal/host"
)

// machine is a Machine that has just these programs and libraries.
func machine(os string, root, compiles, sudo bool, programs ...string) host.Machine {
	return host.Machine{
		OS: os, Root: root,
		Has:     func(p string) bool { return slices.Contains(programs, p) },
		Compile: func() bool { return compiles },
		Library: func(name string) bool { return slices.Contains(programs, name) },
		Sudo:    func() bool { return sudo },
	}
}

func TestMissing(t *testing.T) {
	all := []host.Need{host.CCompiler, host.Git, host.NPM}
	tests := []struct {
		name    string
		machine host.Machine
		want    []host.Need
	}{
		{"everything there", machine("linux", true, true, false, "git", "npm", "node"), nil},
		{"bare", machine("linux", true, false, false), all},
		{"a gcc without the C library's headers does not compile", machine("linux", true, false, false, "gcc", "git", "npm", "node"), []host.Need{host.CCompiler}},
		{"npm without node", machine("linux", true, true, false, "git", "npm"), []host.Need{host.NPM}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, tt.machine.Missing(all...))
		})
	}
	assert.Empty(t, machine("linux", true, false, false).Missing(), "nothing asked, nothing missing")
}

func TestABrowserOfAnyName(t *testing.T) {
	tests := []struct {
		name    string
		has     []string
		missing bool
	}{
		{"Debian's", []string{"chromium"}, false},
		{"an older name", []string{"chromium-browser"}, false},
		{"Google's", []string{"google-chrome"}, false},
		{"another one", []string{"firefox"}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := machine("linux", true, true, false, append(tt.has, "apt-get")...)
			assert.Equal(t, tt.missing, len(m.Missing(host.Browser)) == 1)
		})
	}
	plan := machine("linux", true, true, false, "apt-get").PlanFor([]host.Need{host.Browser})
	assert.Len(t, plan.Commands, 2)
	assert.Contains(t, plan.Commands[len(plan.Commands)-1], "chromium")
}

func TestWhatTheWindowNeeds(t *testing.T) {
	tests := []struct {
		name    string
		machine host.Machine
		missing bool
	}{
		{"both libraries", machine("linux", true, true, false, "gtk+-3.0", "webkit2gtk-4.1"), false},
		{"the older WebKitGTK", machine("linux", true, true, false, "gtk+-3.0", "webkit2gtk-4.0"), true},
		{"no GTK", machine("linux", true, true, false), true},
		{"macOS has its own", machine("darwin", true, true, false), false},
		{"so has Windows", machine("windows", true, true, false), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.missing, len(tt.machine.Missing(host.Window)) == 1)
		})
	}
	plan := machine("linux", false, false, false, "apt-get").PlanFor([]host.Need{host.Window})
	assert.Contains(t, plan.ByHand, "libgtk-3-dev libwebkit2gtk-4.1-dev")
}

func TestAScreenIsAllOfItsPrograms(t *testing.T) {
	programs := []string{"Xvfb", "dbus-run-session", "openbox", "xdotool", "import"}
	assert.Empty(t, machine("linux", true, true, false, programs...).Missing(host.Screen))
	for i, left := range programs {
		t.Run("without "+left, func(t *testing.T) {
			has := append([]string{"apt-get"}, slices.Delete(slices.Clone(programs), i, i+1)...)
			m := machine("linux", true, true, false, has...)
			assert.Equal(t, []host.Need{host.Screen}, m.Missing(host.Screen))
			commands := m.PlanFor([]host.Need{host.Screen}).Commands
			assert.Subset(t, commands[len(commands)-1], []string{"xvfb", "openbox", "xdotool", "fonts-dejavu-core"})
		})
	}
}

func TestPlanFor(t *testing.T) {
	gcc := []host.Need{host.CCompiler}
	tests := []struct {
		name     string
		machine  host.Machine
		missing  []host.Need
		commands [][]string
		byHand   []string // parts of what the user is told
	}{
		{
			name: "nothing missing asks nothing of apt", machine: machine("linux", true, true, false, "apt-get"),
		},
		{
			name: "Debian as root", machine: machine("linux", true, false, false, "apt-get"), missing: []host.Need{host.CCompiler, host.Git},
			commands: [][]string{
				{"apt-get", "update", "-q"},
				{"apt-get", "install", "-y", "-q", "--no-install-recommends", "gcc", "libc6-dev", "git"},
			},
		},
		{
			name: "Fedora as root", machine: machine("linux", true, false, false, "dnf"), missing: gcc,
			commands: [][]string{{"dnf", "install", "-y", "gcc", "glibc-devel"}},
		},
		{
			name: "Arch with sudo", machine: machine("linux", false, false, true, "pacman", "sudo"), missing: []host.Need{host.NPM},
			commands: [][]string{{"sudo", "-n", "pacman", "-Sy", "--needed", "--noconfirm", "nodejs", "npm"}},
		},
		{
			name: "Debian with sudo that asks for a password", machine: machine("linux", false, false, false, "apt-get", "sudo"), missing: gcc,
			byHand: []string{"a C compiler is missing", "sudo apt-get update -q && sudo apt-get install", "gcc libc6-dev"},
		},
		{
			name: "no sudo", machine: machine("linux", false, false, true, "apt-get"), missing: []host.Need{host.CCompiler, host.Git},
			byHand: []string{"a C compiler and git are missing", "apt-get install"},
		},
		{
			name: "an unknown Linux", machine: machine("linux", true, false, false), missing: gcc,
			byHand: []string{"none of apt-get, dnf, pacman"},
		},
		{
			name: "macOS, whatever is on PATH", machine: machine("darwin", true, false, false, "apt-get"), missing: gcc,
			byHand: []string{"xcode-select --install"},
		},
		{
			name: "Windows", machine: machine("windows", false, false, false), missing: []host.Need{host.Git},
			byHand: []string{"git is missing", "winget install"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			plan := tt.machine.PlanFor(tt.missing)
			assert.Equal(t, tt.commands, plan.Commands)
			if tt.byHand == nil {
				assert.Empty(t, plan.ByHand)
			}
			for _, part := range tt.byHand {
				assert.Contains(t, plan.ByHand, part)
			}
		})
	}
}

func TestManagerTakesTheFirstThatIsThere(t *testing.T) {
	pm, ok := machine("linux", true, true, true, "pacman", "apt-get").Manager()
	assert.True(t, ok)
	assert.Equal(t, "apt-get", pm.Name)
	_, ok = machine("windows", true, true, true, "apt-get").Manager()
	assert.False(t, ok)
}

func TestThisMachineKnowsItself(t *testing.T) {
	m := host.This(t.Context())
	assert.True(t, m.Has("go"), "go runs this test")
	assert.False(t, m.Has("no-such-program-at-all"))
	assert.True(t, m.Compile(), "the race detector of this test was compiled with cgo")
}

func TestFontsAreThereWhenEachLanguageHasOne(t *testing.T) {
	for _, tt := range []struct {
		name    string
		os      string
		written []string
		missing bool
	}{
		{"all three", "linux", []string{"ja", "zh-cn", "ar"}, false},
		{"no Arabic", "linux", []string{"ja", "zh-cn"}, true},
		{"none", "linux", nil, true},
		{"other systems bring theirs", "darwin", nil, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := machine(tt.os, true, true, false, "apt-get")
			m.Writes = func(language string) bool { return slices.Contains(tt.written, language) }
			assert.Equal(t, tt.missing, len(m.Missing(host.Fonts)) == 1)
			if tt.missing {
				commands := m.PlanFor([]host.Need{host.Fonts}).Commands
				assert.Contains(t, commands[len(commands)-1], "fonts-noto-cjk")
			}
		})
	}
}
