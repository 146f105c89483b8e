package autoresume

import "time"

// episode is one silence of a child.
type episode struct {
	nudged  bool
	at      time.Duration
	over    bool // the parent was cancelled for it
	crashed bool // its last turn failed
	revived bool // it was spoken to after a crash, since the user spoke
}

// reset ends an episode: the child stirs.
func (c *episode) reset() { c.nudged, c.over = false, false }

// orphanWatch watches a parent whose last child at work is over.
type orphanWatch struct {
	on    bool
	since time.Duration
	child *session
}

// childEnded begins the watch over a parent: it should stir now, or when its last
// child at work is over, too.
func (e *Engine) childEnded(c *session, crashed bool) {
	c.child.crashed = crashed
	p := c.parent
	if p.turn.open {
		p.orphan = orphanWatch{on: true, since: e.now, child: c}
	}
}

// orphaned is the first half of rule 9: a parent that does not go on after its
// child is brought back, a crashed child is spoken to first.
func (e *Engine) orphaned(s *session) bool {
	w, o := &s.orphan, s.rules.Child
	if !w.on || !o.Orphans || !s.turn.open || s.busyBelow() || e.held(s) || s.occupied() ||
		e.now-w.since < o.Wait+s.rules.Stall.Grace || e.userActive(s) || e.spacing(s) || !s.onlyDelegates(true) {
		return false
	}
	why := Evidence{Rule: ruleChild, Silent: e.now - w.since}
	c := w.child
	if c.child.crashed && !c.child.revived && s.caps.PromptChild && !e.held(c) && !c.occupied() {
		c.child.revived = true
		w.on = false
		e.propose(c, proposal{kind: Subagent, why: why})
		return true
	}
	w.on = false
	return e.bringBack(s, CancelOrphanParent, why)
}

// bringBack cancels a parent and speaks to it.
func (e *Engine) bringBack(p *session, r Reason, why Evidence) bool {
	if p.parent != nil && !p.caps.PromptChild {
		return false
	}
	if p.spent.orphan >= p.rules.Caps.Retries && p.rules.Preset == Full {
		e.giveUp(p, GaveUpOrphan, why)
		return true
	}
	e.propose(p, proposal{kind: Continue, reason: r, count: &p.spent.orphan, why: why})
	return true
}

// stuck is the second half: a child at work that fell silent is spoken to once,
// and then its parent is brought back, but never over a call of the child.
func (e *Engine) stuck(c *session) bool {
	o := c.rules.Child
	if c.parent == nil || !c.turn.open || !o.Orphans || e.held(c) || c.occupied() || c.busyBelow() || c.child.over || e.userActive(c.root()) {
		return false
	}
	running := len(c.turn.tools)+len(c.turn.commands) > 0
	silent := e.now - max(c.seen.active, c.holds.retryUntil)
	why := Evidence{Rule: ruleChild, Silent: silent}
	if !c.child.nudged {
		bound := o.Stuck
		if running {
			bound = o.StuckTool
		}
		if silent <= bound {
			return false
		}
		c.child.nudged, c.child.at = true, e.now
		if c.caps.PromptChild && c.caps.PromptWhileBusy {
			e.propose(c, proposal{kind: Subagent, why: why})
		}
		return true
	}
	p := c.parent
	if running || e.now-c.child.at < o.Wait || !p.turn.open || e.held(p) || p.occupied() || !p.mayCancel(CancelStuckChild) {
		return false
	}
	c.child.over = true
	return e.bringBack(p, CancelStuckChild, why)
}

// onlyDelegates reports whether no call is in flight, but, where spared is set,
// those that wait for a child.
func (s *session) onlyDelegates(spared bool) bool {
	for _, f := range s.turn.tools {
		if !spared || f.spawns == "" {
			return false
		}
	}
	return true
}
