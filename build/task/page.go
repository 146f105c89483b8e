package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"turnwatch/build/task/internal/host"
	"turnwatch/build/task/internal/npm"
	"turnwatch/build/task/internal/stamp"
	"turnwatch/build/task/internal/step"
)

// pageNode is what the page's tools ask of Node.
var pageNode = []npm.Agent{{Name: "the page", Node: 20}}

// hasPage tells whether there is a page to build and to test.
func (t *task) hasPage() bool {
	_, err := os.Stat(filepath.Join(t.root, "frontend", "package.json"))
	return err == nil
}

// npmReady makes sure that the page's packages are installed as its lock file says,
// and gives the environment in which npm finds a Node that is new enough.
func (t *task) npmReady(ctx context.Context) (env []string, err error) {
	if err := t.ensure(ctx, host.NPM); err != nil {
		return nil, err
	}
	cache := npm.Cache{Dir: t.bin("agents"), Run: step.Run, Pause: npm.Wait}
	node, err := t.node(ctx, cache, pageNode)
	if err != nil {
		return nil, err
	}
	env = []string{"PATH=" + node + string(filepath.ListSeparator) + os.Getenv("PATH")}
	lock, err := stamp.Files(filepath.Join(t.root, "frontend"), func(path string) bool {
		return path == "package-lock.json" || path == "package.json" || path == ".npmrc"
	})
	if err != nil {
		return nil, err
	}
	key := stamp.Of(string(lock), node)
	_, missing := os.Stat(filepath.Join(t.root, "frontend", "node_modules"))
	if missing == nil && t.stamps().Done("npm-ci", key) {
		return env, nil
	}
	if err := t.inPage(ctx, "npm ci", env, "npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"); err != nil {
		return nil, err
	}
	return env, t.stamps().Mark("npm-ci", key)
}

// inPage is a step that runs one command in the folder of the page.
func (t *task) inPage(ctx context.Context, name string, env []string, args ...string) error {
	return t.commandIn(ctx, filepath.Join(t.root, "frontend"), name, env, args...)
}

// pageKey is the state of all that the page is made of.
func (t *task) pageKey() (stamp.Key, error) {
	return stamp.Files(t.root, func(path string) bool {
		inner, page := strings.CutPrefix(path, "frontend/")
		if !page {
			return strings.HasPrefix(path, "locales/")
		}
		for _, made := range []string{"dist", "dist-dev/", "shots/", "src/wailsjs/", "e2e/"} {
			if strings.HasPrefix(inner, made) {
				return false
			}
		}
		return true
	})
}

// buildPage builds the page into frontend/dist, where nothing is done when
// nothing has changed.
func (t *task) buildPage(ctx context.Context) error {
	env, err := t.npmReady(ctx)
	if err != nil {
		return err
	}
	key, err := t.pageKey()
	if err != nil {
		return err
	}
	if t.stamps().Done("page", key) && t.script() != "" {
		t.console.Println("build the page: nothing changed")
		return nil
	}
	if err := t.inPage(ctx, "build the page", env, "npm", "run", "build"); err != nil {
		return err
	}
	if t.script() == "" {
		return fmt.Errorf("frontend/dist/index.html is not there, or names no script")
	}
	return t.stamps().Mark("page", key)
}

var scriptName = regexp.MustCompile(`assets/[\w.-]+\.js`)

// script is the name of the built page's script, "" where the page is not built.
func (t *task) script() string {
	index, err := os.ReadFile(filepath.Join(t.root, "frontend", "dist", "index.html"))
	if err != nil {
		return ""
	}
	return scriptName.FindString(string(index))
}

// testPage runs the page's own tests, once for a state of its sources.
func (t *task) testPage(ctx context.Context) error {
	if !t.hasPage() {
		return nil
	}
	env, err := t.npmReady(ctx)
	if err != nil {
		return err
	}
	key, err := t.pageKey()
	if err != nil {
		return err
	}
	if t.stamps().Done("page-tests", key) {
		t.console.Println("test the page: nothing changed since it last passed")
		return nil
	}
	if err := t.inPage(ctx, "test the page", env, "npm", "test"); err != nil {
		return err
	}
	return t.stamps().Mark("page-tests", key)
}
