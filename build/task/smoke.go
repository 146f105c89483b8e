package main

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"turnwatch/build/task/internal/host"
)

// smokeTime is the most that the test of the real window may take. It takes about
// forty seconds on two cores that have nothing else to do.
const smokeTime = 10 * time.Minute

// testWindow is the verb test-window.
func testWindow(ctx context.Context, t *task) error {
	if runtime.GOOS != "linux" {
		return usageError{"the window is driven on Linux only: it needs a virtual screen"}
	}
	return t.testWindow(ctx)
}

// testWindow drives the window that is shipped, as it is, on a screen of its own,
// once for a state of the sources. What it looked like is kept in
// build/bin/window-pictures. Elsewhere than on Linux nothing here can drive it.
func (t *task) testWindow(ctx context.Context) error {
	if !t.hasPage() || runtime.GOOS != "linux" {
		return nil
	}
	key, err := t.browserKey()
	if err != nil {
		return err
	}
	if t.stamps().Done("window-tests", key) {
		t.console.Println("test the window: nothing changed since it last passed")
		return nil
	}
	if err := t.ensure(ctx, host.CCompiler, host.Window, host.Screen); err != nil {
		return err
	}
	window, err := t.buildWindow(ctx)
	if err != nil {
		return err
	}
	bridge, err := t.plainBridge(ctx)
	if err != nil {
		return err
	}
	env, err := t.npmReady(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, smokeTime, fmt.Errorf("the test of the window took more than %v", smokeTime))
	defer cancel()
	err = t.inPage(ctx, "test the window", env, "node", "e2e/smoke/smoke.mjs", window, bridge, t.bin("window-pictures"))
	if err != nil {
		return err
	}
	return t.stamps().Mark("window-tests", key)
}

// plainBridge builds the bridge as it would be shipped: without the race detector.
func (t *task) plainBridge(ctx context.Context) (string, error) {
	program := t.program("bridge-plain")
	err := t.command(ctx, "build the plain bridge", nil,
		"go", "build", "-trimpath", "-tags", tags, "-ldflags", "-s -w", "-o", program, "./frontend/e2e/bridge")
	return program, err
}
