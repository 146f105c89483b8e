package core_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/core"
	"turnwatch/backend/demo"
	"turnwatch/backend/history"
	"turnwatch/backend/mcp"
	"turnwatch/backend/opencode"
	"turnwatch/backend/settings"
)

// asProgram makes this test's program the demo agent or the server of its tool,
// where it was started as one.
func asProgram() bool {
	if len(os.Args) < 2 {
		return false
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	switch os.Args[1] {
	case "demo-agent":
		port, _ := strconv.Atoi(os.Getenv(opencode.PortVar))
		_ = demo.Run(ctx, os.Stdin, os.Stdout, os.Stderr, demo.Options{Port: port, Password: os.Getenv(opencode.PasswordVar)})
	case "mcp":
		_ = mcp.Serve(ctx, "test", os.Stdin, unclosed{os.Stdout}, func(ctx context.Context) (mcp.Reply, error) {
			return mcp.Ask(ctx, os.Getenv(mcp.EnvSocket), os.Getenv(mcp.EnvToken))
		})
	default:
		return false
	}
	return true
}

type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// shorter are the times of the policy at which a test is quick and a slow machine
// is not overtaken: a turn has two seconds to begin after its prompt. Where a test
// is not about silence, silence leads to nothing.
func shorter(more map[string]any) settings.Auto {
	a := settings.Auto{Folders: map[string]settings.Choice{}, Options: map[string]json.RawMessage{}}
	for name, v := range map[string]any{
		"countdownMs": 200, "warmupMs": 0, "actionIntentDelayMs": 0, "minActivityGapMs": 0, "activeUserWindowMs": 0,
		"toolTextCheckDelayMs": 2000, "checkIntervalMs": 250, "gracePeriodMs": 0, "baseBackoffMs": 100, "maxBackoffMs": 100,
		"abortContinueDelayMs": 0, "busyStallStrategy": "off", "maxRecoveryRetries": 0,
	} {
		a.Options[name], _ = json.Marshal(v)
	}
	for name, v := range more {
		a.Options[name], _ = json.Marshal(v)
	}
	return a
}

// ledger is what the policy wrote down, oldest first, a row a line: what it did,
// about what, and what decided.
func ledger(t *testing.T, c *core.Core, id agent.SessionID) string {
	t.Helper()
	require.NoError(t, c.History().Flush(t.Context()))
	steps, err := c.AutoSteps(t.Context(), id, 0, 0)
	require.NoError(t, err)
	var b strings.Builder
	for i := len(steps) - 1; i >= 0; i-- {
		b.WriteString(rowText(steps[i]) + "\n")
	}
	return b.String()
}

func rowText(s history.AutoStep) string {
	row := s.Act
	for _, word := range []string{s.Kind, s.Reason, s.Result, string(s.Code)} {
		if word != "" {
			row += " " + word
		}
	}
	if s.Act == "prompt" {
		row += fmt.Sprint(" #", s.Count)
	}
	return row
}

// played is a task of the demo agent, in a real process, and what auto-resume did.
type played struct {
	c   *core.Core
	ref core.Ref
	w   *core.Watch
}

func play(t *testing.T, prompt string, choice settings.Choice, more map[string]any) *played {
	t.Helper()
	a := shorter(more)
	require.NoError(t, a.Check())
	self, err := os.Executable()
	require.NoError(t, err)
	c, err := core.Open(t.Context(), core.Options{Dir: t.TempDir(), Self: self, Auto: func() settings.Auto { return a }})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close(context.Background())) })
	ref, err := c.NewTask(t.Context(), core.NewTask{Dir: t.TempDir(), Kind: agent.Demo})
	require.NoError(t, err)
	require.NoError(t, c.ChooseAuto(t.Context(), ref.Session, choice))
	p := &played{c: c, ref: ref, w: c.Watch(ref.Session)}
	t.Cleanup(p.w.Close)
	say(t, c, ref.Session, prompt)
	return p
}

// step waits for a row of the ledger.
func (p *played) step(t *testing.T, act string) {
	t.Helper()
	see(t, p.w, func(e agent.Entry) bool {
		f, ok := e.Fact.(agent.AutoStepped)
		return ok && f.Step.Act == act
	})
}

