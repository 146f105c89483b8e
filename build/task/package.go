package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"turnwatch/build/task/internal/host"
	"turnwatch/build/task/internal/release"
	"turnwatch/build/task/internal/step"
)

// appID names the app to AppStream and macOS. It has to be a domain that whoever
// publishes the packages holds, turned round.
const appID = "org.turnwatch.Turnwatch"

// packaging is one making of the packages, in the tree that its task has as root.
type packaging struct {
	*task
	version release.Version
	made    time.Time // when everything in the packages counts as made
	folder  string    // below build/bin/package; "" for the release itself
	nfpm    string    // the program
}

// work is where things lie that go into packages; out holds the packages.
func (p *packaging) work(parts ...string) string {
	return p.bin(append([]string{"package", p.folder, "work"}, parts...)...)
}

func (p *packaging) out(parts ...string) string {
	return p.bin(append([]string{"package", p.folder, "out"}, parts...)...)
}

// packages is the verb package.
func packages(ctx context.Context, t *task) error {
	p, err := t.packaging(ctx)
	if err != nil {
		return err
	}
	switch runtime.GOOS {
	case "linux":
	case "darwin":
		return p.mac(ctx)
	default:
		return usageError{"packages are made on Linux, the Windows installer too, and the macOS app on a Mac"}
	}
	if err := p.ensure(ctx, host.CCompiler, host.Window, host.MinGW, host.NSIS, host.SVG, host.AppStream); err != nil {
		return err
	}
	if p.nfpm, err = p.nfpmProgram(ctx); err != nil {
		return err
	}
	if err := p.makeAll(ctx); err != nil {
		return err
	}
	p.report()
	if t.options.twice {
		if err := p.again(ctx); err != nil {
			return err
		}
	}
	if t.options.check {
		return p.check(ctx)
	}
	return nil
}

// packaging reads which version is made, and when it counts as made: as
// SOURCE_DATE_EPOCH says, else when the last commit was made.
func (t *task) packaging(ctx context.Context) (*packaging, error) {
	text, err := os.ReadFile(filepath.Join(t.root, "build", "package", "VERSION"))
	if err != nil {
		return nil, fmt.Errorf("read version: %w", err)
	}
	p := &packaging{task: t}
	if p.version, err = release.Parse(string(text)); err != nil {
		return nil, fmt.Errorf("build/package/VERSION: %w", err)
	}
	made, ok, err := release.Epoch(os.Getenv("SOURCE_DATE_EPOCH"))
	if err != nil {
		return nil, usageError{err.Error()}
	}
	if !ok {
		said, err := step.Output(ctx, step.Command{Dir: t.root, Args: []string{"git", "log", "-1", "--format=%ct"}})
		if err == nil {
			made, ok, err = release.Epoch(strings.TrimSpace(said))
		}
		if err != nil || !ok {
			return nil, usageError{"this tree has no commit that says when the packages count as made: set SOURCE_DATE_EPOCH to seconds since 1970"}
		}
	}
	p.made = made
	return p, nil
}

// makeAll makes every package from nothing but the sources and what is installed.
func (p *packaging) makeAll(ctx context.Context) error {
	for _, dir := range []string{p.work(), p.out()} {
		if err := os.RemoveAll(dir); err != nil {
			return fmt.Errorf("empty folder of packages: %w", err)
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("make folder of packages: %w", err)
		}
	}
	steps := []func(context.Context) error{
		p.buildPage, p.bindings, p.icons, p.linuxPrograms, p.papers, p.linuxPackages, p.windowsPrograms, p.installer, p.seal,
	}
	for _, do := range steps {
		if err := do(ctx); err != nil {
			return err
		}
	}
	return nil
}

// linkFlags strip a program and tell it its version.
func (p *packaging) linkFlags() string {
	return "-s -w -X turnwatch/backend/about.release=" + p.version.String()
}

// build is a step that builds one program for a package. The paths of this machine
// and the state of git stay out of it.
func (p *packaging) build(ctx context.Context, name string, env []string, tags, flags, out, source string) error {
	return p.command(ctx, "build "+name, env,
		"go", "build", "-trimpath", "-buildvcs=false", "-tags", tags, "-ldflags", flags, "-o", out, source)
}

func (p *packaging) linuxPrograms(ctx context.Context) error {
	window := p.work("linux", "turnwatch")
	err := p.build(ctx, "the window", nil, windowTags("linux"), p.linkFlags(), window, ".")
	if err == nil {
		err = p.build(ctx, "tw", nil, tags, p.linkFlags(), p.work("linux", "tw"), "./backend/cmd/tw")
	}
	if err == nil {
		err = p.holdsPage(window)
	}
	return err
}

// report lists what was made.
func (p *packaging) report() {
	files, err := release.Files(p.out())
	if err != nil {
		p.console.Println(err.Error())
		return
	}
	p.console.Println("made in build/bin/package/out:")
	for _, f := range files {
		p.console.Println(fmt.Sprintf("  %-38s %7.2f MB  %s", f.Name, float64(f.Size)/1e6, f.Sum[:16]))
	}
}

// again makes everything a second time, from a copy of the sources in another
// folder and with an empty cache of the compiler, and compares.
func (p *packaging) again(ctx context.Context) error {
	dir := p.bin("package", "again")
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("empty folder of second build: %w", err)
	}
	if err := p.copySources(ctx, dir); err != nil {
		return err
	}
	cache, before := filepath.Join(p.bin("package"), "again-cache"), os.Getenv("GOCACHE")
	if err := os.Setenv("GOCACHE", cache); err != nil {
		return fmt.Errorf("set cache of the compiler: %w", err)
	}
	defer func() { _ = os.Setenv("GOCACHE", before) }()
	second := &packaging{version: p.version, made: p.made, nfpm: p.nfpm}
	second.task = &task{root: dir, options: p.options, console: p.console}
	if err := second.makeAll(ctx); err != nil {
		return err
	}
	a, err := release.Files(p.out())
	b, err2 := release.Files(second.out())
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	if names := release.Differing(a, b); len(names) > 0 {
		return fmt.Errorf("two builds of the same sources differ in %s: compare build/bin/package/out with build/bin/package/again", strings.Join(names, ", "))
	}
	p.console.Println(fmt.Sprintf("reproducible: %d files are the same in a second build, in another folder with an empty cache", len(a)))
	return errors.Join(os.RemoveAll(dir), os.RemoveAll(cache))
}
