package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"turnwatch/build/task/internal/host"
	"turnwatch/build/task/internal/npm"
	"turnwatch/build/task/internal/step"
)

// agentTests is where the tests that drive real agents stand.
const agentTests = "backend/agents_e2e"

// How long test-agents may take in all.
const (
	agentsLimit     = 15 * time.Minute
	agentsFullLimit = 2 * time.Hour
)

// testAgents installs the pinned agents, which is quick when they are there, and
// runs the tests that drive them.
func testAgents(ctx context.Context, t *task) error {
	limit := agentsLimit
	if t.options.full {
		limit = agentsFullLimit
	}
	deadline := time.Now().Add(limit)
	ctx, cancel := context.WithDeadlineCause(ctx, deadline,
		fmt.Errorf("test-agents took longer than the %s it has: look at the last step shown, or run fewer with -agents or -match", step.Seconds(limit)))
	defer cancel()
	chosen, err := npm.Choose(npm.Agents(runtime.GOOS, runtime.GOARCH), t.options.full, names(t.options.agents))
	if err != nil {
		return usageError{err.Error()}
	}
	if err := t.ensure(ctx, host.CCompiler, host.Git, host.NPM); err != nil {
		return err
	}
	cache := npm.Cache{Dir: t.bin("agents"), Run: step.Run, Pause: npm.Wait}
	node, err := t.node(ctx, cache, chosen)
	if err != nil {
		return err
	}
	for _, a := range chosen {
		if err := t.install(ctx, cache, a); err != nil {
			return err
		}
	}
	return t.driveAgents(ctx, cache, chosen, node, deadline)
}

// names splits a list parted by commas.
func names(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}

// node finds the folder of a Node that is new enough for the chosen agents; it
// is installed where the machine's own is not.
func (t *task) node(ctx context.Context, cache npm.Cache, chosen []npm.Agent) (string, error) {
	program, err := exec.LookPath("node")
	if err == nil {
		version, err := step.Output(ctx, step.Command{Args: []string{program, "--version"}})
		if err == nil && !npm.NeedsNode(chosen, version) {
			return filepath.Dir(program), nil
		}
	}
	pinned := npm.Node(runtime.GOOS, runtime.GOARCH)
	if err := t.install(ctx, cache, pinned); err != nil {
		return "", err
	}
	return cache.Bin(pinned), nil
}

func (t *task) install(ctx context.Context, cache npm.Cache, a npm.Agent) error {
	return t.console.Do(ctx, "install "+a.Name, func(ctx context.Context, log io.Writer) (string, error) {
		done, err := cache.Install(ctx, a, log)
		return strings.Join(a.Packages, " ") + ", " + done, err
	})
}

// driveAgents runs the tests. They may use what is left of the time but for a
// little, so that go test itself says which test took too long.
func (t *task) driveAgents(ctx context.Context, cache npm.Cache, chosen []npm.Agent, node string, deadline time.Time) error {
	if _, err := os.Stat(filepath.Join(t.root, filepath.FromSlash(agentTests))); os.IsNotExist(err) {
		t.console.Println("test-agents: " + agentTests + " is not there yet: the agents are installed, and nothing is run")
		return nil
	}
	key, err := t.sources()
	if err != nil {
		return err
	}
	used := make([]string, len(chosen))
	for i, a := range chosen {
		used[i] = a.Name
	}
	env := []string{
		"TURNWATCH_SOURCES=" + string(key),
		"TURNWATCH_TEST_AGENTS=" + cache.Dir,
		"TURNWATCH_TEST_AGENT_NAMES=" + strings.Join(used, ","),
		"TURNWATCH_TEST_NODE=" + node,
	}
	if t.options.full {
		env = append(env, "TURNWATCH_TEST_FULL=1")
	}
	left := time.Until(deadline).Truncate(time.Second) - 20*time.Second
	args := []string{"-race", "-tags", tags + ",agents", "-count", "1", "-timeout", max(left, time.Second).String()}
	if t.options.match != "" {
		args = append(args, "-run", t.options.match)
	}
	return t.goTest(ctx, "go test "+strings.Join(used, ", "), env, append(args, "./"+agentTests+"/...")...)
}
