//go:build agents

package agents_e2e

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
)

// each runs a test for every agent that this run asked for.
func each(t *testing.T, run func(t *testing.T, kind agent.Kind)) {
	for _, kind := range []agent.Kind{agent.OpenCode, agent.Gemini, agent.Codex, agent.Claude} {
		t.Run(string(kind), func(t *testing.T) { run(t, kind) })
	}
}

// TestATurnAndThenATool runs two turns in one session: text, then a shell tool
// that asks first and is allowed. Everything is in the history afterwards.
func TestATurnAndThenATool(t *testing.T) {
	each(t, func(t *testing.T, kind agent.Kind) {
		b := newBench(t, kind)
		b.say("Say hello. [[fake:text n=5 delay=5]]")
		end := b.settled()
		require.Equal(t, agent.Completed, end.Outcome, b.heard())
		assert.Equal(t, agent.EndTurn, end.Stop)
		assert.NotEmpty(t, b.text(1))

		mark := filepath.Join(b.project, "mark")
		b.say("Touch a file. [[fake:bash cmd='touch " + mark + "']]")
		asked, settled := b.allowing(func() bool { return false })
		require.Equal(t, agent.Completed, settled.Outcome, b.heard())
		if kind == agent.OpenCode || kind == agent.Gemini {
			assert.Equal(t, 1, asked, "it asks before it runs a command")
		}
		assert.FileExists(t, mark)
		tools := b.tools()
		require.NotEmpty(t, tools)
		assert.Equal(t, agent.ToolCompleted, tools[len(tools)-1].Status)

		parts, err := b.c.History().Parts(t.Context(), history.PartQuery{Session: b.ref.Session})
		require.NoError(t, err)
		kinds := map[agent.PartKind]int{}
		for _, p := range parts {
			kinds[p.Kind]++
		}
		assert.Equal(t, 2, kinds[agent.PartPrompt])
		assert.Positive(t, kinds[agent.PartText])
		assert.Positive(t, kinds[agent.PartTool])
	})
}

// TestARefusedPermissionRunsNothing answers a request with the agent's own no.
func TestARefusedPermissionRunsNothing(t *testing.T) {
	for _, kind := range []agent.Kind{agent.OpenCode, agent.Gemini} {
		t.Run(string(kind), func(t *testing.T) {
			b := newBench(t, kind)
			mark := filepath.Join(b.project, "mark")
			b.say("Touch a file. [[fake:bash cmd='touch " + mark + "']]")
			ask := await[agent.AskOpened](b, nil).Ask
			b.do(agent.Decide{Ask: ask.ID, Decision: agent.Decision{Option: option(t, ask, "reject_once"), By: agent.ByUser}})
			end := b.settled()
			assert.NotEqual(t, agent.Failed, end.Outcome, b.heard())
			assert.NoFileExists(t, mark)
		})
	}
}

// TestACancelIsAcknowledged cancels a turn whose provider never answers.
func TestACancelIsAcknowledged(t *testing.T) {
	each(t, func(t *testing.T, kind agent.Kind) {
		b := newBench(t, kind)
		b.say("Say hello. [[fake:text n=3]]") // the agent is up and warm
		b.settled()
		asked := len(b.models.Requests())
		b.say("Wait. [[fake:hang]]")
		b.eventually(time.Minute, "the agent asks its provider", func() bool { return len(b.models.Requests()) > asked })
		began := time.Now()
		b.do(agent.CancelTurn{})
		end := b.settled()
		took := time.Since(began)
		t.Logf("settled %s after %s, %s", end.Outcome, took.Round(time.Millisecond), b.cancelSteps())
		assert.Equal(t, agent.Cancelled, end.Outcome)
		assert.Less(t, took, 5*time.Second)
		b.say("Say hello again. [[fake:text n=3]]")
		assert.Equal(t, agent.Completed, b.settled().Outcome, "the next prompt needs no restart: %s", b.heard())
	})
}

