package demo_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/acp"
	"turnwatch/backend/agent"
	"turnwatch/backend/demo"
)

const (
	thoughtThenText = "agent_thought_chunk agent_message_chunk"
	message         = "agent_message_chunk"
	call            = "tool_call tool_call_update"
)

// Every scenario that ends by itself: what it sends, how it is answered, what it
// takes at reading pace, and what is on stderr.
func TestScenariosThatEnd(t *testing.T) {
	short := [2]time.Duration{500 * time.Millisecond, 5 * time.Second}
	tests := []struct {
		name    string
		kinds   string
		stop    agent.StopReason
		code    string // of an error answer
		message string
		said    string
		records int
		takes   [2]time.Duration // at least, at most
	}{
		{name: "ok", kinds: thoughtThenText, stop: agent.EndTurn, said: "Turnwatch", takes: [2]time.Duration{time.Second, 10 * time.Second}},
		{name: "tools", kinds: strings.Join([]string{message, call, message, call, message, call, message}, " "), stop: agent.EndTurn, said: "the tests pass", takes: [2]time.Duration{3 * time.Second, 10 * time.Second}},
		{name: "plan", kinds: "agent_message_chunk plan agent_message_chunk", stop: agent.EndTurn, said: "four steps", takes: [2]time.Duration{5 * time.Second, 10 * time.Second}},
		{name: "diff", kinds: strings.Join([]string{message, call, message}, " "), stop: agent.EndTurn, said: "not touched any file", takes: [2]time.Duration{time.Second, 5 * time.Second}},
		{name: "permission", kinds: strings.Join([]string{message, call, message}, " "), stop: agent.EndTurn, said: "Thank you", takes: [2]time.Duration{time.Second, 5 * time.Second}},
		{name: "long-quiet-tool", kinds: strings.Join([]string{message, call, message}, " "), stop: agent.EndTurn, said: "4112", takes: [2]time.Duration{20 * time.Minute, 21 * time.Minute}},
		{name: "limit", kinds: message, stop: agent.EndTurn, said: "The limit is over", records: 1, takes: [2]time.Duration{127 * time.Minute, 128 * time.Minute}},
		{name: "overload-passes", code: "-32603", message: "Internal error: Provider is overloaded", records: 1, takes: [2]time.Duration{300 * time.Millisecond, time.Second}},
		{name: "overload-asks", code: "-32603", message: "Internal error: Provider is overloaded. Please try again in 5 minutes.", records: 1, takes: [2]time.Duration{300 * time.Millisecond, time.Second}},
		{name: "overload", code: "-32603", message: "Internal error: Overloaded", records: 7, takes: [2]time.Duration{62 * time.Second, 63 * time.Second}},
		{name: "title-error", kinds: thoughtThenText, stop: agent.EndTurn, said: "Turnwatch", records: 1, takes: [2]time.Duration{time.Second, 10 * time.Second}},
		{name: "other-session", kinds: thoughtThenText, stop: agent.EndTurn, said: "Turnwatch", records: 1, takes: [2]time.Duration{time.Second, 10 * time.Second}},
		{name: "action-url", code: "-32603", message: "Internal error: 5-hour usage limit reached. Resets in 2hr 7min.", takes: [2]time.Duration{0, time.Second}},
		{name: "retry-heals", kinds: message, stop: agent.EndTurn, said: "second try", records: 1, takes: [2]time.Duration{2 * time.Second, 5 * time.Second}},
		{name: "auth", code: "-32000", message: "Authentication required"},
		{name: "empty-end", stop: agent.EndTurn, takes: [2]time.Duration{time.Second, time.Second}},
		{name: "leaked-call", kinds: message, stop: agent.EndTurn, said: "<function=read>", takes: short},
		{name: "leaked-thought", kinds: thoughtThenText, stop: agent.EndTurn, said: "comes next", takes: short},
		{name: "unknown-tool", kinds: strings.Join([]string{message, call, call, message}, " "), stop: agent.EndTurn, said: "did not work out", takes: short},
		{name: "announces", kinds: message, stop: agent.EndTurn, said: "test for it:", takes: short},
		{name: "ready-next", kinds: message, stop: agent.EndTurn, said: "Ready to continue", takes: short},
		{name: "done-open", kinds: "plan agent_message_chunk", stop: agent.EndTurn, said: "are done!", takes: short},
		{name: "done-bare", kinds: message, stop: agent.EndTurn, said: "Task completed.", takes: short},
		{name: "open-plan", kinds: "plan agent_message_chunk", stop: agent.EndTurn, said: "behind me", takes: short},
		{name: "cut-stream", kinds: message, code: "-32603", message: "Internal error: the streaming response failed: connection reset by peer", said: "knows", takes: short},
		{name: "lost-stream", kinds: "agent_thought_chunk", stop: agent.EndTurn, takes: short},
		{name: "cut-short", kinds: message, stop: agent.MaxTokens, said: "the second that", takes: short},
		{name: "completes", kinds: "plan agent_message_chunk", stop: agent.EndTurn, said: "no tool", takes: short},
		{name: "stream", kinds: message, stop: agent.EndTurn, said: ":59.998 ", takes: [2]time.Duration{time.Minute - 2*time.Millisecond, time.Minute}},
		{name: "hostile-markdown", kinds: message + " " + call, stop: agent.EndTurn, said: "<script>window.pwned=1</script>", takes: [2]time.Duration{time.Second, 10 * time.Second}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := open(t, demo.Options{Pace: readingPace})
				began := time.Now()
				stop, err := r.stop(r.prompt("/" + tt.name))
				took := time.Since(began)
				assert.Equal(t, tt.stop, stop)
				assertAnswer(t, err, tt.code, tt.message)
				assert.Equal(t, tt.kinds, r.kinds())
				assert.Contains(t, r.said(), tt.said)
				assert.Len(t, records(t, r), tt.records)
				assert.GreaterOrEqual(t, took, tt.takes[0])
				assert.LessOrEqual(t, took, tt.takes[1])
				r.close()
			})
		})
	}
}

