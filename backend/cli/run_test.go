//go:build unix

package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/shirou/gopsutil/v4/process"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
	"turnwatch/backend/view"
)

// program is the tw that all tests of this package run, built once.
var program string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "tw")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	program = filepath.Join(dir, "tw")
	build := exec.Command("go", "build", "-tags", "sqlite_fts5", "-o", program, "turnwatch/backend/cmd/tw")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build tw: %v\n%s", err, out)
		os.Exit(1)
	}
	status := m.Run()
	_ = os.RemoveAll(dir)
	if err := goleak.Find(); err != nil && status == 0 {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	os.Exit(status)
}

// bound is how long one run may take on a slow machine, and step how often a test
// looks where the kernel tells nothing.
const (
	bound = 90 * time.Second
	step  = 2 * time.Millisecond
)

// mark is a variable that everything started by one test carries.
const mark = "TURNWATCH_TEST_MARK"

// marked is the value of that variable: another run of the same tests has its own.
func marked(t *testing.T) string { return fmt.Sprintf("%s/%d", t.Name(), os.Getpid()) }

// tw makes a command that ends with the test.
func tw(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), bound)
	t.Cleanup(stop)
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), mark+"="+marked(t), "LC_ALL=C.UTF-8", "TERM=xterm", "NO_COLOR=")
	cmd.Dir = t.TempDir()
	return cmd
}

// demoRun gives the arguments of a run of a scenario, as fast as it goes.
func demoRun(data, scenario string, flags ...string) []string {
	args := append([]string{"run", "--data", data, "--agent", "demo", "--prompt", "play " + scenario}, flags...)
	return append(args, "--", program, "demo-agent", "--pace", "0", "--scenario", scenario)
}

// left lists the processes that carry the mark of a test.
func left(t *testing.T) []string {
	t.Helper()
	all, err := process.Processes()
	require.NoError(t, err)
	var found []string
	for _, p := range all {
		env, err := p.Environ()
		if err != nil || int(p.Pid) == os.Getpid() {
			continue
		}
		for _, v := range env {
			if v == mark+"="+marked(t) {
				line, _ := p.Cmdline()
				parent, _ := p.Ppid()
				state, _ := p.Status()
				found = append(found, fmt.Sprintf("%d (parent %d, %v) %s", p.Pid, parent, state, line))
			}
		}
	}
	return found
}

// recorded reads the one turn that a data folder holds.
func recorded(t *testing.T, data string) (history.Task, history.Turn, []agent.Part) {
	t.Helper()
	store, err := history.OpenReader(t.Context(), history.Options{Dir: data})
	require.NoError(t, err)
	defer store.Close(context.Background())
	tasks, err := store.Tasks(t.Context(), history.TaskFilter{})
	require.NoError(t, err)
	require.Len(t, tasks, 1)
	sessions, err := store.Sessions(t.Context(), tasks[0].ID)
	require.NoError(t, err)
	require.Len(t, sessions, 1)
	turns, err := store.Turns(t.Context(), sessions[0].ID, 0, 0)
	require.NoError(t, err)
	require.Len(t, turns, 1)
	parts, err := store.Parts(t.Context(), history.PartQuery{Session: sessions[0].ID, Limit: 1000})
	require.NoError(t, err)
	return tasks[0], turns[0], parts
}

// line is what a test reads of a line of --json.
type line struct {
	T       int64
	Act     string
	Status  string
	Text    string
	Outcome agent.Outcome
	Failure *view.FailureShown
	Denied  bool `json:"permission_needed"`
}

// follow runs a command with --json, sends SIGINT once a line answers to when,
// and gives all lines and the exit status.
func follow(t *testing.T, cmd *exec.Cmd, when func(line) bool) ([]line, int) {
	t.Helper()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	var lines []line
	sent := false
	in := bufio.NewReader(out)
	for {
		raw, err := in.ReadBytes('\n')
		if err != nil {
			break
		}
		var l line
		require.NoError(t, json.Unmarshal(raw, &l), "%s", raw)
		if len(lines) < 5000 || l.Act != "text" {
			lines = append(lines, l)
		}
		if when != nil && !sent && when(l) {
			sent = true
			require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
		}
	}
	_ = cmd.Wait() // the status tells
	inOrder(t, lines)
	if t.Failed() || testing.Verbose() {
		t.Logf("stderr: %s", stderr.String())
	}
	return lines, cmd.ProcessState.ExitCode()
}

