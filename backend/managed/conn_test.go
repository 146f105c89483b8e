//go:build unix

package managed_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/shirou/gopsutil/v4/process"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
	"turnwatch/backend/managed"
)

func TestATurnDeliversItsUpdatesBeforeItsAnswer(t *testing.T) {
	r := newRig(t)
	a, before := r.turn(r.open("ok"), "hi")
	assert.Equal(t, []string{"hello ", "world"}, texts(before))
	assert.Equal(t, agent.EndTurn, a.Stop)
	assert.Nil(t, a.Failure)
	assert.Equal(t, int64(3), a.Usage.Input)
	assert.Equal(t, int64(4), a.Usage.Output)
	for _, ev := range before {
		assert.Equal(t, agent.Generation(1), ev.(agent.Updated).Stamp.Generation)
	}
}

func TestAnAnswerFollowedByExitIsAnAnswer(t *testing.T) {
	r := newRig(t)
	a, before := r.turn(r.open("last"), "hi")
	assert.Equal(t, agent.EndTurn, a.Stop)
	assert.Nil(t, a.Failure)
	assert.Len(t, texts(before), 500)
	x, before := await[agent.Exited](t, r.sink, nil)
	assert.Equal(t, agent.Code("agent_crashed"), x.Failure.Code)
	assert.Equal(t, map[string]string{"code": "0"}, x.Failure.Args)
	assert.Contains(t, before, agent.Event(a), "the answer comes before the exit")
}

func TestACrashEndsTheTurnWithItsCode(t *testing.T) {
	r := newRig(t)
	c := r.open("crash")
	a, before := r.turn(c, "hi")
	assert.Equal(t, []string{"half"}, texts(before))
	require.NotNil(t, a.Failure)
	assert.Equal(t, agent.Code("agent_crashed"), a.Failure.Code)
	assert.Equal(t, "7", a.Failure.Args["code"])
	_, before = await[agent.Exited](t, r.sink, nil)
	assert.Contains(t, before, agent.Event(a))

	err := c.Prompt(t.Context(), 9, agent.Prompt{})
	var f *agent.Failure
	require.ErrorAs(t, err, &f, "a prompt after the end is refused")
	assert.Equal(t, agent.Code("agent_crashed"), f.Code)
	for _, ev := range r.sink.all() {
		a, ok := ev.(agent.Answered)
		assert.False(t, ok && a.Generation == 9, "and has no answer")
	}
}

func TestKilledAgentsLeaveNoChild(t *testing.T) {
	r := newRig(t)
	a, before := r.turn(r.open("orphan"), "hi")
	require.NotNil(t, a.Failure)
	assert.Equal(t, "killed", a.Failure.Args["signal"])
	pid, err := strconv.Atoi(texts(before)[0])
	require.NoError(t, err)
	await[agent.Exited](t, r.sink, nil)
	alive, err := process.PidExists(int32(pid))
	require.NoError(t, err)
	if alive { // perhaps not collected yet by whoever took it over
		p, err := process.NewProcess(int32(pid))
		require.NoError(t, err)
		state, _ := p.Status()
		assert.Equal(t, []string{process.Zombie}, state)
	}
}

