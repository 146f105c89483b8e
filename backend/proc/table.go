package proc

import (
	"sort"
	"time"
)

// ident is a process for ever: no two processes of one boot share both. Start is
// in the platform's own unit and only ever compared.
type ident struct {
	pid   int
	start uint64
}

// entry is one row of the system's process table.
type entry struct {
	ident
	ppid, pgid, sid int // sid is 0 where the platform does not tell
	dead            bool
	stopped         bool // stands still until it is told to go on; never on Windows, which has no such state
	marked          bool // carries the launch id that was asked for
	name            string
	cpu             time.Duration
	rss             uint64
}

// nudge is what can be done to a process from outside.
type nudge int

const (
	ask    nudge = iota // to end by itself (SIGTERM; nothing on Windows)
	freeze              // to stand still, so that it starts no others (SIGSTOP; nothing on Windows)
	kill                // to end at once (SIGKILL, TerminateProcess)
)

// Node is a process as it may be shown: its short name, never its arguments.
type Node struct {
	PID, PPID int
	Name      string
	CPU       time.Duration // user and system time so far
	RSS       uint64        // resident memory in bytes
	Stopped   bool          // it was told to stand still, or is held by a debugger
}

// nodes turns entries into nodes, parents before their children.
func nodes(found []entry) []Node {
	alive := living(found)
	sort.Slice(alive, func(i, j int) bool {
		if alive[i].start != alive[j].start {
			return alive[i].start < alive[j].start
		}
		return alive[i].pid < alive[j].pid
	})
	out := make([]Node, 0, len(alive))
	for _, e := range alive {
		measure(&e)
		out = append(out, Node{PID: e.pid, PPID: e.ppid, Name: e.name, CPU: e.cpu, RSS: e.rss, Stopped: e.stopped})
	}
	return out
}

// living drops what is dead already and only waits to be collected.
func living(found []entry) []entry {
	var out []entry
	for _, e := range found {
		if !e.dead {
			out = append(out, e)
		}
	}
	return out
}
