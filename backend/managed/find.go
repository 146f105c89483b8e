package managed

import (
	"context"

	"turnwatch/backend/agent"
)

// Found is what is known of one agent on this machine.
type Found struct {
	Kind    agent.Kind
	Name    string   // its proper name, the same in every language
	Program string   // absolute path; "" where it was not found
	Version string   // as it says itself; "" where it does not
	Launch  []string // the exact command line; PORT stands for a free port of the moment
	Env     []string // names of the variables that are set for it, never their values
	Hint    string   // what to do about what is missing, "" where nothing is
	Args    map[string]string
}

// Ready reports whether the agent can be launched.
func (f Found) Ready() bool { return f.Program != "" && f.Hint == "" }

// Find looks for every agent that Turnwatch knows, on the PATH of the
// environment and in the usual places, and asks each one found for its version,
// side by side and for at most 5 seconds. The order is fixed. It blocks; when ctx
// ends, versions that are not known yet stay "".
func Find(ctx context.Context, o Options) []Found { return nil }