func TestErrorsOfTheAgentBecomeFailures(t *testing.T) {
	for _, tc := range []struct {
		name string
		kind agent.Kind
		err  string
		code agent.Code
		says string
	}{
		{"claude limit", agent.Claude, `{"code":-32603,"message":"Internal error: You've hit your 5-hour limit · resets 10:16pm (UTC)","data":{"errorKind":"rate_limit"}}`, "quota_limited", "You've hit your 5-hour limit · resets 10:16pm (UTC)"},
		{"codex usage", agent.Codex, `{"code":-32603,"message":"Internal error","data":{"message":"hit your usage limit, see https://CANARY/x","codexErrorInfo":"usageLimitExceeded"}}`, "quota_limited", "hit your usage limit"},
		{"gemini status", agent.Gemini, `{"code":429,"message":"You have exhausted your daily quota on this model."}`, "quota_limited", "You have exhausted your daily quota on this model."},
		{"text code", agent.Gemini, `{"code":"429","message":"m"}`, "rate_limited", "m"},
		{"float code", agent.Gemini, `{"code":429.0,"message":"m"}`, "rate_limited", "m"},
		{"login", "mine", `{"code":-32000,"message":"Authentication required"}`, "auth_required", "Authentication required"},
		{"qwen details", agent.Qwen, `{"code":-32603,"message":"Internal error","data":{"details":"401 Incorrect API key provided: sk-CANARY99."}}`, "auth_required", "401 Incorrect"},
		{"kimi", agent.Kimi, `{"code":-32000,"message":"Authentication required: 401"}`, "auth_required", "Authentication required: 401"},
		{"opencode", agent.OpenCode, `{"code":-32603,"message":"Internal error: upstream failed","data":{"service":"session","errorName":"APIError"}}`, "unknown_provider_error", "upstream failed"},
		{"empty", "mine", `{}`, "unknown_provider_error", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := newRig(t)
			r.kind = tc.kind
			a, _ := r.turn(r.open("error"), tc.err)
			require.NotNil(t, a.Failure)
			assert.Equal(t, tc.code, a.Failure.Code)
			assert.True(t, strings.HasPrefix(a.Failure.Message, tc.says), a.Failure.Message)
			if a.Failure.Message == "" {
				assert.NotEqual(t, failure.HintCheckMessage, a.Failure.Hint, "there is no message above")
			}
			assert.NotContains(t, fmt.Sprintf("%+v", *a.Failure), "CANARY")
			assert.NotContains(t, r.log.String(), "CANARY")
			if tc.code == "auth_required" {
				assert.Equal(t, "API key, Log in on the web", a.Failure.Args["methods"])
			}
		})
	}
}

func TestOddAnswers(t *testing.T) {
	for _, answer := range []string{`null`, `[]`, `"end_turn"`, `7`} {
		t.Run(answer, func(t *testing.T) {
			r := newRig(t)
			a, _ := r.turn(r.open("badanswer"), answer)
			require.NotNil(t, a.Failure)
			assert.Equal(t, failure.UnknownProviderError, a.Failure.Code)
			assert.Equal(t, "rpc.bad_answer", a.Failure.Rule)
			assert.Equal(t, failure.HintBadAnswer, a.Failure.Hint)
		})
	}
	r := newRig(t)
	a, _ := r.turn(r.open("refused"), "hi")
	assert.Nil(t, a.Failure)
	assert.Equal(t, agent.StopCancelled, a.Stop)
}

func TestCancelAndCloseEndAHeldPrompt(t *testing.T) {
	r := newRig(t)
	c := r.open("hold")
	g := agent.Generation(1)
	r.sink.Raise(g)
	require.NoError(t, c.Prompt(t.Context(), g, agent.Prompt{Blocks: []agent.Block{agent.TextBlock("x")}}))
	await[agent.Updated](t, r.sink, nil)
	require.NoError(t, c.Cancel(t.Context()))
	a, _ := await[agent.Answered](t, r.sink, nil)
	assert.Equal(t, agent.StopCancelled, a.Stop)

	r.sink.Raise(2)
	require.NoError(t, c.Prompt(t.Context(), 2, agent.Prompt{Blocks: []agent.Block{agent.TextBlock("x")}}))
	require.NoError(t, c.Close(context.Background()))
	a, _ = await(t, r.sink, func(a agent.Answered) bool { return a.Generation == 2 })
	assert.Equal(t, agent.StopCancelled, a.Stop, "close cancels an open turn first")
	for _, ev := range r.sink.all() {
		_, exited := ev.(agent.Exited)
		assert.False(t, exited, "an end that was asked for is not reported")
	}
	assert.NoError(t, c.Close(context.Background()), "a second close is fine")
	r.noneLeft()
}

