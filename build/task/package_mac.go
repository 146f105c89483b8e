package main

import (
	"context"
	"os"
	"path/filepath"

	"turnwatch/build/task/internal/host"
)

// mac makes the app and its disk image, on a Mac. This was never run on one: what
// is checked elsewhere is the layout and that the files are well formed.
func (p *packaging) mac(ctx context.Context) error {
	p.console.Println("note: nobody has run this on a Mac yet; look at everything it makes")
	if err := p.ensure(ctx, host.CCompiler, host.SVG); err != nil {
		return err
	}
	for _, do := range []func(context.Context) error{p.buildPage, p.bindings, p.icons, p.papers} {
		if err := do(ctx); err != nil {
			return err
		}
	}
	kit := p.work("macos")
	env := []string{"CGO_LDFLAGS=-framework UniformTypeIdentifiers"}
	if err := p.build(ctx, "the window", env, windowTags("darwin"), p.linkFlags(), filepath.Join(kit, "turnwatch"), "."); err != nil {
		return err
	}
	if err := p.build(ctx, "tw", nil, tags, p.linkFlags(), filepath.Join(kit, "tw"), "./backend/cmd/tw"); err != nil {
		return err
	}
	if err := p.macKit(kit); err != nil {
		return err
	}
	if err := os.MkdirAll(p.out(), 0o755); err != nil {
		return err
	}
	return p.command(ctx, "make the app", nil, "sh", p.source("macos", "bundle.sh"), kit, p.out())
}

// macKit puts beside the programs what bundle.sh asks for.
func (p *packaging) macKit(kit string) error {
	for to, from := range map[string]string{
		"turnwatch.icns": p.work("icons", "turnwatch.icns"), "LICENSE.txt": filepath.Join(p.root, "LICENSE"),
		"NOTICES.txt": p.work("papers", "NOTICES.txt"), "licences.json": p.work("papers", "licences.json"),
		"sbom.cdx.json": p.work("papers", "sbom.cdx.json"), "turnwatch.entitlements": p.source("macos", "turnwatch.entitlements"),
	} {
		if err := copyFile(filepath.Join(kit, to), from, 0o644); err != nil {
			return err
		}
	}
	return p.filled(filepath.Join(kit, "Info.plist"), nil, "macos", "Info.plist")
}
