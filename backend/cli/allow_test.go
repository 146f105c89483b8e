package cli

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
	"turnwatch/backend/locale"
	"turnwatch/locales"
)

func anApp(t *testing.T) *app {
	t.Helper()
	w, err := locale.Open(locales.Files)
	require.NoError(t, err)
	return &app{words: w}
}

func ask(kind string, options ...agent.AskOption) agent.Ask {
	return agent.Ask{ID: "a", Kind: agent.AskPermission, Tool: agent.ToolCall{Kind: kind}, Options: options}
}

var (
	once   = agent.AskOption{ID: "o", Name: "Allow", Kind: "allow_once"}
	always = agent.AskOption{ID: "w", Name: "Always", Kind: "allow_always"}
	reject = agent.AskOption{ID: "r", Name: "Reject", Kind: "reject_once"}
)

// The whole matrix: every kind of tool against every group.
func TestWhatEachGroupAllows(t *testing.T) {
	matrix := map[string]string{ // kind of tool: the one group that allows it
		"read": "reads", "search": "reads",
		"edit": "edits", "move": "edits", "delete": "edits",
		"execute": "commands",
		"fetch":   "", "think": "", "switch_mode": "", "other": "", "": "", "Read": "", "made_up": "",
	}
	for kind, group := range matrix {
		for _, given := range []string{"reads", "edits", "commands"} {
			d, ok := allowed{given: true}.decide(ask(kind, always, once, reject))
			assert.Equal(t, given == group, ok, "--allow %s, kind %q", given, kind)
			if ok {
				assert.Equal(t, agent.Decision{Option: "o", By: agent.ByFlag}, d)
			}
		}
		_, ok := allowed{}.decide(ask(kind, once))
		assert.False(t, ok, "nothing allowed, kind %q", kind)
		_, ok = allowed{"reads": true, "edits": true, "commands": true}.decide(ask(kind, once))
		assert.Equal(t, group != "", ok, "all allowed, kind %q", kind)
	}
}

func TestAllowOnlyEverAllowsOnce(t *testing.T) {
	all := allowed{"reads": true, "edits": true, "commands": true}
	_, ok := all.decide(ask("read", always, reject))
	assert.False(t, ok, "the agent offers no answer that holds once")
	question := ask("read", once)
	question.Kind = agent.AskQuestion
	_, ok = all.decide(question)
	assert.False(t, ok, "a question is no permission")
}

func TestParseAllow(t *testing.T) {
	a := anApp(t)
	got, err := a.parseAllow([]string{" Reads", "commands", ""})
	require.NoError(t, err)
	assert.Equal(t, allowed{"reads": true, "commands": true}, got)
	_, err = a.parseAllow([]string{"reads", "everything"})
	var s *statusError
	require.ErrorAs(t, err, &s)
	assert.Equal(t, StatusUsage, s.status)
	assert.Contains(t, err.Error(), "everything")
}

func TestExitStatus(t *testing.T) {
	quota := &agent.Failure{Code: failure.QuotaLimited}
	tests := []struct {
		name    string
		outcome agent.Outcome
		failure *agent.Failure
		denied  bool
		want    int
	}{
		{"completed", agent.Completed, nil, false, 0},
		{"completed without a permission", agent.Completed, nil, true, 15},
		{"ended empty", agent.EndedEmpty, nil, false, 14},
		{"ended empty without a permission", agent.EndedEmpty, nil, true, 15},
		{"cancelled", agent.Cancelled, nil, false, 10},
		{"cancelled outranks a permission", agent.Cancelled, nil, true, 10},
		{"failed", agent.Failed, &agent.Failure{Code: failure.AgentCrashed}, false, 11},
		{"failed without a reason", agent.Failed, nil, false, 11},
		{"failed outranks a permission", agent.Failed, nil, true, 11},
		{"quota", agent.Failed, quota, false, 12},
		{"quota outranks a permission", agent.Failed, quota, true, 12},
		{"never started", agent.NeverStarted, nil, false, 13},
		{"interrupted", agent.Interrupted, nil, false, 1},
		{"no outcome", "", nil, false, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, statusOf(tt.outcome, tt.failure, tt.denied))
		})
	}
}

func TestNearNames(t *testing.T) {
	for typed, want := range map[string]string{
		"opencod": "opencode", "cluade": "claude", "codx": "codex", "gemni": "gemini", "demo2": "demo",
		"vim": "", "chatgpt": "", "": "",
	} {
		assert.Equal(t, want, near(typed), typed)
	}
}

func TestQuotedCommandLines(t *testing.T) {
	assert.Equal(t, `a 'b c' 'it'\''s' '' --x=1`, quoted([]string{"a", "b c", "it's", "", "--x=1"}))
}
