package autoresume

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"time"
)

// call is one of the last calls of a session.
type call struct {
	id, name string
	args     [32]byte // of their canonical form
	out      string
	at       time.Duration
}

func (e *Engine) toolStarted(s *session, ev ToolStarted) {
	if s.turn.tools == nil {
		s.turn.tools = map[string]flight{}
	}
	if len(s.turn.tools) < mostInFlight {
		s.turn.tools[ev.ID] = flight{name: ev.Name, spawns: ev.Spawns}
	}
	if ev.Spawns != "" && ev.Spawns != s.id {
		e.adopt(e.session(ev.Spawns), s)
	}
	if completing(ev.Name) {
		return
	}
	s.turn.toolRan = true
	s.spent.accepts = 0
	if s.rules.Loop.On {
		s.calls = append(s.calls, call{id: ev.ID, name: ev.Name, args: canonical(ev.Args), at: e.now})
		if over := len(s.calls) - s.rules.Loop.Last; over > 0 {
			s.calls = append(s.calls[:0], s.calls[over:]...)
		}
	}
}

// toolEnded takes the end of a call: a success says that calls are made for real
// again, and a loop is broken once nothing is in flight.
func (e *Engine) toolEnded(s *session, ev ToolEnded) {
	f := s.turn.tools[ev.ID]
	delete(s.turn.tools, ev.ID)
	if ev.OK {
		s.spent.leaks = 0
	}
	if ev.Err == "unknown_tool" {
		s.unknownTool(ev.Name, f.name)
	}
	for i := range s.calls {
		if s.calls[i].id == ev.ID {
			s.calls[i].out = ev.Out
		}
	}
	if p := s.pending; p != nil && p.ripe {
		e.pendingDue(s)
	}
	if s.turn.open && s.looping() && !s.occupied() && !e.held(s) {
		e.trip(s)
	}
}

func (s *session) unknownTool(names ...string) {
	for _, name := range names {
		if name == "" {
			continue
		}
		if s.turn.unknown == nil {
			s.turn.unknown = map[string]int{}
		}
		if len(s.turn.unknown) < mostInFlight {
			s.turn.unknown[name]++
		}
		if s.turn.unknown[name] == 2 {
			s.turn.unknowns = name
		}
		return
	}
}

// looping is rule 8: whether the last calls end in a group of one to five that
// stands there three times.
func (s *session) looping() bool {
	o := s.rules.Loop
	if !o.On || s.parent != nil || len(s.calls) < o.Calls {
		return false
	}
	last := s.calls[len(s.calls)-1].at
	recent := s.calls
	for len(recent) > 0 && last-recent[0].at > o.Within {
		recent = recent[1:]
	}
	if len(recent) < o.Calls {
		return false
	}
	for period := 1; period <= 5 && 3*period <= len(recent); period++ {
		if repeats(recent[len(recent)-3*period:], period, o.ByName) {
			return true
		}
	}
	return false
}

func repeats(tail []call, period int, byName bool) bool {
	for i := period; i < len(tail); i++ {
		if !tail[i].same(tail[i-period], byName) {
			return false
		}
	}
	return true
}

// same reports whether two calls are one and the same: equal name and arguments,
// and outputs that are not known to differ.
func (c call) same(d call, byName bool) bool {
	if c.name != d.name {
		return false
	}
	return byName || c.args == d.args && (c.out == "" || d.out == "" || c.out == d.out)
}

// trip breaks a loop, or gives up on the one after the last that may be broken.
func (e *Engine) trip(s *session) {
	why := Evidence{Rule: ruleLoop, Figure: int64(len(s.calls))}
	if s.spent.trips >= s.rules.Loop.Trips && s.rules.Preset != NotifyOnly {
		e.giveUp(s, GaveUpToolLoop, why)
		return
	}
	p := proposal{kind: ToolLoop, count: &s.spent.trips, why: why}
	if s.turn.open {
		if len(s.turn.tools)+len(s.turn.commands) > 0 {
			return
		}
		p.reason = CancelToolLoop
	} else {
		p.need = true
	}
	e.propose(s, p)
	if s.pending == nil || p.reason == "" { // else it is looked at once more when it is due
		s.calls = nil
	}
}

// loopDue looks at a loop that was announced: whether the agent has left it by
// itself, and whether a call is in flight, whose end is waited for.
func (e *Engine) loopDue(s *session) bool {
	switch {
	case !s.looping():
		e.withdraw(s)
	case !s.mayCancel(CancelToolLoop):
		s.pending.ripe = true
	default:
		return true
	}
	return false
}

// canonical is a hash of arguments that does not depend on the order of keys or on
// blanks. What is no JSON, or too long to be worth it, is hashed as it is.
func canonical(args []byte) [32]byte {
	args = bytes.TrimSpace(args)
	if s := string(args); s == "" || s == "null" || s == "{}" {
		return [32]byte{}
	}
	if len(args) <= 64<<10 {
		var v any
		d := json.NewDecoder(bytes.NewReader(args))
		d.UseNumber()
		if d.Decode(&v) == nil {
			if sorted, err := json.Marshal(v); err == nil {
				args = sorted
			}
		}
	}
	return sha256.Sum256(args)
}
