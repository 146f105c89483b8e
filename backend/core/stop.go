package core

import (
	"context"

	"turnwatch/backend/agent"
	"turnwatch/backend/managed"
)

// Stop lets a session go: a turn in hand is interrupted, its agent stopped, and
// the session given back. It returns when nothing of the agent is left or ctx
// ends. One that is not supervised is left as it is. It may be taken up again.
func (c *Core) Stop(ctx context.Context, id agent.SessionID) error { return c.letGo(ctx, id) }

// Dir is the data folder.
func (c *Core) Dir() string { return c.o.Dir }

// Version is what this program calls its version.
func (c *Core) Version() string { return c.o.Version }

// NameOf is the proper name of an agent, the same in every language. For a name
// that the user gave it is that name.
func NameOf(k agent.Kind) string { return managed.NameOf(k) }

// Known reports whether an agent can be launched by its name alone.
func Known(k agent.Kind) bool { return managed.Known(k) }

// LoginOf is the command by which a person logs in to an agent, in a terminal; nil
// where none is known.
func LoginOf(k agent.Kind) []string { return managed.LoginOf(k) }
