package view_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
	"turnwatch/backend/view"
)

func TestWhatACardOffers(t *testing.T) {
	const link = "https://opencode.ai/workspace/wrk_1/go"
	fail := func(code agent.Code) *agent.Failure { return &agent.Failure{Code: code, Link: link} }
	tests := []struct {
		name string
		ill  view.Ill
		want []view.Action
	}{
		{"generic, can resume", view.Ill{Outcome: agent.Failed, Failure: fail(failure.UnknownProviderError), Resumes: true},
			[]view.Action{view.Resume, view.StartFresh, view.SendAgain, view.Dismiss}},
		{"generic, cannot resume", view.Ill{Outcome: agent.Failed, Failure: fail(failure.AgentCrashed)},
			[]view.Action{view.StartFresh, view.SendAgain, view.Dismiss}},
		{"a limit with a checked link", view.Ill{Outcome: agent.Failed, Failure: fail(failure.QuotaLimited), Resumes: true, Link: true},
			[]view.Action{view.OpenLink, view.Resume, view.StartFresh, view.SendAgain, view.Dismiss}},
		{"a limit whose link was not checked", view.Ill{Outcome: agent.Failed, Failure: fail(failure.QuotaLimited), Resumes: true},
			[]view.Action{view.Resume, view.StartFresh, view.SendAgain, view.Dismiss}},
		{"a limit of an agent with several models", view.Ill{Outcome: agent.Failed, Failure: fail(failure.QuotaLimited), Resumes: true, Models: true},
			[]view.Action{view.Resume, view.StartFresh, view.SendAgain, view.SwitchModel, view.Dismiss}},
		{"another model does not help against a crash", view.Ill{Outcome: agent.Failed, Failure: fail(failure.AgentCrashed), Models: true},
			[]view.Action{view.StartFresh, view.SendAgain, view.Dismiss}},
		{"a login is missing", view.Ill{Outcome: agent.Failed, Failure: fail(failure.AuthRequired), Resumes: true},
			[]view.Action{view.SendAgain, view.StartFresh, view.Dismiss}},
		{"a login is missing, and its command is known", view.Ill{Outcome: agent.Failed, Failure: fail(failure.AuthRequired), Login: "agent login"},
			[]view.Action{view.LogIn, view.SendAgain, view.StartFresh, view.Dismiss}},
		{"a login does not help against a crash", view.Ill{Outcome: agent.Failed, Failure: fail(failure.AgentCrashed), Login: "agent login"},
			[]view.Action{view.StartFresh, view.SendAgain, view.Dismiss}},
		{"too long for the model", view.Ill{Outcome: agent.Failed, Failure: fail(failure.ContextOverflow), Resumes: true},
			[]view.Action{view.StartFresh, view.Resume, view.Dismiss}},
		{"the session is lost", view.Ill{Outcome: agent.Failed, Failure: fail(failure.SessionLost)},
			[]view.Action{view.StartFresh, view.Dismiss}},
		{"could not be started, no turn", view.Ill{Failure: fail(failure.AgentStartFailed)},
			[]view.Action{view.StartFresh, view.Dismiss}},
		{"never started", view.Ill{Outcome: agent.NeverStarted, Resumes: true},
			[]view.Action{view.Resume, view.StartFresh, view.SendAgain, view.Dismiss}},
		{"interrupted", view.Ill{Outcome: agent.Interrupted, Resumes: true},
			[]view.Action{view.Resume, view.StartFresh, view.SendAgain, view.Dismiss}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { assert.Equal(t, tt.want, view.CardOf(tt.ill).Actions) })
	}
}

func TestACardSaysWhatIsKnownAndWhoSaidIt(t *testing.T) {
	at := time.UnixMilli(1_700_000_000_000)
	reset := at.Add(2 * time.Hour)
	c := view.CardOf(view.Ill{
		At: at, Outcome: agent.Failed, Agent: "OpenCode", Link: true, Resumes: true,
		Failure: &agent.Failure{
			Code: failure.QuotaLimited, Rule: "oc.limit", Source: "opencode_stderr", Message: "limit reached",
			Provider: "zen", Model: "big", OccurredAt: at, ResetAt: reset,
			Link: "https://opencode.ai/workspace/wrk_1/go",
		},
	})
	assert.Equal(t, view.Phrase{Key: "failure.quota_limited", Args: map[string]string{"agent": "OpenCode", "model": "big"}}, c.Heading)
	assert.Equal(t, view.Phrase{Key: "card.quota_until", Args: map[string]string{"agent": "OpenCode", "reset": "1700007200000"}}, c.Guidance)
	assert.Equal(t, view.Phrase{Key: "card.quota_back", Args: map[string]string{"agent": "OpenCode", "reset": "1700007200000"}}, c.Later)
	assert.Equal(t, "card.no_retry", c.Note.Key)
	assert.Equal(t, view.Phrase{Key: "card.why_stderr", Args: map[string]string{"agent": "OpenCode", "rule": "oc.limit", "time": "1700000000000"}}, c.Why)
	assert.Equal(t, "opencode.ai", c.LinkHost)
	assert.Equal(t, view.ToneNeed, c.Tone)
	var texts []string
	for _, d := range c.Details {
		texts = append(texts, d.Label.Key+" "+d.Text)
	}
	assert.Equal(t, []string{
		"card.detail_message limit reached", "card.detail_provider zen", "card.detail_model big",
		"card.detail_time 1700000000000", "card.detail_rule oc.limit", "card.detail_code quota_limited",
	}, texts)
	assert.Empty(t, view.CardOf(view.Ill{Failure: &agent.Failure{Code: failure.QuotaLimited, Link: "https://x"}}).LinkHost)
}

