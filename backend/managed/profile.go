package managed

import (
	"turnwatch/backend/agent"
	"turnwatch/backend/opencode"
)

// profile is everything that is special about one agent. There is one file for
// each; whatever is not said here is the same for all of them.
type profile struct {
	kind     agent.Kind
	dialect  agent.Kind // whose forms of failure it uses; "" is its own
	name     string     // proper name
	programs []string   // names of the program, best first
	args     []string   // arguments that make it speak ACP
	own      []string   // folders of its own, as patterns below the home folder
	install  string     // the command that installs it
	login    []string   // the command by which a person logs in, in a terminal; nil where none is known
	node     string     // the least version of Node it runs on; "" where it needs none
	silent   bool       // it has no --version: the version is read from its package
	files    bool       // fs/* is offered by default
	notices  bool       // it is asked for notices: its own words then come as such, not as text of the model
	meta     map[string]any
	launch   func(args []string) ([]attempt, error) // nil: args as they are
	read     func() evidence                        // nil: plain
}

// attempt is one way to start an agent. Where the agent refuses an argument the
// next attempt is made.
type attempt struct {
	args   []string
	env    map[string]string
	server *opencode.Server // where the agent's own server will be; nil where nobody knows
}

// speaks is the kind by whose rules the agent's failures are read.
func (p profile) speaks() agent.Kind {
	if p.dialect != "" {
		return p.dialect
	}
	return p.kind
}

// profiles lists the agents that are known by name, in the order they are shown.
func profiles() []profile {
	return []profile{
		openCode(), claude(), codex(), gemini(), copilot(), qwen(), kimi(),
		cursor(), amp(), goose(), demo(),
	}
}

// profileOf returns what is known of a kind. Any other kind is the user's own
// name for a command line, and gets the plain profile.
func profileOf(k agent.Kind) (p profile, known bool) {
	for _, p := range profiles() {
		if p.kind == k {
			return p, true
		}
	}
	return profile{kind: k, name: string(k), files: true}, false
}

// attempts returns the ways to start the agent with these arguments, at least one.
func (p profile) attempts(args []string) ([]attempt, error) {
	if p.launch == nil {
		return []attempt{{args: args}}, nil
	}
	return p.launch(args)
}

// reader returns fresh evidence for one process.
func (p profile) reader() evidence {
	if p.read == nil {
		return &plain{}
	}
	return p.read()
}