func TestCloseEndsAnAgentThatListensToNothing(t *testing.T) {
	r := newRig(t)
	c := r.open("deaf")
	r.sink.Raise(1)
	require.NoError(t, c.Prompt(t.Context(), 1, agent.Prompt{Blocks: []agent.Block{agent.TextBlock("x")}}))
	await[agent.Updated](t, r.sink, nil)
	ctx, stop := context.WithTimeout(t.Context(), time.Second)
	defer stop()
	require.ErrorIs(t, c.Close(ctx), context.DeadlineExceeded, "the caller waits no longer than it wants")
	require.NoError(t, c.Close(context.Background()))
	a, _ := await[agent.Answered](t, r.sink, nil)
	require.NotNil(t, a.Failure, "every prompt has its end")
	assert.Equal(t, "killed", a.Failure.Args["signal"])
	r.noneLeft()
}

func TestAnAgentThatWasCancelledGetsLessTimeToEnd(t *testing.T) {
	r := newRig(t)
	c := r.open("deaf")
	r.sink.Raise(1)
	require.NoError(t, c.Prompt(t.Context(), 1, agent.Prompt{Blocks: []agent.Block{agent.TextBlock("x")}}))
	await[agent.Updated](t, r.sink, nil)
	require.NoError(t, c.Cancel(t.Context()))
	ctx, stop := context.WithTimeout(t.Context(), 8500*time.Millisecond) // the usual times are 9 s together
	defer stop()
	require.NoError(t, c.Close(ctx))
	r.noneLeft()
}

func TestAPromptThatWasLetGoComesBackWithItsGeneration(t *testing.T) {
	r := newRig(t)
	c := r.open("late")
	r.sink.Raise(1)
	ctx, stop := context.WithCancel(t.Context())
	require.NoError(t, c.Prompt(ctx, 1, agent.Prompt{Blocks: []agent.Block{agent.TextBlock("x")}}))
	stop()
	await[agent.Updated](t, r.sink, nil)
	r.turnOf(c, 2)
	_, before := await(t, r.sink, func(a agent.Answered) bool { return a.Generation == 1 })
	second, _ := await(t, r.sink, func(a agent.Answered) bool { return a.Generation == 2 })
	assert.Equal(t, agent.EndTurn, second.Stop)
	assert.NotEmpty(t, before)
}

func (r *rig) turnOf(c agent.Conn, g agent.Generation) {
	r.t.Helper()
	r.sink.Raise(g)
	require.NoError(r.t, c.Prompt(r.t.Context(), g, agent.Prompt{Blocks: []agent.Block{agent.TextBlock("x")}}))
	await(r.t, r.sink, func(a agent.Answered) bool { return a.Generation == g })
}

func TestChooseWhileTheSessionIsOpen(t *testing.T) {
	r := newRig(t)
	c := r.open("options")
	options, err := c.Choose(t.Context(), "mode", "code")
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"mode": "code"}, current(options, map[string]string{"mode": ""}))
	u, _ := await(t, r.sink, func(u agent.Updated) bool { return u.Update.Kind == agent.ModeChanged })
	assert.Equal(t, "code", u.Update.Options[0].Current)

	_, err = c.Choose(t.Context(), "model", "nope")
	var f *agent.Failure
	require.ErrorAs(t, err, &f)
	assert.Equal(t, managed.HintNoSuchChoice, f.Hint)
	assert.Equal(t, agent.Code("model_unavailable"), f.Code)
	_, err = c.Choose(t.Context(), "effort", "high")
	require.ErrorAs(t, err, &f)
	assert.Equal(t, "not now", f.Message)
}