// inOrder checks that time never falls and that the agent is named before it
// speaks.
func inOrder(t *testing.T, lines []line) {
	t.Helper()
	last, ready := int64(0), false
	for _, l := range lines {
		switch l.Act {
		case "": // the outcome
			continue
		case "ready":
			ready = true
		case "text", "thought", "tool", "plan":
			require.True(t, ready, "%s before ready", l.Act)
		}
		require.GreaterOrEqual(t, l.T, last, "t of %s", l.Act)
		last = l.T
	}
}

func act(name string) func(line) bool { return func(l line) bool { return l.Act == name } }

func TestEveryScenario(t *testing.T) {
	atWork := func(l line) bool { return l.Act == "tool" && l.Status == "in_progress" }
	tests := []struct {
		scenario string
		flags    []string
		cancel   func(line) bool // nil: it ends by itself
		outcome  agent.Outcome
		code     agent.Code
		status   int
		says     string // in the transcript
	}{
		{scenario: "ok", outcome: agent.Completed, says: "demo agent of Turnwatch"},
		{scenario: "tools", outcome: agent.Completed, says: "the tests pass"},
		{scenario: "plan", outcome: agent.Completed, says: "four steps"},
		{scenario: "diff", outcome: agent.Completed},
		{scenario: "permission", outcome: agent.Completed, status: 15, says: "Nobody answered"},
		{scenario: "permission", flags: []string{"--allow", "commands"}, outcome: agent.Completed, says: "The tests pass"},
		{scenario: "permission", flags: []string{"--allow", "reads,edits"}, outcome: agent.Completed, status: 15},
		{scenario: "long-quiet-tool", cancel: atWork, outcome: agent.Cancelled, status: 10},
		{scenario: "never-starts", cancel: act("ready"), outcome: agent.Cancelled, status: 10},
		{scenario: "limit", outcome: agent.Failed, code: "quota_limited", status: 12},
		{scenario: "overload-passes", outcome: agent.Failed, code: "provider_overloaded", status: 11},
		{scenario: "overload-asks", outcome: agent.Failed, code: "provider_overloaded", status: 11},
		{scenario: "overload", outcome: agent.Failed, code: "provider_overloaded", status: 11},
		{scenario: "title-error", outcome: agent.Completed},
		{scenario: "other-session", outcome: agent.Completed},
		{scenario: "action-url", outcome: agent.Failed, code: "quota_limited", status: 12},
		{scenario: "retry-heals", outcome: agent.Completed},
		{scenario: "loop", cancel: act("text"), outcome: agent.Cancelled, status: 10},
		{scenario: "auth", outcome: agent.Failed, code: "auth_required", status: 11},
		{scenario: "empty-end", outcome: agent.EndedEmpty, status: 14},
		{scenario: "crash", outcome: agent.Failed, code: "agent_crashed", status: 11},
		{scenario: "secrets", outcome: agent.Failed, code: "quota_limited", status: 12},
		{scenario: "flood", outcome: agent.Completed},
		{scenario: "stream", outcome: agent.Completed},
		{scenario: "hostile-markdown", outcome: agent.Completed, says: "<script>"},
		{scenario: "leaked-call", outcome: agent.Completed, says: "<function=read>"},
		{scenario: "leaked-thought", outcome: agent.Completed, says: "<function=read>"},
		{scenario: "same-call", cancel: atWork, outcome: agent.Cancelled, status: 10},
		{scenario: "unknown-tool", outcome: agent.Completed},
		{scenario: "announces", outcome: agent.Completed, says: "for it:"},
		{scenario: "ready-next", outcome: agent.Completed},
		{scenario: "done-open", outcome: agent.Completed},
		{scenario: "done-bare", outcome: agent.Completed},
		{scenario: "open-plan", outcome: agent.Completed},
		{scenario: "cut-stream", outcome: agent.Failed, code: "network_unavailable", status: 11},
		{scenario: "lost-stream", outcome: agent.EndedEmpty, status: 14},
		{scenario: "cut-short", outcome: agent.Completed},
		{scenario: "stalls", cancel: act("plan"), outcome: agent.Cancelled, status: 10},
		{scenario: "completes", outcome: agent.Completed, says: "no tool"},
		{scenario: "ignores-cancel", cancel: act("ready"), outcome: agent.Cancelled, status: 10},
	}
	for _, tt := range tests {
		t.Run(strings.Join(append([]string{tt.scenario}, tt.flags...), "_"), func(t *testing.T) {
			data := filepath.Join(t.TempDir(), "data")
			began := time.Now()
			lines, status := follow(t, tw(t, demoRun(data, tt.scenario, append(tt.flags, "--json")...)...), tt.cancel)
			require.NotEmpty(t, lines)
			last := lines[len(lines)-1]
			assert.Equal(t, tt.outcome, last.Outcome)
			assert.Equal(t, tt.status, status)
			assert.Equal(t, tt.outcome == agent.Failed, last.Failure != nil)
			assert.Equal(t, tt.status == 15, last.Denied)
			if tt.code != "" {
				assert.Equal(t, tt.code, last.Failure.Code)
			}
			assert.Empty(t, left(t), "something is left running")
			task, turn, parts := recorded(t, data)
			assert.Equal(t, agent.Demo, task.Kind)
			require.NotNil(t, turn.End)
			assert.Equal(t, tt.outcome, turn.End.Outcome)
			require.NotEmpty(t, parts)
			assert.Equal(t, "play "+tt.scenario, parts[0].Text)
			if tt.says != "" {
				assert.Contains(t, text(parts), tt.says)
			}
			t.Logf("%-28s %-12s exit %2d  %3d parts  %s", t.Name()[len("TestEveryScenario/"):], turn.End.Outcome, status, len(parts), time.Since(began).Round(time.Millisecond))
		})
	}
}

