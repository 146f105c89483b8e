package managed

import "turnwatch/backend/proc"

// Tree lists the agent's process and its living descendants, parents first, by
// short name only. It reads the system's process table (milliseconds). Nil once
// the agent is gone.
func (c *conn) Tree() []proc.Node { return c.process.Tree() }