const sentAgain = "announce K\nprompt K #1\noutcome K accepted\noutcome K answered\n"

// Each way to stop in the middle that can be seen over ACP: it is noticed, counted
// down, spoken to, and the agent goes on. The rows of the ledger are all there are.
func TestTheDemoAgentIsBroughtBack(t *testing.T) {
	for _, tt := range []struct {
		scenario string
		want     string
		more     map[string]any
	}{
		{"leaked-call", strings.ReplaceAll(sentAgain, "K", "tool_text"), nil},
		{"leaked-thought", strings.ReplaceAll(sentAgain, "K", "thinking_tool"), nil},
		{"unknown-tool", strings.ReplaceAll(sentAgain, "K", "unknown_tool"), nil},
		{"announces", strings.ReplaceAll(sentAgain, "K", "action_intent"), nil},
		{"ready-next", strings.ReplaceAll(sentAgain, "K", "ready_to_continue"), nil},
		{"done-open", strings.ReplaceAll(sentAgain, "K", "done_open_todos"), nil},
		{"done-bare", strings.ReplaceAll(sentAgain, "K", "done_no_detail"), nil},
		{"open-plan", strings.ReplaceAll(sentAgain, "K", "todo_reminder"), nil},
		{"cut-short", strings.ReplaceAll(sentAgain, "K", "truncated"), map[string]any{"resumeOnMaxTokens": true}},
		{"lost-stream", strings.ReplaceAll(sentAgain, "K", "dead_stream"), nil},
		{"cut-stream", "announce stream_failure network_unavailable\nprompt stream_failure network_unavailable #1\n" +
			"outcome stream_failure accepted\noutcome stream_failure answered\n", nil},
		{"same-call", "announce tool_loop tool_loop\ncancel tool_loop\nprompt tool_loop #1\noutcome tool_loop accepted\noutcome tool_loop answered\n", nil},
		{"stalls", "announce continue stall\ncancel stall\nprompt continue #1\noutcome continue accepted\noutcome continue answered\n",
			map[string]any{"busyStallStrategy": "abort", "chunkTimeoutMs": 2000}},
	} {
		t.Run(tt.scenario, func(t *testing.T) {
			t.Parallel()
			p := play(t, "/"+tt.scenario, settings.AutoFull, tt.more)
			var last agent.TurnStarted
			var said strings.Builder
			over, answered := false, false
			see(t, p.w, func(e agent.Entry) bool {
				switch f := e.Fact.(type) {
				case agent.TurnStarted:
					last = f
					said.Reset()
				case agent.PartSet:
					said.WriteString(f.Part.Text)
				case agent.PartAppended:
					said.WriteString(f.Text)
				case agent.TurnSettled:
					over = last.Auto != nil
				case agent.AutoStepped:
					answered = answered || f.Step.Result == "answered"
				}
				return over && answered // the ledger is written beside the turn
			})
			assert.Contains(t, said.String(), "I went on where I had stopped.")
			assert.Equal(t, 1, last.Auto.Count)
			assert.NotEmpty(t, last.Prompt.Blocks[0].Text)
			assert.Equal(t, tt.want, ledger(t, p.c, p.ref.Session))
		})
	}
}

