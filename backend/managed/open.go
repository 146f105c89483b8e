package managed

import (
	"context"
	"errors"

	"turnwatch/backend/agent"
)

// Connector launches one agent; each Open starts a process of its own. It is an
// agent.Connector.
type Connector struct {
	target  Target
	options Options
}

// New returns a connector for a target. Nothing is started or looked for yet.
func New(t Target, o Options) *Connector { return &Connector{target: t, options: o} }

var _ agent.Connector = (*Connector)(nil)

// Open starts the agent in req.Dir and makes one session ready. What a person can
// act on comes as a *agent.Failure; on any error nothing of the agent is left.
// The process outlives ctx, which bounds the opening alone.
func (c *Connector) Open(ctx context.Context, req agent.OpenRequest, sink agent.Sink) (agent.Conn, error) {
	return nil, errors.New("open agent: not built yet")
}
