package managed

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPlacesOfEachManager(t *testing.T) {
	home := environment{"HOME": "/home/a", "PATH": "/usr/bin:/bin"}
	with := func(kv ...string) environment {
		e := environment{}
		for k, v := range home {
			e[k] = v
		}
		for i := 0; i < len(kv); i += 2 {
			e[kv[i]] = kv[i+1]
		}
		return e
	}
	for _, tc := range []struct {
		name   string
		env    environment
		goos   string
		prefix string
		own    []string
		want   string
	}{
		{"npm prefix of npmrc", home, "linux", "/opt/npm", nil, "/opt/npm/bin"},
		{"npm prefix of the environment", with("npm_config_prefix", "/opt/n"), "linux", "", nil, "/opt/n/bin"},
		{"npm global of old", home, "linux", "", nil, "/home/a/.npm-global/bin"},
		{"nvm", home, "linux", "", nil, "/home/a/.nvm/versions/node/*/bin"},
		{"nvm elsewhere", with("NVM_DIR", "/x/nvm"), "linux", "", nil, "/x/nvm/versions/node/*/bin"},
		{"nvm in use", with("NVM_BIN", "/x/nvm/v1/bin"), "linux", "", nil, "/x/nvm/v1/bin"},
		{"volta", home, "linux", "", nil, "/home/a/.volta/bin"},
		{"volta elsewhere", with("VOLTA_HOME", "/v"), "darwin", "", nil, "/v/bin"},
		{"fnm", home, "linux", "", nil, "/home/a/.local/share/fnm/node-versions/*/installation/bin"},
		{"fnm on a mac", home, "darwin", "", nil, "/home/a/Library/Application Support/fnm/node-versions/*/installation/bin"},
		{"pnpm", with("PNPM_HOME", "/p"), "linux", "", nil, "/p"},
		{"bun", home, "linux", "", nil, "/home/a/.bun/bin"},
		{"own folder", home, "linux", "", []string{".opencode/bin"}, "/home/a/.opencode/bin"},
		{"local", home, "linux", "", nil, "/home/a/.local/bin"},
		{"brew on linux", home, "linux", "", nil, "/home/linuxbrew/.linuxbrew/bin"},
		{"brew on a mac", home, "darwin", "", nil, "/opt/homebrew/bin"},
		{"app bundle", home, "darwin", "", nil, "/Applications/*.app/Contents/Resources/app/bin"},
		{"npm on windows", environment{"APPDATA": `C:\Users\a\AppData\Roaming`}, "windows", "", nil, "C:/Users/a/AppData/Roaming/npm"},
		{"scoop", environment{"USERPROFILE": `C:\Users\a`}, "windows", "", nil, "C:/Users/a/scoop/shims"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, beyond := places(tc.env, tc.goos, tc.prefix, tc.own)
			assert.Contains(t, beyond, tc.want)
		})
	}
}

func TestPlacesTakePathFirstAndNothingRelative(t *testing.T) {
	for _, tc := range []struct {
		name, goos, path string
		want             []string
	}{
		{"plain", "linux", "/a:/b/", []string{"/a", "/b"}},
		{"relative and empty", "linux", ":.:bin:/a::/a", []string{"/a"}},
		{"windows", "windows", `C:\a;"D:\b c";bin;\\srv\x`, []string{"C:/a", "D:/b c", "//srv/x"}},
		{"none", "linux", "", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			on, _ := places(environment{"PATH": tc.path}, tc.goos, "", nil)
			assert.Equal(t, tc.want, on)
		})
	}
}

func TestPlacesWithoutHomeHaveNoRelativeFolder(t *testing.T) {
	for _, goos := range []string{"linux", "darwin", "windows"} {
		_, beyond := places(environment{}, goos, "", []string{".opencode/bin"})
		for _, p := range beyond {
			assert.True(t, absolute(p, goos), "%s: %s", goos, p)
		}
	}
}

func TestVersionIsFoundInWhatProgramsPrint(t *testing.T) {
	for _, tc := range []struct{ name, out, want string }{
		{"bare", "1.18.33\n", "1.18.33"},
		{"with a v", "v22.4.0", "22.4.0"},
		{"in a sentence", "GitHub Copilot CLI 1.0.102 (linux)", "1.0.102"},
		{"pre-release", "codex-cli 0.166.0-alpha.2", "0.166.0-alpha.2"},
		{"two numbers", "goose 1.9", "1.9"},
		{"no version", "usage: agent [flags]", ""},
		{"an address is none", "listening on 1", ""},
		{"nothing", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) { assert.Equal(t, tc.want, parseVersion(tc.out)) })
	}
}

func TestOlderThan(t *testing.T) {
	for _, tc := range []struct {
		have, need string
		want       bool
	}{
		{"20.11.1", "22", true}, {"22.0.0", "22", false}, {"22.18.9", "22.19", true},
		{"24.1.0", "22.19", false}, {"", "22", false}, {"20", "", false}, {"v18.2.0", "20", true},
		{"22.0.0-pre", "22", false},
	} {
		assert.Equal(t, tc.want, olderThan(tc.have, tc.need), "%s < %s", tc.have, tc.need)
	}
}

func FuzzParseVersion(f *testing.F) {
	f.Add("v1.2.3")
	f.Add("codex-cli 0.166.0-alpha.2 (x)")
	f.Fuzz(func(t *testing.T, out string) {
		v := parseVersion(out)
		if v == "" {
			return
		}
		if !strings.Contains(out, v) || len(v) > 80 || parseVersion(v) != v {
			t.Fatalf("%q -> %q -> %q", out, v, parseVersion(v))
		}
	})
}
