package main

import (
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/build/task/internal/release"
	"turnwatch/build/task/internal/step"
)

// newPackaging packs the project's own descriptions, and prints to the returned
// buffer. What it makes goes below its root, so a test that makes something has to
// give it another.
func newPackaging(t *testing.T, version string) (*packaging, *bytes.Buffer) {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	v, err := release.Parse(version)
	require.NoError(t, err)
	var out bytes.Buffer
	task := &task{root: root, console: step.New(&out, step.Options{})}
	return &packaging{task: task, version: v, made: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)}, &out
}

func TestFill(t *testing.T) {
	values := map[string]string{"VERSION": "1.2.3", "ID": "a.b"}
	tests := []struct {
		name, text, want, err string
	}{
		{"values", "${ID} ${VERSION} ${ID}", "a.b 1.2.3 a.b", ""},
		{"what belongs to others", "$XDG_DATA_HOME ${lower} $INSTDIR", "$XDG_DATA_HOME ${lower} $INSTDIR", ""},
		{"an unknown name", "${ID} ${NOPE} ${NIL}", "", "nothing is known for NOPE, NIL"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := fill(tt.text, values)
			if tt.err != "" {
				require.ErrorContains(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tt.want, got)
		})
	}
}

// Every description can be filled in, and says what it is filled in with.
func TestTheDescriptionsAreWhole(t *testing.T) {
	nfpm := map[string]string{"STAGE": "/stage", "ARCH": "amd64", "GLIBC": "2.34", "CONTACT": "a@example.org"}
	tests := []struct {
		path  string
		more  map[string]string
		wants []string
	}{
		{"linux/metainfo.xml", nil, []string{`<release version="1.2.3-rc.1" date="2026-03-04" type="development"/>`, "<id>" + appID + "</id>"}},
		{"linux/turnwatch.1", nil, []string{"Turnwatch 1.2.3-rc.1", "$XDG_DATA_HOME/turnwatch"}},
		{"linux/nfpm.yaml", nfpm, []string{"version: 1.2.3-rc.1", "mtime: 2026-03-04T05:06:07Z", "libc6 (>= 2.34)", "/stage/deb/usr"}},
		{"windows/turnwatch.manifest", nil, []string{`version="1.2.3.0"`, "asInvoker", "permonitorv2", "UTF-8"}},
		{"windows/program.rc", map[string]string{"NAME": "tw", "TITLE": "T"}, []string{"FILEVERSION 1,2,3,0", `"tw.exe"`, "3 ICON"}},
		{"macos/Info.plist", nil, []string{"<string>1.2.3-rc.1</string>", "<string>" + appID + "</string>"}},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			p, _ := newPackaging(t, "1.2.3-rc.1")
			to := filepath.Join(t.TempDir(), "filled")
			require.NoError(t, p.filled(to, tt.more, strings.Split(tt.path, "/")...))
			data, err := os.ReadFile(to)
			require.NoError(t, err)
			for _, want := range tt.wants {
				assert.Contains(t, string(data), want)
			}
			if strings.HasPrefix(string(data), "<?xml") {
				wellFormed(t, data)
			}
		})
	}
}

func wellFormed(t *testing.T, data []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(data))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
	}
}

// A link that the user clicks reaches the app on all three systems.
func TestEverySystemHearsOfLinks(t *testing.T) {
	p, _ := newPackaging(t, "1.0.0")
	for path, want := range map[string]string{
		"linux/turnwatch.desktop": "MimeType=x-scheme-handler/turnwatch;",
		"linux/metainfo.xml":      "<mediatype>x-scheme-handler/turnwatch</mediatype>",
		"windows/installer.nsi":   `WriteRegStr HKCU "${SCHEME}\shell\open\command" "" '"$INSTDIR\turnwatch.exe" "%1"'`,
		"macos/Info.plist":        "<string>turnwatch</string>\n      </array>\n    </dict>",
	} {
		data, err := os.ReadFile(p.source(strings.Split(path, "/")...))
		require.NoError(t, err)
		assert.Contains(t, string(data), want, path)
	}
}

var (
	nsisFile   = regexp.MustCompile(`(?m)^  File "\$\{STAGE\}\\(.+)"$`)
	nsisDelete = regexp.MustCompile(`(?m)^  Delete "\$INSTDIR\\(.+)"$`)
	nsisKey    = regexp.MustCompile(`(?m)^  WriteReg\w+ HKCU "(\$\{\w+\}|[^"$\\]+\\[^"\\]+)`)
	nsisGone   = regexp.MustCompile(`(?m)^  DeleteRegKey HKCU "(.+)"$`)
)

