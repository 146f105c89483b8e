package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"turnwatch/build/task/internal/step"
)

// wine runs Windows programs in a Windows of its own, which lies in a folder.
type wine struct {
	p      *packaging
	prefix string
}

func (w wine) env() []string {
	return []string{
		"WINEPREFIX=" + w.prefix, "WINEARCH=win64", "WINEDEBUG=-all", "DISPLAY=", "WAYLAND_DISPLAY=",
		"WINEDLLOVERRIDES=bcryptprimitives=n;mscoree,mshtml=",
	}
}

// run runs a Windows program and returns what it said. That goes to a file: Wine
// leaves programs of its own behind, which would keep a pipe open for ever.
func (w wine) run(ctx context.Context, args ...string) (string, error) {
	said := w.prefix + ".txt"
	c := step.Command{Dir: w.p.root, Env: w.env(), Args: append([]string{"sh", "-c", `out=$1; shift; exec wine "$@" >"$out" 2>&1`, "sh", said}, args...)}
	err := step.Run(ctx, c, io.Discard)
	text, err2 := os.ReadFile(said)
	return string(text), errors.Join(err, err2)
}

// step is a step that runs a Windows program, which has to say something.
func (w wine) step(ctx context.Context, name string, wants []string, args ...string) error {
	return w.p.console.Do(ctx, "wine: "+name, func(ctx context.Context, log io.Writer) (string, error) {
		text, err := w.run(ctx, args...)
		_, _ = io.WriteString(log, text)
		if err != nil {
			return "", err
		}
		return "", lacks(text, wants)
	})
}

// checkWindows installs the Windows installer silently, runs a turn of the demo
// agent with the tw that it brought, installs once more over it, and removes it. The
// window is not opened: Wine has no WebView2.
func (p *packaging) checkWindows(ctx context.Context) (err error) {
	w := wine{p: p, prefix: p.bin("package", "check", "wine")}
	if err := os.RemoveAll(w.prefix); err != nil {
		return fmt.Errorf("empty folder of Wine: %w", err)
	}
	if err := os.MkdirAll(w.prefix, 0o755); err != nil {
		return fmt.Errorf("make folder of Wine: %w", err)
	}
	defer func() {
		end := step.Command{Dir: p.root, Env: w.env(), Args: []string{"wineserver", "-k"}}
		_, _ = step.Output(context.WithoutCancel(ctx), end) // fails where nothing runs any more
	}()
	if err := w.boot(ctx); err != nil {
		return err
	}
	dir, err := w.install(ctx)
	if err != nil {
		return err
	}
	data := filepath.Join(w.prefix, "drive_c", "data")
	if err := w.self(ctx, dir); err != nil {
		return err
	}
	kept := filepath.Join(dir, "kept.txt")
	if err := put(kept, []byte("the user's"), 0o644); err != nil {
		return err
	}
	before, err := contents(data)
	if err != nil {
		return err
	}
	if _, err := w.install(ctx); err != nil { // over what is there
		return err
	}
	return errors.Join(w.remove(ctx, dir, kept), unchanged(data, before))
}

// boot makes the Windows, with a library that old releases of Wine lack.
func (w wine) boot(ctx context.Context) error {
	if err := w.step(ctx, "a new Windows", nil, "wineboot", "--init"); err != nil {
		return err
	}
	library := filepath.Join(w.prefix, "drive_c", "windows", "system32", "bcryptprimitives.dll")
	return w.p.command(ctx, "wine: what it lacks", nil, "x86_64-w64-mingw32-gcc", "-shared", "-O1", "-o", library,
		w.p.source("check", "bcryptprimitives.c"), "-ladvapi32")
}

// install runs the installer and returns the folder that it filled. Its status
// proves nothing, so its files are looked at.
func (w wine) install(ctx context.Context) (string, error) {
	if err := w.step(ctx, "install", nil, w.p.setup(), "/S"); err != nil {
		return "", err
	}
	found, err := filepath.Glob(filepath.Join(w.prefix, "drive_c", "users", "*", "AppData", "Local", "Programs", "Turnwatch", "turnwatch.exe"))
	if err != nil || len(found) != 1 {
		return "", fmt.Errorf("look at what the installer did: there is no turnwatch.exe where it belongs")
	}
	dir := filepath.Dir(found[0])
	for _, name := range []string{"tw.exe", "uninstall.exe", "turnwatch.ico", "licences.json", "LICENSE.txt", "NOTICES.txt", "sbom.cdx.json"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			return "", fmt.Errorf("look at what the installer did: %w", err)
		}
	}
	shortcuts, err := filepath.Glob(filepath.Join(w.prefix, "drive_c", "users", "*", "AppData", "Roaming", "Microsoft", "Windows", "Start Menu", "Programs", "Turnwatch.lnk"))
	if err != nil || len(shortcuts) != 1 {
		return "", fmt.Errorf("look at what the installer did: there is no shortcut in the start menu")
	}
	return dir, nil
}

// self has the installed tw show that it works.
func (w wine) self(ctx context.Context, dir string) error {
	tw := filepath.Join(dir, "tw.exe")
	for _, c := range []struct {
		name  string
		wants []string
		args  []string
	}{
		{"tw version", []string{"tw " + w.p.version.String()}, []string{tw, "version"}},
		{"tw licences", []string{"github.com/wailsapp/wails/v2", "SQLite"}, []string{tw, "licences"}},
		{"links", []string{"turnwatch.exe"}, []string{"reg", "query", `HKCU\Software\Classes\turnwatch\shell\open\command`}},
		{"a demo turn", []string{`"outcome":"completed"`}, []string{tw, "run", "--data", `C:\data`, "--cwd", `C:\`, "--agent", "demo", "--prompt", "hello", "--json"}},
		{"its history", []string{"hello"}, []string{tw, "history", "--data", `C:\data`}},
	} {
		if err := w.step(ctx, c.name, c.wants, c.args...); err != nil {
			return err
		}
	}
	return nil
}

// remove runs the uninstaller. What the user put into the folder stays.
func (w wine) remove(ctx context.Context, dir, kept string) error {
	// With _? it works in its place and is waited for; else it copies itself away.
	if err := w.step(ctx, "remove", nil, filepath.Join(dir, "uninstall.exe"), "/S", "_?="+w.windows(dir)); err != nil {
		return err
	}
	left, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("look at what was removed: %w", err)
	}
	for _, e := range left {
		if e.Name() != filepath.Base(kept) && e.Name() != "uninstall.exe" { // which runs here, so it cannot go
			return fmt.Errorf("look at what was removed: %s is still there", e.Name())
		}
	}
	if _, err := os.Stat(kept); err != nil {
		return fmt.Errorf("look at what was removed: a file of the user is gone: %w", err)
	}
	out, err := w.run(ctx, "reg", "query", `HKCU\Software\Classes\turnwatch`)
	if err == nil {
		return fmt.Errorf("look at what was removed: links are still there: %s", out)
	}
	return nil
}

// windows is a path below drive_c as Windows writes it.
func (w wine) windows(path string) string {
	inner := strings.TrimPrefix(path, filepath.Join(w.prefix, "drive_c"))
	return "C:" + strings.ReplaceAll(inner, "/", `\`)
}