func text(parts []agent.Part) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

// The agent by its name alone, at reading pace, as a person would run it.
func TestAnAgentByItsName(t *testing.T) {
	data := t.TempDir()
	out, err := tw(t, "run", "--data", data, "--agent", "demo", "--model", "diff", "--prompt", "show a change").Output()
	require.NoError(t, err)
	assert.Contains(t, string(out), "Completed")
	assert.NotContains(t, string(out), "\x1b", "no escape sequences where there is no terminal")
	out, err = tw(t, "history", "--data", data, "--json").Output()
	require.NoError(t, err)
	var task struct{ ID, Title, State string }
	require.NoError(t, json.Unmarshal(out, &task))
	assert.Equal(t, "done", task.State)
	out, err = tw(t, "history", "--data", data, strings.ToLower(task.ID)).Output()
	require.NoError(t, err)
	assert.Contains(t, string(out), "show a change")
	out, err = tw(t, "history", "--data", data, "--search", "chan").Output()
	require.NoError(t, err)
	assert.Contains(t, string(out), task.ID)
}

func TestASecondSignalLeavesAtOnceAndLeavesNothing(t *testing.T) {
	data := t.TempDir()
	cmd := tw(t, demoRun(data, "ignores-cancel", "--json")...)
	lines, status := follow(t, cmd, func(l line) bool {
		if l.Act == "cancel" {
			require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
		}
		return l.Act == "ready"
	})
	assert.Equal(t, agent.Cancelled, lines[len(lines)-1].Outcome)
	assert.Equal(t, 10, status)
	assert.Empty(t, left(t))
	_, turn, _ := recorded(t, data)
	assert.Equal(t, agent.Cancelled, turn.End.Outcome)
}

func TestAReaderThatLeavesEndsTheRunAndTheAgent(t *testing.T) {
	data := t.TempDir()
	cmd := tw(t, demoRun(data, "loop")...)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.NoError(t, out.Close())
	_ = cmd.Wait()
	assert.Equal(t, 1, cmd.ProcessState.ExitCode(), "ended in order, not by a signal")
	assert.Empty(t, left(t))
	_, turn, _ := recorded(t, data)
	assert.Equal(t, agent.Interrupted, turn.End.Outcome)
}
