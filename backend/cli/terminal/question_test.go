package terminal_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"turnwatch/backend/agent"
	"turnwatch/backend/cli/terminal"
)

func aQuestion() agent.Ask {
	before := "a\n"
	return agent.Ask{
		ID: "1", Kind: agent.AskPermission,
		Tool: agent.ToolCall{
			Title: "Run a command", Kind: "execute",
			RawInput: []byte(`{"command":["sh","-c","` + strings.Repeat("rm -rf build && ", 5) + `true"],"note":"Run a command"}`),
			Content:  []agent.ToolContent{{Diff: &agent.Diff{Path: "x.go", Old: &before, New: "b\n"}}},
		},
		Options: []agent.AskOption{
			{ID: "once", Name: "Allow once", Kind: "allow_once"},
			{ID: "always", Name: "Always allow", Kind: "allow_always"},
			{ID: "no", Name: "Reject", Kind: "reject_once"},
		},
	}
}

func TestAQuestionShowsEverything(t *testing.T) {
	for _, width := range []int{80, 40} {
		var out bytes.Buffer
		p := terminal.NewPrinter(&out, terminal.Look{Width: width, Unicode: true}, english(t))
		p.Question(aQuestion(), "demo")
		p.Answer(aQuestion(), agent.Decision{Option: "once"})
		p.Answer(aQuestion(), agent.Decision{})
		golden(t, map[int]string{80: "question-wide", 40: "question-narrow"}[width], out.Bytes())
		bare := strings.NewReplacer(" ", "", "\n", "", "│", "").Replace(out.String())
		assert.Contains(t, bare, strings.Repeat("rm-rfbuild&&", 5)+"true", "what is approved is shown uncut")
	}
}

func TestKeysAnswerAQuestion(t *testing.T) {
	chosen := func(id string) agent.Decision { return agent.Decision{Option: id, By: agent.ByUser} }
	tests := []struct {
		name  string
		key   terminal.Key
		want  agent.Decision
		valid bool
	}{
		{"the first option", '1', chosen("once"), true},
		{"the last option", '3', chosen("no"), true},
		{"beyond the options", '4', agent.Decision{}, false},
		{"zero", '0', agent.Decision{}, false},
		{"c cancels", 'c', chosen(""), true},
		{"C cancels", 'C', chosen(""), true},
		{"escape cancels", terminal.KeyEscape, chosen(""), true},
		{"y means nothing", 'y', agent.Decision{}, false},
		{"enter means nothing", '\r', agent.Decision{}, false},
		{"another script", '世', agent.Decision{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, valid := terminal.OptionFor(aQuestion(), tt.key)
			assert.Equal(t, tt.valid, valid)
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestTook(t *testing.T) {
	tests := map[string]time.Duration{
		"0 ms": -time.Second, "999 ms": 999 * time.Millisecond, "1 s": time.Second, "3.2 s": 3290 * time.Millisecond,
		"59.9 s": 59999 * time.Millisecond, "1 min 00 s": time.Minute, "4 min 05 s": 245 * time.Second,
		"1 h 00 min": time.Hour, "26 h 01 min": 26*time.Hour + 61*time.Second,
	}
	for want, d := range tests {
		assert.Equal(t, want, terminal.Took(d))
	}
}

func TestAnswerKeysAreNamed(t *testing.T) {
	for n, says := range map[int]string{
		0:  "  Press c to cancel the request.\n",
		1:  "  Press 1, or c to cancel the request.\n",
		3:  "  Press 1\u20133, or c to cancel the request.\n",
		10: "  Press 1\u20139, a, or c to cancel the request.\n",
		11: "  Press 1\u20139, a\u2013b, or c to cancel the request.\n",
	} {
		var out bytes.Buffer
		terminal.NewPrinter(&out, terminal.Look{Unicode: true}, english(t)).AnswerKeys(agent.Ask{Options: make([]agent.AskOption, n)})
		assert.Equal(t, says, out.String())
	}
}
