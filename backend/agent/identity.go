package agent

import (
	"strings"
	"sync/atomic"
	"time"
)

// TaskID, SessionID and PromptID are Turnwatch's own names. They are unique for
// ever and sort by the time they were made.
type (
	TaskID    string
	SessionID string
	PromptID  string
)

// ProviderSession is the name that the agent gave to a session. It is untrusted
// text and means nothing outside that agent.
type ProviderSession string

// Generation counts the dispatch attempts of a session. It is durable, starts at
// 1 and is raised before every attempt, so no two turns of a session share one.
// Zero means that no prompt was dispatched yet.
type Generation uint64

// Stamp says when a byte was read and which generation was current then. It is
// taken where the byte is read, never where it is handled: that is what keeps a
// late line of one turn from touching the next.
type Stamp struct {
	Generation Generation
	At         time.Time
}

// Counter is the generation that the readers of one process stamp on what they
// read. The owner of the session raises it at each dispatch; readers only load
// it. The zero value is ready to use.
type Counter struct{ v atomic.Uint64 }

// Raise sets the current generation. A lower value than the present one is
// ignored, so a late caller cannot turn time back.
func (c *Counter) Raise(g Generation) {
	for {
		old := c.v.Load()
		if uint64(g) <= old || c.v.CompareAndSwap(old, uint64(g)) {
			return
		}
	}
}

// Current returns the generation in force.
func (c *Counter) Current() Generation { return Generation(c.v.Load()) }

// Kind is the short name of an agent program. Rules, adapters and stored rows
// are keyed by it; anything that is not listed is the user's own name.
type Kind string

// The agents that Turnwatch knows by name.
const (
	OpenCode Kind = "opencode"
	Claude   Kind = "claude"
	Codex    Kind = "codex"
	Gemini   Kind = "gemini"
	Copilot  Kind = "copilot"
	Qwen     Kind = "qwen"
	Kimi     Kind = "kimi"
	Cursor   Kind = "cursor"
	Amp      Kind = "amp"
	Goose    Kind = "goose"
	Demo     Kind = "demo"
)

// ParseKind turns what a user typed into a Kind. It is lower-cased and trimmed;
// an empty text, one over 64 bytes or one with blanks or control characters is
// refused.
func ParseKind(s string) (Kind, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	if s == "" || len(s) > 64 {
		return "", false
	}
	for _, r := range s {
		if r <= ' ' || r == 0x7f {
			return "", false
		}
	}
	return Kind(s), true
}
