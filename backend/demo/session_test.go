package demo_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/acp"
	"turnwatch/backend/agent"
	"turnwatch/backend/demo"
)

func TestEveryScenarioCanBeChosenInThreeWays(t *testing.T) {
	for _, s := range demo.Scenarios() {
		assert.NotEmpty(t, s.Title)
		assert.True(t, strings.HasSuffix(s.Description, "."), s.Description)
		assert.NotContains(t, s.Description, "\n")
	}
	for _, by := range []string{"option", "model", "command"} {
		t.Run(by, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o, words := demo.Options{}, "go"
				switch by {
				case "option":
					o.Scenario = "empty-end"
				case "command":
					words = "/empty-end"
				}
				r := open(t, o)
				if by == "model" {
					answer := r.call("session/set_config_option", map[string]any{"sessionId": r.id, "configId": "model", "value": "empty-end"})
					got, err := acp.ParseSession(answer)
					require.NoError(t, err)
					assert.Equal(t, "empty-end", option(got, "model").Current)
				}
				stop, err := r.stop(r.prompt(words))
				require.NoError(t, err)
				assert.Equal(t, agent.EndTurn, stop)
				assert.Empty(t, r.kinds())
				_, err = r.stop(r.prompt("/ok"))
				require.NoError(t, err)
				assert.NotEmpty(t, r.kinds(), "a command plays once")
				r.close()
			})
		})
	}
}

func option(s acp.Session, category string) agent.Option {
	for _, o := range s.Choices.Options() {
		if o.Category == category {
			return o
		}
	}
	return agent.Option{}
}

func TestOffersItsScenariosAndModes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := launch(t, demo.Options{Scenario: "tools", Version: "1.2.3"})
		hello, err := acp.ParseInitialized(r.call("initialize", map[string]any{"protocolVersion": 1}))
		require.NoError(t, err)
		assert.Equal(t, 1, hello.Protocol)
		assert.Equal(t, "1.2.3", hello.Version)
		assert.True(t, hello.Can.Load && hello.Can.Resume && hello.Can.Image && hello.Can.Embed)
		assert.Empty(t, hello.Auth)
		s, err := acp.ParseSession(r.call("session/new", map[string]any{"cwd": "/", "mcpServers": []any{}}))
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(string(s.ID), "ses_"))
		model := option(s, "model")
		assert.Equal(t, "tools", model.Current)
		assert.Len(t, model.Choices, len(demo.Scenarios()))
		assert.Equal(t, "build", option(s, "mode").Current)
		r.id = s.ID
		r.call("session/set_mode", map[string]any{"sessionId": s.ID, "modeId": "plan"})
		r.until(func() bool { return strings.Contains(strings.Join(r.raw, ""), `"currentModeId":"plan"`) })
		r.until(func() bool { return strings.Contains(strings.Join(r.raw, ""), `"availableCommands"`) })
		r.close()
	})
}

func TestRefusesWhatIsWrong(t *testing.T) {
	tests := []struct {
		name, method string
		params       map[string]any
		code         string
		says         string
	}{
		{"no such session", "session/prompt", map[string]any{"sessionId": "ses_x", "prompt": []any{}}, "-32002", "not found"},
		{"a session of another agent", "session/load", map[string]any{"sessionId": "ses_x", "cwd": "/"}, "-32002", "not found"},
		{"no such command", "session/prompt", map[string]any{"prompt": []any{map[string]any{"type": "text", "text": "/nonsense"}}}, "-32602", "the commands are ok, tools"},
		{"no such scenario", "session/set_config_option", map[string]any{"configId": "model", "value": "nonsense"}, "-32602", "one of ok, tools"},
		{"no such option", "session/set_config_option", map[string]any{"configId": "nonsense", "value": "x"}, "-32602", "options are"},
		{"no such mode", "session/set_mode", map[string]any{"modeId": "nonsense"}, "-32602", "build or plan"},
		{"no such login", "authenticate", map[string]any{"methodId": "nonsense"}, "-32602", "demo-login"},
		{"parameters of another type", "session/prompt", map[string]any{"prompt": 7}, "-32602", ""},
		{"a method that it has not", "session/fork", nil, "-32601", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := open(t, demo.Options{})
				if _, ok := tt.params["sessionId"]; !ok && tt.params != nil {
					tt.params["sessionId"] = r.id
				}
				_, err := r.try(tt.method, tt.params)
				var e *acp.Error
				require.True(t, errors.As(err, &e), "%v", err)
				assert.Equal(t, tt.code, e.Code)
				assert.Contains(t, e.Message, tt.says)
				r.close()
			})
		})
	}
}

func TestASecondPromptIsRefusedWhileOneRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, demo.Options{Scenario: "never-starts"})
		first := r.prompt("go")
		_, err := r.stop(r.prompt("and more"))
		assertAnswer(t, err, "-32600", "The session is busy with another prompt; cancel it or wait for its answer")
		r.cancel()
		stop, err := r.stop(first)
		require.NoError(t, err)
		assert.Equal(t, agent.StopCancelled, stop)
		r.close()
	})
}

func TestPermissionDoesWhatTheAnswerSays(t *testing.T) {
	tests := []struct {
		name, answer, said, state string
		asksAgain                 bool
	}{
		{"once", "once", "Thank you", "completed", true},
		{"always", "always", "Thank you", "completed", false},
		{"rejected", "reject", "I have not run it", "failed", true},
		{"cancelled", "", "Nothing was run", "failed", true},
		{"an option that was not offered", "sudo", "I have not run it", "failed", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := open(t, demo.Options{Scenario: "permission"})
				var asked agent.Ask
				r.answer = func(_ *rig, q *acp.Request) {
					_, asked, _ = acp.ParseAsk(q.Params)
					choose(q, tt.answer)
				}
				stop, err := r.stop(r.prompt("go"))
				require.NoError(t, err)
				assert.Equal(t, agent.EndTurn, stop)
				assert.Contains(t, r.said(), tt.said)
				assert.Equal(t, []string{tt.state}, lastStates(r))
				assert.Equal(t, "execute", asked.Tool.Kind)
				assert.Equal(t, []agent.AskOption{{ID: "once", Name: "Allow once", Kind: "allow_once"}, {ID: "always", Name: "Always allow", Kind: "allow_always"}, {ID: "reject", Name: "Reject", Kind: "reject_once"}}, asked.Options)
				_, err = r.stop(r.prompt("again"))
				require.NoError(t, err)
				assert.Equal(t, tt.asksAgain, r.asked == 2)
				r.close()
			})
		})
	}
}

func TestTakesUpASessionAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first := open(t, demo.Options{})
		_, err := first.stop(first.prompt("hello there"))
		require.NoError(t, err)
		first.call("session/load", map[string]any{"sessionId": first.id, "cwd": "/", "mcpServers": []any{}})
		assert.Contains(t, first.frames(), "hello there", "its own history")
		first.close()

		second := launch(t, demo.Options{})
		second.call("session/load", map[string]any{"sessionId": first.id, "cwd": "/", "mcpServers": []any{}})
		assert.Contains(t, second.frames(), "user_message_chunk", "a short history")
		second.close()

		third := launch(t, demo.Options{})
		third.call("session/resume", map[string]any{"sessionId": first.id, "cwd": "/", "mcpServers": []any{}})
		assert.NotContains(t, third.frames(), "user_message_chunk", "resume repeats nothing")
		third.id = first.id
		_, err = third.stop(third.prompt("go on"))
		require.NoError(t, err)
		third.call("session/close", map[string]any{"sessionId": first.id})
		_, err = third.stop(third.prompt("more"))
		assertAnswer(t, err, "-32002", "Session not found")
		third.close()
	})
}

func TestLogin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := launch(t, demo.Options{Scenario: "auth"})
		hello, err := acp.ParseInitialized(r.call("initialize", map[string]any{"protocolVersion": 1}))
		require.NoError(t, err)
		require.Len(t, hello.Auth, 1)
		_, err = r.try("session/new", map[string]any{"cwd": "/", "mcpServers": []any{}})
		assertAnswer(t, err, "-32000", "Authentication required")
		var e *acp.Error
		require.True(t, errors.As(err, &e))
		assert.Equal(t, "demo-login", acp.ParseAuthMethods(e.Data)[0].ID)
		r.call("authenticate", map[string]any{"methodId": hello.Auth[0].ID})
		s, err := acp.ParseSession(r.call("session/new", map[string]any{"cwd": "/", "mcpServers": []any{}}))
		require.NoError(t, err)
		r.id = s.ID
		stop, err := r.stop(r.prompt("go"))
		require.NoError(t, err)
		assert.Equal(t, agent.EndTurn, stop)
		r.close()
	})
}