func TestFileRequestsOverTheWire(t *testing.T) {
	type call struct {
		Method string         `json:"method"`
		Params map[string]any `json:"params"`
	}
	setup := func(t *testing.T, files managed.Files) (*rig, agent.Conn) {
		r := newRig(t)
		r.opts.Files = files
		require.NoError(t, os.WriteFile(filepath.Join(r.dir, "a.txt"), []byte("one\ntwo\n"), 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(r.dir), "secret"), []byte("CANARY"), 0o600))
		require.NoError(t, os.Symlink("../secret", filepath.Join(r.dir, "link")))
		return r, r.open("wire")
	}
	calls := func(r *rig, c agent.Conn, list ...call) []string {
		script, err := json.Marshal(list)
		require.NoError(t, err)
		_, before := r.turn(c, string(script))
		return texts(before)
	}
	r, c := setup(t, managed.FilesDefault)
	in := func(name string) string { return filepath.Join(r.dir, name) }
	got := calls(r, c,
		call{"fs/read_text_file", map[string]any{"sessionId": "s1", "path": in("a.txt")}},
		call{"fs/read_text_file", map[string]any{"sessionId": "s1", "path": in("a.txt"), "line": 2, "limit": 1}},
		call{"fs/write_text_file", map[string]any{"sessionId": "s1", "path": in("new/b.txt"), "content": "made"}},
		call{"fs/read_text_file", map[string]any{"sessionId": "s1", "path": in("new/b.txt")}},
		call{"fs/read_text_file", map[string]any{"sessionId": "s1", "path": in("none")}},
		call{"fs/read_text_file", map[string]any{"sessionId": "s1", "path": in("link")}},
		call{"fs/read_text_file", map[string]any{"sessionId": "s1", "path": "/etc/passwd"}},
		call{"fs/write_text_file", map[string]any{"sessionId": "s1", "path": in("../evil"), "content": "x"}},
		call{"fs/read_text_file", map[string]any{"sessionId": "other", "path": in("a.txt")}},
		call{"fs/read_text_file", map[string]any{"path": 7}},
		call{"terminal/create", map[string]any{"sessionId": "s1", "command": "id"}},
		call{"elicitation/create", map[string]any{}},
	)
	require.Len(t, got, 12)
	assert.JSONEq(t, `{"content":"one\ntwo\n"}`, got[0])
	assert.JSONEq(t, `{"content":"two\n"}`, got[1])
	assert.JSONEq(t, `{}`, got[2])
	assert.JSONEq(t, `{"content":"made"}`, got[3])
	for i, code := range map[int]string{4: "-32002", 5: "-32602", 6: "-32602", 7: "-32602", 8: "-32602", 9: "-32602", 10: "-32601", 11: "-32601"} {
		assert.Contains(t, got[i], code, "call %d", i)
		assert.NotContains(t, got[i], "CANARY")
	}

	t.Run("not offered", func(t *testing.T) {
		r, c := setup(t, managed.FilesOff)
		got := calls(r, c, call{"fs/write_text_file", map[string]any{"sessionId": "s1", "path": filepath.Join(r.dir, "x"), "content": "x"}})
		assert.Contains(t, got[0], "-32601")
		assert.NoFileExists(t, filepath.Join(r.dir, "x"))
	})
}

func TestOtherSessionsOfAProcessAreNotOurs(t *testing.T) {
	r := newRig(t)
	_, before := r.turn(r.open("foreign"), "x")
	assert.Len(t, texts(before), 1)
	assert.Contains(t, texts(before)[0], "-32602")
	for _, ev := range before {
		_, asked := ev.(agent.Asked)
		assert.False(t, asked)
	}
}

func TestTwoSessionsDoNotMeet(t *testing.T) {
	a, b := newRig(t), newRig(t)
	ca, cb := a.open("hold"), b.open("ok")
	a.sink.Raise(1)
	require.NoError(t, ca.Prompt(t.Context(), 1, agent.Prompt{Blocks: []agent.Block{agent.TextBlock("x")}}))
	await[agent.Updated](t, a.sink, nil)
	b.turn(cb, "x")
	require.NoError(t, cb.Close(context.Background()))
	require.NoError(t, ca.Cancel(t.Context()))
	end, _ := await[agent.Answered](t, a.sink, nil)
	assert.Equal(t, agent.StopCancelled, end.Stop, "the first goes on when the second is closed")
}

func TestStderrIsKeptAsAShortCleanTail(t *testing.T) {
	r := newRig(t)
	c := r.open("noisy")
	r.turn(c, "x")
	tail := managed.Stderr(c)
	require.NotEmpty(t, tail)
	assert.LessOrEqual(t, len(tail), 50)
	assert.NotContains(t, fmt.Sprint(tail), "CANARY")
	assert.NotContains(t, r.log.String(), "CANARY")

	r = newRig(t)
	r.kind = agent.OpenCode
	c = r.open("noisy")
	assert.Empty(t, managed.Stderr(c))
}