// An agent that never recovers is given up, for each reason that can be seen over
// ACP; what comes last is the row that says so.
func TestAnAgentThatNeverRecoversIsGivenUp(t *testing.T) {
	stall := map[string]any{"busyStallStrategy": "abort", "chunkTimeoutMs": 2000, "maxRetries": 1}
	deaf := map[string]any{"busyStallStrategy": "abort", "chunkTimeoutMs": 2000, "cancelTimeoutMs": 1000}
	for _, tt := range []struct {
		prompt, want string
		more         map[string]any
	}{
		{"/stalls always", "announce continue stall\ncancel stall\nprompt continue #1\noutcome continue accepted\ngive_up stall\n", stall},
		{"/ignores-cancel", "announce continue stall\ncancel stall\ngive_up cancel_timeout\n", deaf},
		{"/announces always", "announce action_intent\nprompt action_intent #1\noutcome action_intent accepted\noutcome action_intent answered\n" +
			"announce action_intent\nprompt action_intent #2\noutcome action_intent accepted\noutcome action_intent answered\ngive_up window_budget\n",
			map[string]any{"windowBudget": 2, "loopMaxContinues": 99}},
		{"/cut-stream always", "announce stream_failure network_unavailable\nprompt stream_failure network_unavailable #1\n" +
			"outcome stream_failure accepted\noutcome stream_failure answered\ngive_up stream_failure network_unavailable\n", nil},
		{"/lost-stream always", "announce dead_stream\nprompt dead_stream #1\noutcome dead_stream accepted\noutcome dead_stream answered\ngive_up dead_stream\n", nil},
		{"/same-call always", "announce tool_loop tool_loop\ncancel tool_loop\nprompt tool_loop #1\noutcome tool_loop accepted\noutcome tool_loop answered\ngive_up tool_loop\n",
			map[string]any{"toolLoopInterventions": 1}},
		{"/action-url", "give_up non_retryable:quota quota_limited\n", nil},
		{"/limit", "give_up non_retryable:quota quota_limited\n", nil},
		{"/auth", "give_up non_retryable:auth auth_required\n", nil},
	} {
		t.Run(strings.ReplaceAll(tt.prompt[1:], " ", "-"), func(t *testing.T) {
			t.Parallel()
			p := play(t, tt.prompt, settings.AutoFull, tt.more)
			p.step(t, "give_up")
			assert.Equal(t, tt.want, ledger(t, p.c, p.ref.Session))
		})
	}
}

// Presets: what is only told of, and what is done where a turn is over.
func TestAPresetGoesNoFurtherThanItSays(t *testing.T) {
	for _, tt := range []struct {
		prompt string
		choice settings.Choice
		want   string
		more   map[string]any
	}{
		{"/leaked-call", settings.AutoNotify, "notice tool_text\n", nil},
		{"/same-call", settings.AutoSafe, "notice tool_loop\n", nil},
		{"/stalls", settings.AutoSafe, "notice stall\n", map[string]any{"busyStallStrategy": "abort", "chunkTimeoutMs": 1000}},
	} {
		t.Run(tt.prompt[1:], func(t *testing.T) {
			t.Parallel()
			p := play(t, tt.prompt, tt.choice, tt.more)
			p.step(t, "notice")
			assert.Equal(t, tt.want, ledger(t, p.c, p.ref.Session))
		})
	}
}

// The agent says by its tool that the task is complete: too early, which is
// refused with the open entries, and then rightly. After that nothing is sent.
func TestTheDemoAgentSaysThatTheTaskIsComplete(t *testing.T) {
	p := play(t, "/completes", settings.AutoFull, nil)
	var calls []agent.ToolCall
	see(t, p.w, func(e agent.Entry) bool {
		if f, ok := e.Fact.(agent.PartSet); ok && f.Part.Kind == agent.PartTool && !f.Part.Tool.Status.Open() {
			calls = append(calls, f.Part.Tool)
		}
		_, over := e.Fact.(agent.TurnSettled)
		return over
	})
	require.Len(t, calls, 2)
	assert.Contains(t, calls[0].Content[0].Block.Text, "Fix the parser for leap days")
	assert.Contains(t, calls[1].Content[0].Block.Text, "the task is complete")
	assert.Equal(t, "task_complete.reply blocked\ntask_complete.reply ack\n", ledger(t, p.c, p.ref.Session))
}

// The user's cancel during the countdown is the last word.
func TestTheUserStopsTheDemoAgentsContinuation(t *testing.T) {
	p := play(t, "/announces always", settings.AutoFull, map[string]any{"countdownMs": 600_000})
	p.step(t, "announce")
	p.c.DismissAuto(p.ref.Session)
	p.step(t, "withdraw")
	say(t, p.c, p.ref.Session, "go on")
	p.step(t, "announce")
	require.NoError(t, p.c.Do(t.Context(), p.ref.Session, agent.CancelTurn{}))
	p.step(t, "withdraw")
	assert.Equal(t, strings.Repeat("announce action_intent\nwithdraw action_intent\n", 2), ledger(t, p.c, p.ref.Session))
}
