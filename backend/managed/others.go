package managed

import (
	"strings"

	"turnwatch/backend/agent"
)

func qwen() profile {
	return profile{
		kind: agent.Qwen, name: "Qwen",
		programs: []string{"qwen"}, args: []string{"--acp"},
		install: "npm install -g @qwen-code/qwen-code",
		node:    "20", files: true,
		read: func() evidence { return &bracketEvidence{} },
	}
}

// The launch lines of the next three are from general knowledge, never run here.

func cursor() profile {
	return profile{
		kind: agent.Cursor, name: "Cursor",
		programs: []string{"cursor-agent"}, args: []string{"acp"},
		own:     []string{".cursor/bin"},
		install: "curl https://cursor.com/install -fsS | bash",
		files:   true,
	}
}

func amp() profile {
	return profile{
		kind: agent.Amp, name: "Amp",
		programs: []string{"amp-acp"},
		install:  "npm install -g amp-acp",
		silent:   true, files: true,
	}
}

func goose() profile {
	return profile{
		kind: agent.Goose, name: "Goose",
		programs: []string{"goose"}, args: []string{"acp"},
		install: "brew install block-goose-cli",
		files:   true,
	}
}

// demo is Turnwatch itself: its program is Options.Self.
func demo() profile {
	return profile{
		kind: agent.Demo, dialect: agent.OpenCode, name: "Demo", args: []string{"demo-agent"}, files: true,
		launch: launchDemo,
		read:   func() evidence { return &openCodeEvidence{} },
	}
}

// bracketEvidence reads what was made from the Gemini CLI, and is a part of that:
// their own error text stands in brackets.
type bracketEvidence struct{ plain }

func (e *bracketEvidence) update(_ agent.Stamp, u *agent.Update, _ []byte) []agent.Event {
	u.NotOutput = ownText(u, func(s string) bool { return strings.HasPrefix(s, "[API Error: ") })
	return nil
}
