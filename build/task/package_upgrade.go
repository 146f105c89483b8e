package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"turnwatch/build/task/internal/release"
	"turnwatch/build/task/internal/step"
)

// before is the version that the upgrade starts from.
const before = "0.0.1"

// second is another data folder inside, which the older program writes itself.
const second = "/root/second"

// checkDeb goes through the life of the .deb on a clean system: an older one is
// installed and used, this one is installed over it, the window is opened and driven,
// and it is removed again. The data stays all the way.
func (p *packaging) checkDeb(ctx context.Context) error {
	older, err := p.older(ctx)
	if err != nil {
		return err
	}
	c, err := p.newClean(ctx)
	if err != nil {
		return err
	}
	if err := c.install(ctx, "deb: install "+before, older); err != nil {
		return err
	}
	if err := c.says(ctx, "deb: tw "+before, []string{"tw " + before}, "tw", "version"); err != nil {
		return err
	}
	if err := c.says(ctx, "deb: a turn of "+before, []string{`"outcome":"completed"`},
		"tw", "run", "--data", second, "--agent", "demo", "--cwd", "/root", "--prompt", "from before", "--json"); err != nil {
		return err
	}
	schema, err := c.oldHistory(ctx)
	if err != nil {
		return err
	}
	packages, err := filepath.Glob(p.out("*.deb"))
	if err != nil || len(packages) != 1 {
		return fmt.Errorf("find the .deb: %d files", len(packages))
	}
	if err := c.install(ctx, "deb: upgrade to "+p.version.String(), packages[0]); err != nil {
		return err
	}
	if err := c.upgraded(ctx, schema); err != nil {
		return err
	}
	if err := c.window(ctx); err != nil {
		return err
	}
	return c.removed(ctx)
}

// older packs this tree under a lower version.
func (p *packaging) older(ctx context.Context) (string, error) {
	version, err := release.Parse(before)
	if err != nil {
		return "", err
	}
	o := &packaging{task: p.task, version: version, made: p.made.Add(-24 * time.Hour), nfpm: p.nfpm, folder: "older"}
	for _, dir := range []string{o.work(), o.out()} {
		if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
			return "", fmt.Errorf("make folder of older package: %w", err)
		}
	}
	for _, do := range []func(context.Context) error{o.icons, o.linuxPrograms, o.papers, o.linuxPackages} {
		if err := do(ctx); err != nil {
			return "", err
		}
	}
	found, err := filepath.Glob(o.out("*.deb"))
	if err != nil || len(found) != 1 {
		return "", fmt.Errorf("find the older .deb: %d files", len(found))
	}
	return found[0], nil
}

// schemas tells the newest schema of the history, and the one before it of which the
// tests of the history keep a database, with what was in it.
func (p *packaging) schemas() (newest, kept int, dump string, err error) {
	room := filepath.Join(p.root, "backend", "history")
	migrations, err := filepath.Glob(filepath.Join(room, "migrations", "*.sql"))
	if err != nil || len(migrations) == 0 {
		return 0, 0, "", fmt.Errorf("find the schemas of the history: there are %d migrations", len(migrations))
	}
	for _, path := range migrations {
		var n int
		if _, err := fmt.Sscanf(filepath.Base(path), "%d_", &n); err != nil {
			return 0, 0, "", fmt.Errorf("read number of %s: %w", path, err)
		}
		newest = max(newest, n)
	}
	for n := newest - 1; n > 0; n-- {
		dump = filepath.Join(room, "testdata", fmt.Sprintf("v%d.sql", n))
		if _, err := os.Stat(dump); err == nil {
			return newest, n, dump, nil
		}
	}
	return 0, 0, "", fmt.Errorf("find an older schema of the history: backend/history/testdata has none before %d", newest)
}

// parser is the title of the task in the databases that the history's tests keep.
const parser = "Fix the parser"

// oldHistory lays down the user's data as an older schema left them.
func (c clean) oldHistory(ctx context.Context) (schema int, err error) {
	_, schema, dump, err := c.p.schemas()
	if err != nil {
		return 0, err
	}
	if err := os.MkdirAll(c.data(), 0o700); err != nil {
		return 0, fmt.Errorf("make data folder: %w", err)
	}
	database := filepath.Join(c.data(), "history.db")
	name := fmt.Sprintf("deb: data of schema %d", schema)
	if err := c.p.command(ctx, name, nil, "sqlite3", "-bail", database, ".read '"+dump+"'"); err != nil {
		return 0, err
	}
	return schema, os.Chmod(database, 0o600)
}