func assertAnswer(t *testing.T, err error, code, message string) {
	t.Helper()
	if code == "" {
		assert.NoError(t, err)
		return
	}
	var e *acp.Error
	if assert.True(t, errors.As(err, &e), "an error answer") {
		assert.Equal(t, code, e.Code)
		assert.Equal(t, message, e.Message)
	}
}

// With no pace every scenario that ends quickly ends at once.
func TestWithoutPaceNothingIsWaitedFor(t *testing.T) {
	for _, name := range []string{"ok", "tools", "plan", "diff", "permission", "overload", "retry-heals", "empty-end", "hostile-markdown"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := open(t, demo.Options{Scenario: name})
				began := time.Now()
				_, _ = r.stop(r.prompt("go"))
				assert.Zero(t, time.Since(began))
				r.close()
			})
		})
	}
}

// Each scenario is cancelled in the middle, and says so at once; only the one
// that is there for it does not.
func TestCancel(t *testing.T) {
	for _, s := range demo.Scenarios() {
		if s.Name == "crash" || s.Name == "auth" || s.Name == "action-url" || s.Name == "overload-passes" || s.Name == "overload-asks" {
			continue // over before anybody can cancel
		}
		t.Run(s.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := open(t, demo.Options{Scenario: s.Name, Pace: readingPace})
				r.answer = func(*rig, *acp.Request) {} // stays open
				p := r.prompt("go")
				if s.Name == "flood" {
					r.until(func() bool { return len(r.updates) > 100 })
				} else {
					pass(500 * time.Millisecond)
				}
				began := time.Now()
				r.cancel()
				r.cancel() // again, which changes nothing
				if s.Name == "ignores-cancel" {
					pass(patience)
					select {
					case <-p.Done():
						t.Fatal("it listened")
					default:
					}
					r.close()
					return
				}
				stop, err := r.stop(p)
				require.NoError(t, err)
				assert.Equal(t, answerToCancel(s.Name), stop)
				assert.Zero(t, time.Since(began))
				assert.NotContains(t, lastStates(r), "in_progress", "no tool stays open")

				r.answer = func(_ *rig, q *acp.Request) { choose(q, "once") }
				stop, err = r.stop(r.prompt("/ok"))
				require.NoError(t, err)
				assert.Equal(t, agent.EndTurn, stop, "the session takes the next prompt")
				r.close()
			})
		})
	}
}

// answerToCancel: OpenCode answers end_turn when it waits for a retry.
func answerToCancel(name string) agent.StopReason {
	switch name {
	case "limit", "overload", "retry-heals", "secrets":
		return agent.EndTurn
	}
	return agent.StopCancelled
}

// lastStates are the last states of all tool calls.
func lastStates(r *rig) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	last := map[string]string{}
	for i, u := range r.updates {
		if u.ToolCallID == "" {
			continue
		}
		for _, st := range []string{"pending", "in_progress", "completed", "failed"} {
			if strings.Contains(r.raw[i], `"status":"`+st+`"`) {
				last[u.ToolCallID] = st
			}
		}
	}
	var all []string
	for _, st := range last {
		all = append(all, st)
	}
	return all
}

// EOF in the middle of a turn ends every scenario, with nothing left over.
func TestEOFInTheMiddleOfATurn(t *testing.T) {
	for _, s := range demo.Scenarios() {
		if s.Name == "crash" {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := open(t, demo.Options{Pace: readingPace})
				r.answer = func(*rig, *acp.Request) {}
				p := r.prompt("/" + s.Name)
				if s.Name == "flood" {
					r.until(func() bool { return len(r.updates) > 100 })
				} else {
					pass(300 * time.Millisecond)
				}
				r.close()
				_, err := p.Wait(t.Context())
				_ = err // answered before, or gone with the connection
			})
		})
	}
}

// What stumbles goes on at the next prompt, whoever sends it; told "always" it
// stumbles until another scenario is chosen.
func TestWhatStumblesGoesOnWhenItIsSpokenTo(t *testing.T) {
	for _, name := range []string{
		"leaked-call", "leaked-thought", "same-call", "unknown-tool", "announces", "ready-next", "done-open", "done-bare",
		"open-plan", "cut-stream", "lost-stream", "cut-short", "stalls",
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := open(t, demo.Options{})
				play := func(text string) string {
					from := len(r.said())
					p := r.prompt(text)
					pass(time.Second)
					r.cancel() // what does not end by itself
					_, _ = r.stop(p)
					return r.said()[from:]
				}
				const recovered = "I went on where I had stopped."
				assert.NotContains(t, play("/"+name), recovered)
				assert.Contains(t, play("please continue"), recovered)
				assert.Contains(t, play("thank you"), "demo agent of Turnwatch", "the session's own scenario")
				for _, text := range []string{"/" + name + " always", "go on", "go on"} {
					assert.NotContains(t, play(text), recovered)
				}
				assert.Contains(t, play("/ok"), "demo agent of Turnwatch")
				assert.Contains(t, play("go on"), "demo agent of Turnwatch", "and it is over")
				r.close()
			})
		})
	}
}
