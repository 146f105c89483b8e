package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"turnwatch/build/task/internal/gotest"
	"turnwatch/build/task/internal/host"
	"turnwatch/build/task/internal/step"
)

// test is the verb of the same name. What go vet finds does not keep the tests
// from running.
func test(ctx context.Context, t *task) error {
	needs := []host.Need{host.CCompiler, host.Git}
	if runtime.GOOS == "linux" {
		needs = append(needs, host.Screen) // a bus of their own for what stands beside the window
	}
	if err := t.ensure(ctx, needs...); err != nil {
		return err
	}
	key, err := t.sources()
	if err != nil {
		return err
	}
	vetted := t.command(ctx, "go vet", nil, "go", "vet", "-tags", tags, "./...")
	if ctx.Err() != nil {
		return vetted
	}
	args := []string{"-race", "-tags", tags, "-timeout", "15m"}
	if t.options.match != "" {
		args = append(args, "-run", t.options.match)
	}
	tested := t.goTest(ctx, "go test -race", []string{"TURNWATCH_SOURCES=" + string(key)}, append(args, "./...")...)
	if ctx.Err() != nil || t.options.match != "" {
		return errors.Join(vetted, tested)
	}
	return errors.Join(vetted, tested, t.testPage(ctx), t.testBrowser(ctx), t.testWindow(ctx))
}

// goTest is a step that runs go test and shows a line for each package and, at
// the end, what was counted. A run in which no test ran is an error: it shows
// nothing.
func (t *task) goTest(ctx context.Context, name string, env []string, args ...string) error {
	watcher := gotest.Watch(t.console.Println)
	err := t.console.Do(ctx, name, func(ctx context.Context, log io.Writer) (string, error) {
		c := step.Command{
			Dir: t.root, Env: env, Complaints: log,
			Args: append([]string{"go", "test", "-json"}, args...),
		}
		err := step.Run(ctx, c, watcher)
		sum := watcher.Summary()
		if err == nil && sum.Passed+sum.Failed == 0 {
			err = fmt.Errorf("no test ran")
		}
		return "", err
	})
	sum := watcher.Summary()
	for _, line := range sum.Report() {
		t.console.Println(line)
	}
	t.console.Println(sum.Closing())
	return err
}
