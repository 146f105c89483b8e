package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"turnwatch/build/task/internal/step"
)

// forWindows is the environment in which Go builds for Windows.
func forWindows() []string {
	return []string{"GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=1", "CC=x86_64-w64-mingw32-gcc"}
}

// windowsPrograms builds the window and tw for Windows, each with the icon, the
// manifest and its version inside, and signs them where there is a key.
func (p *packaging) windowsPrograms(ctx context.Context) error {
	for _, program := range []struct{ name, title, tags, flags, source string }{
		{"turnwatch", "Turnwatch", windowTags("windows"), p.linkFlags() + " -H windowsgui", "."},
		{"tw", "Turnwatch command line", tags, p.linkFlags(), "./backend/cmd/tw"},
	} {
		// Go takes this file in by its name, and only from the folder of the program.
		object := filepath.Join(p.root, filepath.FromSlash(program.source), "package_windows_amd64.syso")
		err := p.resources(ctx, object, program.name, program.title)
		if err == nil {
			out := p.work("windows", program.name+".exe")
			err = p.build(ctx, program.name+".exe", forWindows(), program.tags, program.flags, out, program.source)
		}
		if err := errors.Join(err, os.RemoveAll(object)); err != nil {
			return err
		}
	}
	if err := p.holdsPage(p.work("windows", "turnwatch.exe")); err != nil {
		return err
	}
	return p.signWindows(ctx, p.work("windows", "turnwatch.exe"), p.work("windows", "tw.exe"))
}

// resources compiles icon, manifest and version into an object file.
func (p *packaging) resources(ctx context.Context, object, name, title string) error {
	return p.console.Do(ctx, "resources of "+name+".exe", func(ctx context.Context, log io.Writer) (string, error) {
		dir := p.work("resources", name)
		if err := copyFile(filepath.Join(dir, "turnwatch.ico"), p.work("icons", "turnwatch.ico"), 0o644); err != nil {
			return "", err
		}
		if err := p.filled(filepath.Join(dir, "turnwatch.manifest"), nil, "windows", "turnwatch.manifest"); err != nil {
			return "", err
		}
		if err := p.filled(filepath.Join(dir, "program.rc"), map[string]string{"NAME": name, "TITLE": title}, "windows", "program.rc"); err != nil {
			return "", err
		}
		return "", step.Run(ctx, step.Command{Dir: dir, Args: []string{"x86_64-w64-mingw32-windres", "-i", "program.rc", "-O", "coff", "-o", object}}, log)
	})
}

// setup is the Windows installer.
func (p *packaging) setup() string { return p.out("turnwatch-" + p.version.String() + "-setup.exe") }

func (p *packaging) installer(ctx context.Context) error {
	stage := p.work("windows")
	for to, from := range map[string]string{
		"turnwatch.ico": p.work("icons", "turnwatch.ico"), "LICENSE.txt": filepath.Join(p.root, "LICENSE"),
		"NOTICES.txt": p.work("papers", "NOTICES.txt"), "licences.json": p.work("papers", "licences.json"),
		"sbom.cdx.json": p.work("papers", "sbom.cdx.json"),
	} {
		if err := copyFile(filepath.Join(stage, to), from, 0o644); err != nil {
			return err
		}
	}
	size, err := kibibytes(stage, p)
	if err != nil {
		return err
	}
	define := func(name, value string) string { return "-D" + name + "=" + value }
	err = p.command(ctx, "pack the installer", p.epoch(), "makensis", "-V2", "-INPUTCHARSET", "UTF8",
		define("VERSION", p.version.String()), define("VERSION4", p.version.Dotted()), define("STAGE", stage),
		define("SIZE", strconv.FormatInt(size, 10)), define("OUT", p.setup()), p.source("windows", "installer.nsi"))
	if err != nil {
		return err
	}
	return p.signWindows(ctx, p.setup())
}

// kibibytes is what the files of a folder take, all of which get the time at which
// the package counts as made.
func kibibytes(dir string, p *packaging) (int64, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0, fmt.Errorf("measure files: %w", err)
	}
	var total int64
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return 0, fmt.Errorf("measure files: %w", err)
		}
		total += info.Size()
		if err := os.Chtimes(filepath.Join(dir, e.Name()), p.made, p.made); err != nil {
			return 0, fmt.Errorf("set time of file: %w", err)
		}
	}
	return total / 1024, nil
}