// The agent's own next try is no reset, and the card does not call it one.
func TestANextTryStandsInForAReset(t *testing.T) {
	at := time.UnixMilli(1_700_000_000_000)
	f := &agent.Failure{Code: failure.QuotaLimited, OccurredAt: at, ResetAt: at.Add(time.Hour), Args: map[string]string{"reset_is": "next_try"}}
	c := view.CardOf(view.Ill{At: at, Outcome: agent.Failed, Agent: "OpenCode", Failure: f})
	assert.Equal(t, view.Phrase{Key: "card.quota_next_try", Args: map[string]string{"agent": "OpenCode", "reset": "1700003600000"}}, c.Guidance)
	assert.Equal(t, "card.quota_tried", c.Later.Key)
}

// Every card says on which evidence it stands, and in which channel it was read.
func TestEveryCardSaysWhy(t *testing.T) {
	at := time.UnixMilli(1_700_000_000_000)
	for _, tc := range []struct {
		name string
		ill  view.Ill
		want string
	}{
		{"stderr", view.Ill{Failure: &agent.Failure{Source: "opencode_stderr", Rule: "r"}}, "card.why_stderr"},
		{"the server's events", view.Ill{Failure: &agent.Failure{Source: "opencode_events", Rule: "r"}}, "card.why_events"},
		{"an error answer", view.Ill{Failure: &agent.Failure{Source: failure.SourceACP, Rule: "rpc.auth"}}, "card.why_answer"},
		{"broken pipes", view.Ill{Failure: &agent.Failure{Source: failure.SourceACP, Rule: "transport.lost"}}, "card.why_transport"},
		{"an exit", view.Ill{Failure: &agent.Failure{Source: failure.SourceExit}}, "card.why_exit"},
		{"a start", view.Ill{Failure: &agent.Failure{Source: failure.SourceOpen, Rule: "open.path"}}, "card.why_open"},
		{"a signal of the agent", view.Ill{Failure: &agent.Failure{Source: failure.SourceSignal}}, "card.why_agent"},
		{"nothing for five minutes", view.Ill{Outcome: agent.NeverStarted}, "card.why_never_started"},
		{"found open", view.Ill{Outcome: agent.Interrupted}, "card.why_interrupted"},
		{"failed without a reason", view.Ill{Outcome: agent.Failed}, "card.why_failed"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.ill.At, tc.ill.Agent = at, "OpenCode"
			got := view.CardOf(tc.ill).Why
			assert.Equal(t, tc.want, got.Key)
			assert.Equal(t, "OpenCode", got.Args["agent"])
			assert.Equal(t, "1700000000000", got.Args["time"])
		})
	}
}

func TestEveryCodeAndOutcomeHasACard(t *testing.T) {
	for _, code := range failure.Codes() {
		c := view.CardOf(view.Ill{Outcome: agent.Failed, Failure: &agent.Failure{Code: code, Source: "acp_error"}})
		assert.Equal(t, "failure."+string(code), c.Heading.Key)
		assert.NotEmpty(t, c.Guidance.Key, code)
		assert.Equal(t, view.Dismiss, c.Actions[len(c.Actions)-1], code)
	}
	for _, o := range []agent.Outcome{agent.NeverStarted, agent.Interrupted, agent.Failed} {
		c := view.CardOf(view.Ill{Outcome: o})
		assert.Equal(t, "card."+string(o), c.Heading.Key)
		assert.Equal(t, "card."+string(o)+"_guidance", c.Guidance.Key)
	}
}

func TestAToolIsNamedWithoutWhatItWasGiven(t *testing.T) {
	tests := []struct {
		name string
		tool agent.ToolCall
		want string
	}{
		{"a plain title", agent.ToolCall{Title: "Run tests", RawInput: []byte(`{"command":"go test"}`)}, "Run tests"},
		{"the command in the title", agent.ToolCall{Title: "sleep 300", Name: "bash", RawInput: []byte(`{"command":"sleep 300"}`)}, "bash"},
		{"a segment of a path", agent.ToolCall{Title: "Read main.go", Name: "read", RawInput: []byte(`{"path":"/src/main.go"}`)}, "read"},
		{"a nested value", agent.ToolCall{Title: "curl secret-token", Name: "bash", RawInput: []byte(`{"a":[{"b":"secret-token"}]}`)}, "bash"},
		{"a value of two letters does not count", agent.ToolCall{Title: "go vet", RawInput: []byte(`{"x":"go"}`)}, "go vet"},
		{"both hold it", agent.ToolCall{Title: "rm -rf build", Name: "rm -rf build", RawInput: []byte(`{"cmd":"rm -rf build"}`)}, ""},
		{"no input", agent.ToolCall{Title: "Think"}, "Think"},
		{"no name at all", agent.ToolCall{Kind: "execute"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { assert.Equal(t, tt.want, view.ToolName(tt.tool)) })
	}
}
