package terminal_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"

	"turnwatch/backend/agent"
	"turnwatch/backend/cli/terminal"
	"turnwatch/backend/failure"
)

func card(t *testing.T, f agent.Failure) string {
	t.Helper()
	var out bytes.Buffer
	terminal.NewPrinter(&out, terminal.Look{Unicode: true}, english(t)).Card(&f)
	return out.String()
}

func TestACrashIsToldInPlainWords(t *testing.T) {
	tests := []struct {
		name string
		exit failure.Exit
		says string
	}{
		{"kill", failure.Exit{Signal: "killed"}, "Run it again. It was ended by a signal (killed).\n"},
		{"segmentation fault", failure.Exit{Signal: "segmentation fault"}, "It was ended by a signal (segmentation fault).\n"},
		{"exit status", failure.Exit{Code: 3}, "It exited with 3.\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Contains(t, card(t, failure.OfExit(tt.exit)), tt.says)
		})
	}
}

func TestACardSaysThatNothingIsRetried(t *testing.T) {
	const says = "Nothing is retried until you say so."
	assert.Contains(t, card(t, agent.Failure{Code: failure.QuotaLimited}), says)
	assert.Contains(t, card(t, agent.Failure{Code: failure.AuthRequired}), says)
	assert.NotContains(t, card(t, agent.Failure{Code: failure.ProviderOverloaded}), says)
	assert.NotContains(t, card(t, agent.Failure{Code: failure.AgentCrashed}), says)
}

func TestAHintPointsOnlyAtAMessageThatIsThere(t *testing.T) {
	const says = "This message is the agent's own."
	f := agent.Failure{Code: failure.UnknownProviderError, Hint: failure.HintCheckMessage}
	assert.NotContains(t, card(t, f), says)
	f.Message = "It is broken."
	assert.Contains(t, card(t, f), says)
}
