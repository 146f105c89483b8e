//go:build agents

package agents_e2e

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/core"
	"turnwatch/backend/settings"
)

// brisk are options that wait less than a user's do. A turn that is silent for
// twelve seconds is continued.
func brisk(more map[string]any) settings.Auto {
	a := settings.Auto{Folders: map[string]settings.Choice{}, Options: map[string]json.RawMessage{}}
	for name, v := range map[string]any{
		"countdownMs": 500, "warmupMs": 0, "minActivityGapMs": 0, "activeUserWindowMs": 0, "checkIntervalMs": 500,
		"toolTextCheckDelayMs": 3000, "abortContinueDelayMs": 0, "chunkTimeoutMs": 12_000, "gracePeriodMs": 0,
		"baseBackoffMs": 200, "maxBackoffMs": 200,
	} {
		a.Options[name], _ = json.Marshal(v)
	}
	for name, v := range more {
		a.Options[name], _ = json.Marshal(v)
	}
	return a
}

// automatic is a bench whose task auto-resume may do everything in.
func automatic(t *testing.T, more map[string]any) *bench {
	t.Helper()
	needs(t, agent.OpenCode) // before anything is built
	self := filepath.Join(t.TempDir(), "tw")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-tags", "sqlite_fts5", "-o", self, "turnwatch/backend/cmd/tw").CombinedOutput()
	require.NoError(t, err, string(out))
	a := brisk(more)
	require.NoError(t, a.Check())
	b := newBenchWith(t, agent.OpenCode, func(o *core.Options) {
		o.Self, o.Auto = self, func() settings.Auto { return a }
	})
	require.NoError(t, b.c.ChooseAuto(t.Context(), b.ref.Session, settings.AutoFull))
	b.say("Say hello. [[fake:text n=3]]") // the agent is up and warm
	require.Equal(t, agent.Completed, b.settled().Outcome, b.heard())
	return b
}

// did is what auto-resume wrote down of a session, oldest first, in short.
func (b *bench) did() string {
	b.t.Helper()
	require.NoError(b.t, b.c.History().Flush(b.t.Context()))
	steps, err := b.c.AutoSteps(b.t.Context(), b.ref.Session, 0, 0)
	require.NoError(b.t, err)
	var rows []string
	for i := len(steps) - 1; i >= 0; i-- {
		s := steps[i]
		rows = append(rows, strings.Join(strings.Fields(fmt.Sprint(s.Act, " ", s.Kind, " ", s.Reason, " ", s.Result, " ", s.Code)), " "))
	}
	return strings.Join(rows, ", ")
}

// TestWhatAutoResumeMakesOfOpenCode lets OpenCode stop in the middle in different
// ways. The first end is what stands where nothing is done; the second what comes
// of the automatic prompt, which the provider answers well.
func TestWhatAutoResumeMakesOfOpenCode(t *testing.T) {
	full(t)
	const (
		plan = `{"todos":[{"content":"look","status":"completed","priority":"high"},{"content":"write","status":"pending","priority":"high"}]}`
		leak = "I will look.\n<function=read>\n<parameter=path>a.go</parameter>\n</function>"
	)
	b := automatic(t, map[string]any{"toolTextCheckDelayMs": 3000})
	for _, tc := range []struct {
		name, directive string
		first           agent.Outcome // "": the turn ends by the cancel of the policy
		kind            string        // of the automatic prompt; "" for none
		did             string        // the rest of the ledger
	}{
		{"a dead stream", "think n=300 delay=1 text='' out=900", agent.EndedEmpty, "dead_stream", "announce dead_stream, prompt dead_stream"},
		{"a leaked call", "text delay=1 text='" + leak + "'", agent.Completed, "tool_text", "announce tool_text, prompt tool_text"},
		{"an unknown tool", "tool name=grep_all any=1 steps=2 text='That did not work out.'", agent.Completed, "unknown_tool", "announce unknown_tool, prompt unknown_tool"},
		{"bytes that stop", "hang-part n=3", "", "continue", "announce continue stall, cancel stall, prompt continue"},
		{"the same call for ever", "bash cmd=true steps=40", "", "tool_loop", "announce tool_loop tool_loop, cancel tool_loop, prompt tool_loop"},
		{"open todos", "tool name=todowrite args='" + plan + "' text='The first half is behind me.'", agent.Completed, "todo_reminder", "announce todo_reminder, prompt todo_reminder"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b.t = t
			before := len(b.did())
			began := time.Now()
			b.say("Do it. [[fake:" + tc.directive + "]]")
			_, first := b.allowing(func() bool { return time.Since(began) > 50*time.Second })
			require.NotNil(t, first, "%s; %s", b.heard(), b.did())
			want := tc.first
			if want == "" {
				want = agent.Cancelled
			}
			assert.Equal(t, want, first.Outcome, b.heard())
			b.eventually(20*time.Second, "a prompt is sent by itself", func() bool { return strings.Contains(b.did()[before:], "prompt ") })
			started := await(b, func(f agent.TurnStarted) bool { return f.Auto != nil })
			assert.Equal(t, tc.kind, started.Auto.Kind)
			second := b.settled()
			assert.Equal(t, agent.Completed, second.Outcome, b.heard())
			did := strings.TrimPrefix(b.did()[before:], ", ")
			t.Logf("%s: first %s, then %s after %s: %s", tc.name, first.Outcome, second.Outcome, time.Since(began).Round(100*time.Millisecond), did)
			assert.True(t, strings.HasPrefix(did, tc.did+", outcome "+tc.kind+" accepted"), did)
		})
	}
}

