package view

import (
	"slices"
	"time"

	"turnwatch/backend/agent"
)

// Bounds of a pulse.
const (
	pulseBuckets = 180         // at most; beyond, two become one
	pulseStep    = time.Second // of a bucket at first
	pulseTools   = 64          // open tool calls that are remembered
)

// Pulse is how busy the agent was in the turn in hand of one session: what was
// heard of it over time, folded from its facts in order. It holds a few hundred
// bytes however long the turn is. Places on the strip are awake time, so a lid
// closed for an hour is no gap. The zero value is ready; it belongs to one
// goroutine.
type Pulse struct {
	Generation agent.Generation // 0 while no turn was started
	Sent       time.Time        // when the prompt went to the agent; see Apply
	First      time.Time        // of the first genuine event
	Last       time.Time        // of the latest one
	Settled    time.Time

	origin time.Duration // awake, of the start
	end    time.Duration // awake, of the end
	step   time.Duration
	counts []uint32
	tools  []openTool
}

// openTool is a top-level tool call that is open.
type openTool struct {
	seq  uint64
	call agent.ToolCall
}

// Strip is the number of events in equal stretches of time from the start of the
// turn to its end or to now.
type Strip struct {
	Step   time.Duration
	Counts []uint32
}

// Apply folds one entry in; awake is the present awake time. A prompt that had to
// wait for its agent counts as sent when the agent was ready.
func (p *Pulse) Apply(e agent.Entry, awake time.Duration) {
	switch f := e.Fact.(type) {
	case agent.TurnStarted:
		*p = Pulse{Generation: f.Generation, Sent: e.At, origin: awake, step: pulseStep, counts: p.counts[:0]}
		return
	case agent.SessionReady:
		if p.Generation != 0 && p.First.IsZero() && p.Settled.IsZero() {
			p.Sent = e.At
		}
		return
	case agent.TurnSettled:
		if e.Generation == p.Generation && p.Settled.IsZero() {
			p.Settled, p.end, p.tools = e.At, awake, nil
		}
		return
	}
	if p.Generation == 0 || e.Generation != p.Generation || !p.Settled.IsZero() {
		return
	}
	switch f := e.Fact.(type) {
	case agent.PartSet:
		if p.part(f.Part) {
			p.beat(e.At, awake)
		}
	case agent.PartAppended, agent.AskOpened:
		p.beat(e.At, awake)
	}
}

// part follows the open tool calls and tells whether a part shows the agent at
// work: a prompt is the user's, what came late is of no turn, and that a call was
// cancelled is our own word.
func (p *Pulse) part(part agent.Part) bool {
	if part.Kind == agent.PartTool && part.Tool.Parent == "" {
		i := slices.IndexFunc(p.tools, func(o openTool) bool { return o.seq == part.Seq })
		switch {
		case i >= 0 && part.Tool.Status.Open():
			p.tools[i].call = part.Tool
		case i >= 0:
			p.tools = slices.Delete(p.tools, i, i+1)
		case part.Tool.Status.Open() && len(p.tools) < pulseTools:
			p.tools = append(p.tools, openTool{part.Seq, part.Tool})
		}
	}
	return part.Kind != agent.PartPrompt && !part.Late && part.Tool.Status != agent.ToolCancelled
}

func (p *Pulse) beat(at time.Time, awake time.Duration) {
	if p.First.IsZero() {
		p.First = at
	}
	p.Last = at
	p.reach(awake)
	p.counts[len(p.counts)-1]++
}

// reach makes the strip last until a moment. A time before its end, which a clock
// must not tell, is taken for its end.
func (p *Pulse) reach(awake time.Duration) {
	for (awake-p.origin)/p.step >= pulseBuckets {
		p.halve()
	}
	for want := int((awake-p.origin)/p.step) + 1; len(p.counts) < max(want, 1); {
		p.counts = append(p.counts, 0)
	}
}

// halve makes one bucket of two.
func (p *Pulse) halve() {
	p.step *= 2
	n := (len(p.counts) + 1) / 2
	for i := range n {
		sum := p.counts[2*i]
		if 2*i+1 < len(p.counts) {
			sum += p.counts[2*i+1]
		}
		p.counts[i] = sum
	}
	p.counts = p.counts[:n]
}

// Strip gives the strip as it stands: at most 180 counts, the last one of the
// present stretch. It has no counts while no turn was started.
func (p *Pulse) Strip(awake time.Duration) Strip {
	if p.Generation == 0 {
		return Strip{}
	}
	if !p.Settled.IsZero() {
		awake = p.end
	}
	p.reach(awake)
	return Strip{Step: p.step, Counts: slices.Clone(p.counts)}
}

// Tool is the public name of the most recently started top-level tool call that
// is open, or "".
func (p *Pulse) Tool() string {
	if n := len(p.tools); n > 0 {
		return p.tools[n-1].call.PublicName()
	}
	return ""
}