func TestActionURLIsStructured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, demo.Options{})
		_, err := r.stop(r.prompt("/action-url"))
		var e *acp.Error
		require.True(t, errors.As(err, &e))
		var data struct {
			ActionURL string `json:"action_url"`
		}
		require.NoError(t, json.Unmarshal(e.Data, &data))
		assert.Regexp(t, `^https://opencode\.ai/workspace/[A-Za-z0-9_-]{1,128}/go$`, data.ActionURL)
		r.close()
	})
}

func TestCrash(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, demo.Options{})
		_, err := r.stop(r.prompt("/crash"))
		assert.ErrorIs(t, err, acp.ErrClosed, "the prompt is never answered")
		assert.ErrorIs(t, <-r.done, demo.ErrCrashed)
		assert.Equal(t, message, r.kinds(), "in the middle of the turn")
		assert.True(t, strings.HasPrefix(r.stderr.String(), "panic: "))
		require.NoError(t, r.client.Close())
	})
}

func TestFlood(t *testing.T) {
	r := open(t, demo.Options{})
	stop, err := r.stop(r.prompt("/flood"))
	require.NoError(t, err)
	assert.Equal(t, agent.EndTurn, stop)
	n := 0
	for _, u := range r.updates {
		if u.Kind == agent.MessageChunk {
			n++
		}
	}
	assert.Equal(t, demo.FloodUpdates, n)
	r.close()
}

// Each step of the loop says the same under an id of its own.
func TestLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, demo.Options{Scenario: "loop"})
		p := r.prompt("go")
		r.until(func() bool { return len(r.updates) > 50 })
		r.cancel()
		_, err := r.stop(p)
		require.NoError(t, err)
		ids, texts := map[string]bool{}, map[string]bool{}
		steps := 0
		for _, u := range r.updates {
			if u.Kind == agent.MessageChunk {
				steps++
				ids[u.MessageID], texts[u.Text] = true, true
			}
		}
		assert.Len(t, ids, steps)
		assert.Len(t, texts, 1)
		r.close()
	})
}

func TestDiffIsADiff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, demo.Options{})
		_, err := r.stop(r.prompt("/diff"))
		require.NoError(t, err)
		assert.Contains(t, r.frames(), `"type":"diff","path":"calendar/leap.go","oldText":"package calendar`)
		r.close()
	})
}

func TestHostileMarkdownIsSentWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, demo.Options{})
		_, err := r.stop(r.prompt("/hostile-markdown"))
		require.NoError(t, err)
		assert.GreaterOrEqual(t, len(demo.Attacks()), 48, "dozens")
		for _, a := range demo.Attacks() {
			assert.Contains(t, r.said(), a)
		}
		r.close()
	})
}

func TestRunRefusesAScenarioThatIsNone(t *testing.T) {
	err := demo.Run(t.Context(), strings.NewReader(""), nopCloser{io.Discard}, io.Discard, demo.Options{Scenario: "nonsense"})
	assert.ErrorContains(t, err, `there is none named "nonsense"; choose one of ok, tools`)
}

func TestRunEndsWithItsContext(t *testing.T) {
	in, keep := io.Pipe()
	defer keep.Close()
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	cancel(cause)
	err := demo.Run(ctx, in, nopCloser{io.Discard}, io.Discard, demo.Options{})
	assert.ErrorIs(t, err, cause)
}

// Noise on stdin is no reason to end, and EOF in the middle of a line is an end.
func TestSurvivesNoise(t *testing.T) {
	var out bytes.Buffer
	in := "hello\n<html>\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{}}\n[1,2]\n{\"jsonrpc\":\"2.0\",\"method\":\"session/cancel\",\"params\":7}\n{\"half"
	err := demo.Run(t.Context(), strings.NewReader(in), nopCloser{&out}, io.Discard, demo.Options{})
	require.NoError(t, err)
	assert.Contains(t, out.String(), `"id":1`)
	assert.Equal(t, 1, strings.Count(out.String(), "protocolVersion"), fmt.Sprint(out.String()))
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }
