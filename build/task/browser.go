package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"turnwatch/build/task/internal/host"
	"turnwatch/build/task/internal/stamp"
)

// browserTime is the most that the browser tests may take. They take about two
// minutes on two cores that have nothing else to do, and wait for what they expect
// on a machine that has.
const browserTime = 30 * time.Minute

// testBrowser drives the built page in a browser over the bridge, once for a state
// of the sources. Where there is no browser and none may be installed that is
// said and passed over; CI must have one.
func (t *task) testBrowser(ctx context.Context) error {
	if !t.hasPage() {
		return nil
	}
	chromium, err := t.browser(ctx)
	var usage usageError
	if errors.As(err, &usage) && os.Getenv("CI") == "" {
		t.console.Println("test the page in a browser: NOT DONE: " + usage.Error())
		return nil
	}
	if err != nil {
		return err
	}
	env, err := t.npmReady(ctx)
	if err != nil {
		return err
	}
	if err := t.buildPage(ctx); err != nil {
		return err
	}
	key, err := t.browserKey()
	if err != nil {
		return err
	}
	if t.stamps().Done("browser-tests", key) {
		t.console.Println("test the page in a browser: nothing changed since it last passed")
		return nil
	}
	bridge := t.program("bridge")
	if err := t.command(ctx, "build the bridge", nil, "go", "build", "-race", "-tags", tags, "-o", bridge, "./frontend/e2e/bridge"); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, browserTime, fmt.Errorf("the browser tests took more than %v", browserTime))
	defer cancel()
	env = append(env, "TURNWATCH_TEST_BRIDGE="+bridge, "CHROMIUM="+chromium)
	if err := t.inPage(ctx, "test the page in a browser", env, "npm", "run", "--silent", "e2e"); err != nil {
		return err
	}
	return t.stamps().Mark("browser-tests", key)
}

// browserKey is the state of all that the browser tests are made of.
func (t *task) browserKey() (stamp.Key, error) {
	sources, err := t.sources()
	if err != nil {
		return "", err
	}
	page, err := t.pageKey()
	if err != nil {
		return "", err
	}
	return stamp.Of(string(sources), string(page)), nil
}

// browser finds Chromium or Chrome: what CHROMIUM names, else what is installed.
// On Linux it is installed where it is missing, and so are fonts for every language
// of the page.
func (t *task) browser(ctx context.Context) (string, error) {
	if named := os.Getenv("CHROMIUM"); named != "" {
		return named, nil
	}
	if runtime.GOOS == "linux" {
		if err := t.ensure(ctx, host.Browser, host.Fonts); err != nil {
			return "", err
		}
	}
	names := []string{
		"chromium", "chromium-browser", "google-chrome",
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
		filepath.Join(os.Getenv("ProgramFiles"), "Google", "Chrome", "Application", "chrome.exe"),
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", usageError{"no Chromium or Chrome was found: install one, or say where it is with CHROMIUM"}
}