// The uninstaller takes away by name: what is added to the installer alone would
// stay for ever.
func TestTheUninstallerTakesAwayWhatWasInstalled(t *testing.T) {
	p, _ := newPackaging(t, "1.0.0")
	data, err := os.ReadFile(p.source("windows", "installer.nsi"))
	require.NoError(t, err)
	text := string(data)
	assert.ElementsMatch(t, append(all(nsisFile, text), "uninstall.exe"), all(nsisDelete, text))
	keys := all(nsisKey, text)
	slices.Sort(keys)
	assert.ElementsMatch(t, slices.Compact(keys), all(nsisGone, text))
	assert.NotContains(t, text, "RMDir /r", "a folder of the user may hold more than ours")
}

func all(pattern *regexp.Regexp, text string) []string {
	var found []string
	for _, m := range pattern.FindAllStringSubmatch(text, -1) {
		found = append(found, m[1])
	}
	return found
}

func TestTheLayoutOfTheMacApp(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no sh")
	}
	p, _ := newPackaging(t, "1.2.3")
	built, out := t.TempDir(), t.TempDir()
	for _, name := range []string{"turnwatch", "tw", "turnwatch.icns", "LICENSE.txt", "NOTICES.txt", "licences.json", "sbom.cdx.json"} {
		require.NoError(t, put(filepath.Join(built, name), []byte(name), 0o644))
	}
	require.NoError(t, p.filled(filepath.Join(built, "Info.plist"), nil, "macos", "Info.plist"))
	script := p.source("macos", "bundle.sh")
	said, err := exec.CommandContext(t.Context(), "sh", script, "--layout", built, out).CombinedOutput()
	require.NoError(t, err, string(said))

	var files []string
	root := filepath.Join(out, "Turnwatch.app")
	require.NoError(t, filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
		if err == nil && info.Mode().IsRegular() {
			rel, _ := filepath.Rel(root, path)
			files = append(files, filepath.ToSlash(rel))
		}
		return err
	}))
	assert.ElementsMatch(t, []string{
		"Contents/Info.plist", "Contents/PkgInfo", "Contents/MacOS/turnwatch", "Contents/MacOS/tw",
		"Contents/Resources/turnwatch.icns", "Contents/Resources/LICENSE.txt", "Contents/Resources/NOTICES.txt",
		"Contents/Resources/licences.json", "Contents/Resources/sbom.cdx.json",
	}, files)
	info, err := os.Stat(filepath.Join(root, "Contents", "MacOS", "tw"))
	require.NoError(t, err)
	assert.EqualValues(t, 0o755, info.Mode().Perm())

	err = exec.CommandContext(t.Context(), "sh", script).Run()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit, "without folders it must not remove anything")
	assert.Equal(t, 2, exit.ExitCode())
}

func TestDebianChanges(t *testing.T) {
	p, _ := newPackaging(t, "1.2.0-rc.1")
	t.Setenv("TURNWATCH_PACKAGER", "a@example.org")
	got := p.debianChanges("# Changelog\n\nAll changes.\n\n## Unreleased\n\n- One.\n- Two\n\n## 1.1.0\n\n- Old.\n")
	assert.Equal(t, "turnwatch (1.2.0~rc.1) unstable; urgency=medium\n\n  * One.\n  * Two\n\n"+
		" -- The Turnwatch developers <a@example.org>  Wed, 04 Mar 2026 05:06:07 +0000\n", string(got))
	assert.NotContains(t, string(p.debianChanges("")), "*", "a changelog without sections is no reason to stop")
}

func TestWrapped(t *testing.T) {
	got := wrapped("  *", strings.Repeat("größer ", 20)+strings.Repeat("x", 100))
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	require.Len(t, lines, 3)
	assert.Equal(t, "  *"+strings.Repeat(" größer", 10), lines[0])
	assert.Equal(t, "   "+strings.Repeat(" größer", 10), lines[1])
	assert.Equal(t, "    "+strings.Repeat("x", 100), lines[2], "a long word stays whole")
	assert.Equal(t, "  * one\n", wrapped("  *", " one "))
}

func TestZipGivesTheSameBytes(t *testing.T) {
	one, err := zip([]byte("a manual page"))
	require.NoError(t, err)
	two, err := zip([]byte("a manual page"))
	require.NoError(t, err)
	assert.Equal(t, one, two)
	r, err := gzip.NewReader(bytes.NewReader(one))
	require.NoError(t, err)
	assert.True(t, r.ModTime.IsZero())
	assert.Empty(t, r.Name)
	back, err := io.ReadAll(r)
	require.NoError(t, err)
	assert.Equal(t, "a manual page", string(back))
}