// data is the user's data folder inside.
func (c clean) data() string { return filepath.Join(c.root, "root", ".local", "share", "turnwatch") }

// upgraded makes sure that the new version stands, reads what the old one wrote,
// keeps a copy of it, and works.
func (c clean) upgraded(ctx context.Context, schema int) error {
	if err := c.says(ctx, "deb: tw "+c.p.version.String(), []string{"tw " + c.p.version.String()}, "tw", "version"); err != nil {
		return err
	}
	if err := c.says(ctx, "deb: its files", append(installed(), "/usr/share/doc/turnwatch/copyright", "/usr/share/zsh/vendor-completions/_tw"), "dpkg", "-L", "turnwatch"); err != nil {
		return err
	}
	if err := c.says(ctx, "deb: licences", []string{"SQLite", "svelte", "github.com/wailsapp/wails/v2"}, "tw", "licences"); err != nil {
		return err
	}
	if err := c.run(ctx, "deb: completions", "bash", "-n", "/usr/share/bash-completion/completions/tw"); err != nil {
		return err
	}
	if err := c.says(ctx, "deb: a turn", []string{`"outcome":"completed"`},
		"tw", "run", "--agent", "demo", "--cwd", "/root", "--prompt", "from after", "--json"); err != nil {
		return err
	}
	copies, err := filepath.Glob(filepath.Join(c.data(), "backups", fmt.Sprintf("history-*-v%d.db", schema)))
	if err != nil || len(copies) != 1 {
		return fmt.Errorf("look for the copy from before the migration of schema %d: %d files in backups", schema, len(copies))
	}
	if err := c.says(ctx, "deb: the history of both", []string{parser, "from after"}, "tw", "history"); err != nil {
		return err
	}
	return c.says(ctx, "deb: what "+before+" wrote", []string{"from before"}, "tw", "history", "--data", second)
}

// window opens the installed window on a virtual screen and drives it: first start, a
// demo turn, a permission, a cancel, a restart. The screen and the keys are this
// machine's; the program and all its libraries are the clean system's.
func (c clean) window(ctx context.Context) error {
	p := c.p
	env, err := p.npmReady(ctx)
	if err != nil {
		return err
	}
	bridge := p.bin("package", "check", "bridge")
	if err := p.build(ctx, "the bridge", nil, tags, "-s -w", bridge, "./frontend/e2e/bridge"); err != nil {
		return err
	}
	program := p.bin("package", "check", "window")
	// There is no desktop around it, and the window says so on stderr: that is kept.
	script := fmt.Sprintf("#!/bin/sh\nexec sh %q %q /usr/bin/turnwatch \"$@\" 2>>%q\n", p.source("check", "enter.sh"), c.root, p.bin("package", "check", "window.log"))
	if err := put(program, []byte(script), 0o755); err != nil {
		return err
	}
	return p.command(ctx, "deb: the window", env, "node", filepath.Join(p.root, "frontend", "e2e", "smoke", "smoke.mjs"),
		program, bridge, p.bin("package", "check", "pictures"))
}

// removed takes the package away, settings of the system too, and makes sure that
// nothing of it is left but the user's data, untouched.
func (c clean) removed(ctx context.Context) error {
	data, err := contents(filepath.Join(c.root, "root"))
	if err != nil {
		return err
	}
	brought, err := step.Output(ctx, c.enter("dpkg", "-L", "turnwatch"))
	if err != nil {
		return fmt.Errorf("list what the package brought: %w", err)
	}
	if err := c.run(ctx, "deb: remove", "apt-get", "purge", "-y", "-q", "turnwatch"); err != nil {
		return err
	}
	if err := unchanged(filepath.Join(c.root, "root"), data); err != nil {
		return err
	}
	if left := c.left(brought); len(left) > 0 {
		return fmt.Errorf("look at what was removed: still there: %s", strings.Join(left, ", "))
	}
	said, err := step.Output(ctx, c.enter("tw", "version"))
	if err == nil {
		return fmt.Errorf("look at what was removed: tw still answers: %s", said)
	}
	c.p.console.Println(fmt.Sprintf("deb: removed; the user's %d files of data are as they were", len(data)))
	return nil
}

// left names what is still there of what a package brought: files, and folders that
// bear its name.
func (c clean) left(brought string) []string {
	var left []string
	for _, path := range strings.Split(strings.TrimSpace(brought), "\n") {
		info, err := os.Lstat(filepath.Join(c.root, path))
		if err == nil && (!info.IsDir() || strings.Contains(path, "turnwatch")) {
			left = append(left, path)
		}
	}
	return left
}
