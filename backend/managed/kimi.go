package managed

import (
	"strings"

	"turnwatch/backend/agent"
)

func kimi() profile {
	return profile{
		kind: agent.Kimi, name: "Kimi", login: []string{"kimi", "login"},
		programs: []string{"kimi"}, args: []string{"acp"},
		install: "npm install -g @moonshot-ai/kimi-code",
		node:    "22.19", files: true,
		read: func() evidence { return &kimiEvidence{} },
	}
}

// kimiEvidence reads the Kimi CLI. It ends turns that its provider refused with
// success and without a word, which proves nothing; all that it says by itself is
// how it makes room in its context.
type kimiEvidence struct{ plain }

func (e *kimiEvidence) update(_ agent.Stamp, u *agent.Update, _ []byte) []agent.Event {
	u.NotOutput = ownText(u, func(s string) bool {
		return s == "Compacting conversation context…" || s == "Compaction cancelled." ||
			strings.HasPrefix(s, "Compaction is blocked by the current turn")
	})
	return nil
}
