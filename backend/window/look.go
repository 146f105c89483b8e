package window

import (
	"context"
	"strings"
	"sync"

	"turnwatch/backend/agent"
	"turnwatch/backend/core"
	"turnwatch/backend/managed"
)

// look holds the agents of this machine, as they were last found.
type look struct {
	first chan struct{} // closed when there is something to show

	mu     sync.Mutex // one look at a time
	agents []Agent
}

func newLook() *look { return &look{first: make(chan struct{})} }

// fill looks for the agents; it may take some seconds.
func (l *look) fill(ctx context.Context, c *core.Core) []Agent {
	l.mu.Lock()
	defer l.mu.Unlock()
	found := c.Agents(ctx)
	l.agents = make([]Agent, 0, len(found))
	for _, f := range found {
		l.agents = append(l.agents, agentOf(f))
	}
	select {
	case <-l.first:
	default:
		close(l.first)
	}
	return l.agents
}

// now gives what was found, and false while the first look is not over.
func (l *look) now() ([]Agent, bool) {
	select {
	case <-l.first:
	default:
		return nil, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.agents, true
}

func agentOf(f managed.Found) Agent {
	return Agent{
		Kind: string(f.Kind), Name: f.Name, Version: f.Version, Line: strings.Join(f.Launch, " "), Ready: f.Ready(),
		Hint: Phrase{Key: f.Hint, Args: f.Args}, BuiltIn: f.Kind == agent.Demo,
	}
}
