package core

import (
	"context"
	"strings"
	"sync"
	"time"
	"unicode"

	"turnwatch/backend/agent"
	"turnwatch/backend/proc"
)

// Bounds of a look at an agent's processes.
const (
	lookEvery   = time.Second
	mostShown   = 64   // processes
	longestName = 48   // runes of a process's name
	busyShare   = 0.05 // of a core: what a process at work uses at least; idle agents use half of it
)

// Processes is the agent's process tree as it was at a moment.
type Processes struct {
	At     time.Time // zero where there is none: the agent is not running, or is elsewhere
	List   []Process // parents before their children; at most 64
	More   int       // processes that the list leaves out
	Known  bool      // there was an earlier look, so CPU and Busy are known
	Busy   bool      // at least one of them is at work
	Halted bool      // none is at work, and at least one was told to stand still (SIGSTOP)
	Memory uint64    // of all, in bytes
}

// Process is one process by its short name; arguments are never shown.
type Process struct {
	PID    int
	Parent int
	Name   string
	CPU    float64 // share of a core since the look before, 1 for a whole one; 0 where not known
	Memory uint64  // resident, in bytes
	Halted bool    // it was told to stand still
}

// rooted is a connection whose agent is a process of ours.
type rooted interface{ Tree() []proc.Node }

// tap is a connector that keeps the connection it opened last, so that its
// processes can be looked at. Connections that have ended show none.
type tap struct {
	agent.Connector

	mu   sync.Mutex // held while the process table is read; Open takes it only to swap
	root rooted
	seen map[int]time.Duration // CPU time by pid at the last look
	last Processes
}

// Open opens and remembers.
func (t *tap) Open(ctx context.Context, req agent.OpenRequest, sink agent.Sink) (agent.Conn, error) {
	conn, err := t.Connector.Open(ctx, req, sink)
	if err == nil {
		root, _ := conn.(rooted)
		t.mu.Lock()
		t.root, t.seen, t.last = root, nil, Processes{}
		t.mu.Unlock()
	}
	return conn, err
}

// look reads the processes, or gives what was read within the last second.
func (t *tap) look(now time.Time) Processes {
	t.mu.Lock()
	defer t.mu.Unlock()
	past := now.Sub(t.last.At)
	if !t.last.At.IsZero() && past >= 0 && past < lookEvery {
		return t.last
	}
	if t.root == nil {
		return Processes{}
	}
	nodes := t.root.Tree()
	if len(nodes) == 0 {
		t.seen, t.last = nil, Processes{}
		return t.last
	}
	t.last = t.measure(nodes, now, past)
	return t.last
}

// measure makes shares of CPU times. The lock is held.
func (t *tap) measure(nodes []proc.Node, now time.Time, past time.Duration) Processes {
	out := Processes{At: now, Known: t.seen != nil && past > 0}
	seen := make(map[int]time.Duration, len(nodes))
	for _, n := range nodes {
		p := Process{PID: n.PID, Parent: n.PPID, Name: shortName(n.Name), Memory: n.RSS, Halted: n.Stopped}
		// A pid that is new, or was given anew, has no share yet.
		if before, ok := t.seen[n.PID]; ok && out.Known && n.CPU >= before {
			p.CPU = float64(n.CPU-before) / float64(past)
		}
		seen[n.PID] = n.CPU
		out.Busy = out.Busy || p.CPU >= busyShare
		out.Halted = out.Halted || n.Stopped
		out.Memory += n.RSS
		if len(out.List) < mostShown {
			out.List = append(out.List, p)
		} else {
			out.More++
		}
	}
	out.Halted = out.Halted && !out.Busy
	t.seen = seen
	return out
}

// shortName makes a process's name fit to be shown: a process may call itself
// anything.
func shortName(s string) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	if r := []rune(s); len(r) > longestName {
		s = string(r[:longestName])
	}
	return s
}