func TestSigning(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no sh")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "setup.exe")
	signer := filepath.Join(dir, "sign")
	require.NoError(t, put(signer, []byte("#!/bin/sh\nprintf signed >> \"$1\"\n"), 0o755))
	refuser := filepath.Join(dir, "refuse")
	require.NoError(t, put(refuser, []byte("#!/bin/sh\necho no key >&2; exit 3\n"), 0o755))
	tests := []struct {
		name, program, want, says, err string
	}{
		{"no key", "", "file", "signing setup.exe skipped: TURNWATCH_SIGN_WINDOWS names no program that signs", ""},
		{"a key", signer, "filesigned", "sign setup.exe", ""},
		{"a key that does not work", refuser, "file", "no key", "exit status 3"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.NoError(t, put(file, []byte("file"), 0o644))
			t.Setenv(signsWindows, tt.program)
			p, out := newPackaging(t, "1.0.0")
			err := p.signWindows(t.Context(), file)
			if tt.err == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, tt.err)
			}
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			assert.Equal(t, tt.want, string(data))
			assert.Contains(t, out.String(), tt.says)
		})
	}
}

func TestSealWritesTheSumsOfWhatWasMade(t *testing.T) {
	t.Setenv(signsSums, "")
	p, out := newPackaging(t, "1.0.0")
	p.root = t.TempDir()
	require.NoError(t, put(p.out("a.deb"), []byte("a"), 0o644))
	require.NoError(t, p.seal(t.Context()))
	sums, err := os.ReadFile(p.out("SHA256SUMS"))
	require.NoError(t, err)
	assert.Equal(t, "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb  a.deb\n", string(sums))
	assert.Contains(t, out.String(), "signing SHA256SUMS skipped")
}

func TestTheTimeOfThePackages(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, put(filepath.Join(root, "build", "package", "VERSION"), []byte("1.2.3\n"), 0o644))
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(root))
	tests := []struct {
		name, epoch, err string
	}{
		{"as it is told", "1700000000", ""},
		{"no number", "today", "no number of seconds"},
		{"neither told nor in git", "", "set SOURCE_DATE_EPOCH"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("SOURCE_DATE_EPOCH", tt.epoch)
			p, err := (&task{root: root}).packaging(t.Context())
			if tt.err != "" {
				require.ErrorContains(t, err, tt.err)
				assert.Equal(t, 2, status(err))
				return
			}
			require.NoError(t, err)
			assert.Equal(t, "1.2.3", p.version.String())
			assert.EqualValues(t, 1700000000, p.made.Unix())
		})
	}
}

// The check upgrades from the newest schema that a database is kept of.
func TestThereIsAnOlderSchemaToUpgradeFrom(t *testing.T) {
	p, _ := newPackaging(t, "1.0.0")
	newest, kept, dump, err := p.schemas()
	require.NoError(t, err)
	assert.Equal(t, newest-1, kept, "backend/history/testdata keeps no database of the schema before the newest")
	text, err := os.ReadFile(dump)
	require.NoError(t, err)
	assert.Contains(t, strings.ToLower(string(text)), strings.ToLower(parser))
}

func TestFoldersThatChanged(t *testing.T) {
	dir := t.TempDir()
	_, err := contents(dir)
	require.ErrorContains(t, err, "nothing is there", "an empty folder proves nothing")
	file := filepath.Join(dir, "sub", "history.db")
	require.NoError(t, put(file, []byte("data"), 0o600))
	was, err := contents(dir)
	require.NoError(t, err)
	require.NoError(t, unchanged(dir, was))
	require.NoError(t, put(file, []byte("other"), 0o600))
	require.ErrorContains(t, unchanged(dir, was), "it is not what it was")
	require.NoError(t, os.Remove(file))
	require.Error(t, unchanged(dir, was))
}

func TestWhatIsLeftOfAPackage(t *testing.T) {
	c := clean{root: t.TempDir()}
	for _, path := range []string{"usr/bin/other", "usr/share/turnwatch/sub/licences.json"} {
		require.NoError(t, put(filepath.Join(c.root, filepath.FromSlash(path)), nil, 0o644))
	}
	brought := "/.\n/usr\n/usr/bin\n/usr/bin/tw\n/usr/share/turnwatch\n"
	assert.Equal(t, []string{"/usr/share/turnwatch"}, c.left(brought), "folders that others share may stay")
	assert.Equal(t, []string{"/usr/bin/other"}, c.left("/usr/bin/other\n/usr/bin/tw\n"))
}

func TestTheFoldersOfAModule(t *testing.T) {
	root := filepath.FromSlash("/mod/a")
	m := &module{dirs: []string{root}}
	for _, dir := range []string{"/mod/a", "/mod/a/b/c", "/mod/a/b", "/mod/ab/c"} {
		m.add(filepath.FromSlash(dir))
	}
	assert.Equal(t, []string{root, filepath.FromSlash("/mod/a/b/c"), filepath.FromSlash("/mod/a/b")}, m.dirs)
}
