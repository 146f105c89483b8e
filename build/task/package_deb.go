package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"unicode/utf8"

	"turnwatch/build/task/internal/release"
	"turnwatch/build/task/internal/stamp"
	"turnwatch/build/task/internal/step"
)

// nfpmProgram builds nfpm from its own pinned module, once for each version.
func (t *task) nfpmProgram(ctx context.Context) (string, error) {
	dir := filepath.Join(t.root, "build", "package", "tools")
	program := t.bin("tools", "nfpm")
	pins, err := stamp.Files(dir, func(string) bool { return true })
	if err != nil {
		return "", err
	}
	key := stamp.Of(string(pins), runtime.Version())
	if _, err := os.Stat(program); err == nil && t.stamps().Done("nfpm", key) {
		return program, nil
	}
	if err := t.commandIn(ctx, dir, "build nfpm", nil, "go", "build", "-buildvcs=false", "-o", program, "github.com/goreleaser/nfpm/v2/cmd/nfpm"); err != nil {
		return "", err
	}
	return program, t.stamps().Mark("nfpm", key)
}

// linuxPackages lays out the files of the .deb and of the .rpm and packs them.
func (p *packaging) linuxPackages(ctx context.Context) error {
	err := p.console.Do(ctx, "lay out for Linux", func(ctx context.Context, log io.Writer) (string, error) {
		return "", p.layOut(ctx, log)
	})
	if err != nil {
		return err
	}
	metainfo := p.work("deb", "usr", "share", "metainfo", appID+".metainfo.xml")
	if err := p.command(ctx, "check AppStream data", nil, "appstreamcli", "validate", "--no-net", metainfo); err != nil {
		return err
	}
	glibc, err := release.Glibc(p.work("linux", "turnwatch"), p.work("linux", "tw"))
	if err != nil {
		return err
	}
	config := p.work("nfpm.yaml")
	more := map[string]string{"STAGE": p.work(), "ARCH": runtime.GOARCH, "GLIBC": glibc, "CONTACT": contact()}
	if err := p.filled(config, more, "linux", "nfpm.yaml"); err != nil {
		return err
	}
	for _, kind := range []string{"deb", "rpm"} {
		if err := p.command(ctx, "pack "+kind, p.epoch(), p.nfpm, "package", "-f", config, "-p", kind, "-t", p.out()); err != nil {
			return err
		}
	}
	return nil
}

// epoch tells tools when everything counts as made.
func (p *packaging) epoch() []string {
	return []string{"SOURCE_DATE_EPOCH=" + strconv.FormatInt(p.made.Unix(), 10), "LC_ALL=C", "LANG=C", "TZ=UTC"}
}

// layOut puts every file in its place, below deb/usr and rpm/usr.
func (p *packaging) layOut(ctx context.Context, log io.Writer) error {
	manuals, err := p.manuals(ctx, log)
	if err != nil {
		return err
	}
	changes, err := os.ReadFile(filepath.Join(p.root, "CHANGELOG.md"))
	if err != nil {
		return fmt.Errorf("read changelog: %w", err)
	}
	licence, err := os.ReadFile(filepath.Join(p.root, "LICENSE"))
	if err != nil {
		return fmt.Errorf("read licence: %w", err)
	}
	packed, err := zip(p.debianChanges(string(changes)))
	if err != nil {
		return err
	}
	doc := "share/doc/turnwatch/"
	deb := map[string][]byte{doc + "changelog.gz": packed, doc + "copyright": []byte(copyright)}
	rpm := map[string][]byte{doc + "CHANGELOG.md": changes, "share/licenses/turnwatch/LICENSE": licence}
	for _, kind := range []struct {
		name  string
		zsh   string
		files map[string][]byte
	}{{"deb", "share/zsh/vendor-completions", deb}, {"rpm", "share/zsh/site-functions", rpm}} {
		usr := p.work(kind.name, "usr")
		for _, files := range []map[string][]byte{manuals, kind.files} {
			for path, data := range files {
				if err := put(filepath.Join(usr, filepath.FromSlash(path)), data, 0o644); err != nil {
					return err
				}
			}
		}
		if err := p.shared(usr); err != nil {
			return err
		}
		if err := p.completions(ctx, usr, kind.zsh); err != nil {
			return err
		}
	}
	return nil
}