// TestWhereAutoResumeLeavesOpenCodeAlone lets OpenCode fail in ways that it gets
// over by itself, that no prompt can help, or that cannot be seen over ACP.
func TestWhereAutoResumeLeavesOpenCodeAlone(t *testing.T) {
	full(t)
	b := automatic(t, map[string]any{"toolTextCheckDelayMs": 1000})
	for _, tc := range []struct {
		name, prompt string
		end          agent.Outcome // "": it goes on for ever, and the test cancels it
		steps        int           // until it is plain that it goes on
		did          string
	}{
		{"a cut stream", "Do it. [[fake:cut n=5 fail=1]]", agent.Completed, 0, ""},
		{"wrong arguments", "Do it. [[fake:badargs text='It did not work.']]", agent.Completed, 0, ""},
		{"a limit", "Do it. [[fake:go5h retry_after=7620]]", agent.Failed, 0, "give_up non_retryable:quota quota_limited"},
		{"a wrong key", "Do it. [[fake:auth]]", agent.Failed, 0, "give_up non_retryable:auth auth_required"},
		{"steps without end", "Do it. [[fake:eof n=3]]", "", 12, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b.t = t
			before := len(b.did())
			began := time.Now()
			b.say(tc.prompt)
			if tc.steps > 0 {
				from := b.messages()
				b.eventually(time.Minute, "the agent goes on and on", func() bool { return b.messages()-from >= tc.steps })
				b.do(agent.CancelTurn{})
			}
			end := b.settled()
			if tc.end != "" {
				assert.Equal(t, tc.end, end.Outcome, b.heard())
			}
			if tc.did != "" {
				await(b, func(f agent.AutoStepped) bool { return f.Step.Act == "give_up" })
			} else { // what is done at an end is done before that of the next turn
				b.say("Say hello. [[fake:text n=3]]")
				assert.Equal(t, agent.Completed, b.settled().Outcome, b.heard())
			}
			did := strings.TrimPrefix(b.did()[before:], ", ")
			t.Logf("%s: %s after %s: %s", tc.name, end.Outcome, time.Since(began).Round(100*time.Millisecond), did)
			assert.Equal(t, tc.did, did)
		})
	}
}

// messages is how many messages the agent has begun, heard or not yet looked at.
func (b *bench) messages() (n int) {
	more, _ := b.watch.Take()
	b.waiting = append(b.waiting, more...)
	for _, e := range append(b.facts[:len(b.facts):len(b.facts)], b.waiting...) {
		if f, ok := e.Fact.(agent.PartSet); ok && f.Part.Kind == agent.PartText {
			n++
		}
	}
	return n
}

// TestOpenCodeSaysThatItIsDone lets OpenCode call the tool that it is given with its
// session: while an entry of its plan is open it is refused, then taken down.
func TestOpenCodeSaysThatItIsDone(t *testing.T) {
	b := automatic(t, map[string]any{"todoNudges": false, "doneClaim": false})
	todo := func(status string) string {
		return `Plan. [[fake:tool name=todowrite args='{"todos":[{"content":"write the parser","status":"` + status + `","priority":"high"}]}' text='Planned.']]`
	}
	const done = "Finish. [[fake:tool name=turnwatch_task_complete args='{}' text='Told.']]"
	for _, step := range []struct{ prompt, want string }{
		{todo("pending"), ""},
		{done, "write the parser"},
		{todo("completed"), ""},
		{done, "the task is complete"},
	} {
		b.say(step.prompt)
		require.Equal(t, agent.Completed, b.settled().Outcome, b.heard())
		if step.want != "" {
			all := b.tools()
			last := all[len(all)-1]
			require.Equal(t, "turnwatch_task_complete", last.Name)
			require.NotEmpty(t, last.Content)
			assert.Contains(t, last.Content[0].Block.Text, step.want)
		}
	}
	assert.Equal(t, "task_complete.reply blocked, task_complete.reply ack", b.did())
}