// TestKillingTheAgentInAToolLeavesNothing kills the agent with signal 9 while its
// shell tool runs. The turn has failed, and the tool's own child is gone too.
func TestKillingTheAgentInAToolLeavesNothing(t *testing.T) {
	each(t, func(t *testing.T, kind agent.Kind) {
		b := newBench(t, kind)
		write(t, filepath.Join(b.project, "log"), "waiting\n")
		b.say("Follow the log. [[fake:bash cmd='tail -f log']]") // Claude refuses a bare sleep
		follows := func() (n int) {
			for _, p := range b.launched() {
				if strings.Contains(p.args, "tail -f log") {
					n++
				}
			}
			return n
		}
		_, settled := b.allowing(func() bool { return follows() > 0 })
		require.Nil(t, settled, "the tool runs: %s", b.heard())
		require.NoError(t, syscall.Kill(b.root().pid, syscall.SIGKILL))
		end := b.settled()
		require.Equal(t, agent.Failed, end.Outcome, b.heard())
		assert.Equal(t, agent.Code("agent_crashed"), end.Failure.Code)
		b.eventually(10*time.Second, "no orphan is left", func() bool { return len(b.launched()) == 0 })

		b.say("Go on. [[fake:text n=3]]")
		end = b.settled()
		if kind == agent.Gemini { // it stores a session only after its first answer
			require.Equal(t, agent.Code("session_lost"), end.Failure.Code, b.heard())
			b.startFresh()
			b.say("Go on. [[fake:text n=3]]")
			end = b.settled()
		}
		assert.Equal(t, agent.Completed, end.Outcome, "the next prompt starts the agent again: %s", b.heard())
	})
}

// TestARetryIsCancelledByTheUser cancels while OpenCode waits for the try that it
// has announced. It answers such a cancel with end_turn.
func TestARetryIsCancelledByTheUser(t *testing.T) {
	b := newBench(t, agent.OpenCode)
	b.say("Say hello. [[fake:503 retry_after=45]]")
	retry := await[agent.RetryAnnounced](b, nil)
	assert.Equal(t, 1, retry.Attempt)
	began := time.Now()
	b.do(agent.CancelTurn{})
	end := b.settled()
	assert.Less(t, time.Since(began), 5*time.Second)
	assert.Equal(t, agent.Cancelled, end.Outcome, b.heard())
}

// TestASessionIsTakenUpAgain closes everything and goes on in a second program.
func TestASessionIsTakenUpAgain(t *testing.T) {
	b := newBench(t, agent.OpenCode)
	b.say("Say hello. [[fake:text n=3]]")
	require.Equal(t, agent.Completed, b.settled().Outcome)
	before := await[agent.StateSet](b, nil)
	assert.Equal(t, agent.TaskDone, before.Task)
	require.NoError(t, b.c.Do(t.Context(), b.ref.Session, agent.Restart{}))
	ready := await[agent.SessionReady](b, func(r agent.SessionReady) bool { return r.Info.Resumed })
	assert.NotEmpty(t, ready.Info.ID)
	b.say("Again. [[fake:text n=3]]")
	assert.Equal(t, agent.Completed, b.settled().Outcome, b.heard())
}

// TestAMissingLoginSaysSo starts agents without any key.
func TestAMissingLoginSaysSo(t *testing.T) {
	for _, kind := range []agent.Kind{agent.Gemini, agent.Codex} {
		t.Run(string(kind), func(t *testing.T) {
			b := newBench(t, kind)
			home := t.TempDir()
			env := []string{"HOME=" + home, "CODEX_HOME=" + filepath.Join(home, ".codex")}
			for _, e := range b.env {
				if strings.HasPrefix(e, "PATH=") || strings.HasPrefix(e, "LANG=") {
					env = append(env, e)
				}
			}
			require.NoError(t, os.MkdirAll(filepath.Join(home, ".codex"), 0o700))
			b.env, b.home = env, home
			b.open(t.TempDir())
			b.say("Say hello.")
			end := b.settled()
			require.Equal(t, agent.Failed, end.Outcome, b.heard())
			assert.Equal(t, agent.Code("auth_required"), end.Failure.Code, end.Failure.Error())
		})
	}
}

func option(t *testing.T, ask agent.Ask, kind string) string {
	t.Helper()
	for _, o := range ask.Options {
		if o.Kind == kind {
			return o.ID
		}
	}
	t.Fatalf("the agent offers no %s", kind)
	return ""
}

func (b *bench) cancelSteps() (steps []agent.CancelStep) {
	for _, e := range b.facts {
		if f, ok := e.Fact.(agent.CancelStepped); ok {
			steps = append(steps, f.Step)
		}
	}
	return steps
}

// TestItsOwnWarningsAreNoOutput: Codex knows nothing of the model and warns. Asked
// for notices it says so beside the answer, and not as text of the model.
func TestItsOwnWarningsAreNoOutput(t *testing.T) {
	b := newBench(t, agent.Codex)
	b.say("Say hello. [[fake:empty]]")
	end := b.settled()
	var notices []string
	for _, e := range b.facts {
		if f, ok := e.Fact.(agent.PartSet); ok && f.Part.Notice() {
			notices = append(notices, f.Part.Text)
		}
	}
	assert.Equal(t, agent.EndedEmpty, end.Outcome, b.heard())
	require.NotEmpty(t, notices, b.heard())
	assert.Contains(t, notices[0], "Model metadata")
}