// shared are the files that both packages have in the same places.
func (p *packaging) shared(usr string) error {
	at := func(path string) string { return filepath.Join(usr, filepath.FromSlash(path)) }
	icons := "share/icons/hicolor/"
	copies := map[string]string{
		at("share/applications/turnwatch.desktop"): p.source("linux", "turnwatch.desktop"),
		at(icons + "scalable/apps/turnwatch.svg"):  p.source("icon", "turnwatch.svg"),
		at("share/turnwatch/licences.json"):        p.work("papers", "licences.json"),
		at("share/turnwatch/sbom.cdx.json"):        p.work("papers", "sbom.cdx.json"),
		at("share/turnwatch/NOTICES.txt"):          p.work("papers", "NOTICES.txt"),
	}
	for _, w := range hicolorWidths {
		copies[at(fmt.Sprintf("%s%dx%d/apps/turnwatch.png", icons, w, w))] = p.picture(w)
	}
	for to, from := range copies {
		if err := copyFile(to, from, 0o644); err != nil {
			return err
		}
	}
	for _, name := range []string{"turnwatch", "tw"} {
		if err := copyFile(at("bin/"+name), p.work("linux", name), 0o755); err != nil {
			return err
		}
	}
	return p.filled(at("share/metainfo/"+appID+".metainfo.xml"), nil, "linux", "metainfo.xml")
}

// manuals are the manual pages of tw, which it writes itself, and that of the
// window, by path below usr.
func (p *packaging) manuals(ctx context.Context, log io.Writer) (map[string][]byte, error) {
	dir := p.work("man")
	if err := p.filled(filepath.Join(dir, "turnwatch.1"), nil, "linux", "turnwatch.1"); err != nil {
		return nil, err
	}
	if err := step.Run(ctx, step.Command{Dir: p.root, Env: p.epoch(), Args: []string{p.work("linux", "tw"), "man", dir}}, log); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("list manual pages: %w", err)
	}
	pages := map[string][]byte{}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, fmt.Errorf("read manual page: %w", err)
		}
		if pages["share/man/man1/"+e.Name()+".gz"], err = zip(data); err != nil {
			return nil, err
		}
	}
	return pages, nil
}

// completions has tw write what shells complete its commands with.
func (p *packaging) completions(ctx context.Context, usr, zsh string) error {
	for shell, path := range map[string]string{
		"bash": "share/bash-completion/completions/tw", "zsh": zsh + "/_tw", "fish": "share/fish/vendor_completions.d/tw.fish",
	} {
		text, err := step.Output(ctx, step.Command{Dir: p.root, Env: p.epoch(), Args: []string{p.work("linux", "tw"), "completion", shell}})
		if err != nil {
			return err
		}
		if err := put(filepath.Join(usr, filepath.FromSlash(path)), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// copyright is the file that Debian asks for. The texts of others stand elsewhere,
// since systems without documentation keep that too.
const copyright = `Turnwatch is under the Apache License, version 2.0: see
/usr/share/common-licenses/Apache-2.0 on Debian systems.

It contains works by others. Which, under which licences, and the texts of these:
/usr/share/turnwatch/NOTICES.txt, or by the command: tw licences
`

// contact is the address of whoever makes the packages.
func contact() string {
	if address := os.Getenv("TURNWATCH_PACKAGER"); address != "" {
		return address
	}
	return "packages@turnwatch.invalid"
}

// debianChanges says in Debian's form what the first section of the changelog says.
func (p *packaging) debianChanges(changelog string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "turnwatch (%s) unstable; urgency=medium\n\n", p.version.Debian())
	_, rest, _ := strings.Cut(changelog, "\n## ")
	section, _, _ := strings.Cut(rest, "\n## ")
	for _, line := range strings.Split(section, "\n") {
		if text, ok := strings.CutPrefix(line, "- "); ok {
			b.WriteString(wrapped("  *", text))
		}
	}
	fmt.Fprintf(&b, "\n -- The Turnwatch developers <%s>  %s\n", contact(), p.made.Format("Mon, 02 Jan 2006 15:04:05 -0700"))
	return []byte(b.String())
}

// wrapped is a point of a list in lines of at most 78 characters, where its words are
// no longer than that.
func wrapped(mark, text string) string {
	var b strings.Builder
	line := mark
	for _, word := range strings.Fields(text) {
		if utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > 78 {
			b.WriteString(line + "\n")
			line = strings.Repeat(" ", len(mark))
		}
		line += " " + word
	}
	return b.String() + line + "\n"
}
