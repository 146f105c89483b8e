package replay

import (
	"fmt"
	"slices"
	"time"

	"turnwatch/backend/policy/autoresume"
)

// Resumed is what the auto-resume policy did, in order, and which latches each
// session had at the end.
type Resumed struct {
	ID      string                        `json:"id"`
	Actions []Done                        `json:"actions"`
	Final   map[string]autoresume.Latches `json:"final"`
}

// Done is one action.
type Done struct {
	T       int64             `json:"t"`
	Act     autoresume.Act    `json:"act"`
	Session string            `json:"s"`
	Kind    autoresume.Kind   `json:"kind,omitempty"`
	Reason  autoresume.Reason `json:"reason,omitempty"`
	Result  autoresume.Result `json:"result,omitempty"`
}

// resumption is a scenario that is being played to the policy, and the agents in
// it: they answer prompts and cancels as the scenario says.
type resumption struct {
	scenario Scenario
	engine   *autoresume.Engine
	out      Resumed
	now      int64
	answers  []answer
	prompts  int
	open     map[string]bool // sessions with a turn
	starts   map[string]int  // of turns
}

// answer is something that an agent will do.
type answer struct {
	at    int64
	event Event
	turn  int // which of the session's turns it ends; -1 for one of any turn
}

// AutoResume plays a scenario to the policy. Unknown are options that are not
// known; they were left out.
func AutoResume(s Scenario) (r Resumed, unknown []string, err error) {
	options, unknown, err := autoresume.Scenario(s.Options)
	if err != nil {
		return Resumed{}, nil, fmt.Errorf("read scenario %s: %w", s.ID, err)
	}
	caps := autoresume.Caps{
		PromptWhileBusy: allowed(s.Caps.PromptWhileBusy), PromptChild: allowed(s.Caps.PromptChild), Status: allowed(s.Caps.Status),
	}
	p := &resumption{
		scenario: s, engine: autoresume.Simulate(options, caps), open: map[string]bool{}, starts: map[string]int{},
		out: Resumed{ID: s.ID, Actions: []Done{}, Final: map[string]autoresume.Latches{}},
	}
	p.play()
	for name := range p.starts {
		p.out.Final[name] = p.engine.Latches(name)
	}
	return p.out, unknown, nil
}

func allowed(b *bool) bool { return b == nil || *b }

// play goes from moment to moment: at each the events of the scenario come first,
// then what agents do, then timers, then the tick.
func (p *resumption) play() {
	events := p.scenario.Events
	for len(p.out.Actions) < mostEvents { // an agent may provoke without end in one moment
		next, ok := p.engine.Next()
		due := next.Milliseconds()
		switch {
		case len(events) > 0 && events[0].T <= p.scenario.Until && (len(p.answers) == 0 || events[0].T <= p.answers[0].at) && (!ok || events[0].T <= due):
			p.now = events[0].T
			p.happen(events[0])
			events = events[1:]
		case len(p.answers) > 0 && p.answers[0].at <= p.scenario.Until && (!ok || p.answers[0].at <= due):
			a := p.answers[0]
			p.answers = p.answers[1:]
			p.now = a.at
			p.answer(a)
		case ok && due <= p.scenario.Until:
			p.now = due
			p.carryOut(p.engine.Wake(next))
		default:
			return
		}
	}
}

// answer lets an agent do something. With the end that a cancel brings about goes
// whatever the turn would have done else.
func (p *resumption) answer(a answer) {
	s := a.event.Session
	if a.turn >= 0 {
		if a.turn != p.starts[s] {
			return
		}
		p.answers = slices.DeleteFunc(p.answers, func(b answer) bool { return b.event.Session == s })
	}
	p.happen(a.event)
}

func (p *resumption) happen(e Event) {
	if _, seen := p.starts[e.Session]; !seen && e.Session != "" {
		p.starts[e.Session] = 0
	}
	ev := neutral(e)
	if ev == nil {
		return
	}
	switch e.Ev {
	case "turn.start":
		p.open[e.Session] = true
		p.starts[e.Session]++
	case "session.open":
		p.open[e.Session] = p.open[e.Session] || e.Busy
	case "turn.end", "agent.exit":
		p.open[e.Session] = false
	case "probe":
		p.open[e.Session] = p.open[e.Session] && e.State != "idle"
	}
	p.step(e.Session, ev)
}

func (p *resumption) step(session string, ev autoresume.Event) {
	p.carryOut(p.engine.Step(session, ev, time.Duration(p.now)*time.Millisecond))
}

// carryOut does what the policy wants, and writes it down.
func (p *resumption) carryOut(actions []autoresume.Action) {
	for _, a := range actions {
		switch a.Act {
		case autoresume.Prompt, autoresume.Cancel, autoresume.GiveUp, autoresume.Notice, autoresume.Reply:
			p.out.Actions = append(p.out.Actions, Done{a.At.Milliseconds(), a.Act, a.Session, a.Kind, a.Reason, a.Result})
		}
		switch a.Act {
		case autoresume.Prompt:
			p.prompted(a)
		case autoresume.Cancel:
			p.cancelled(a.Session)
		case autoresume.Poll:
			state := "idle"
			if p.open[a.Session] {
				state = "busy"
			}
			p.step(a.Session, autoresume.Probed{State: state})
		}
	}
}

// prompted is how the agent answers a prompt.
func (p *resumption) prompted(a autoresume.Action) {
	accept, begins, turn := true, true, []Event(nil)
	if all := p.scenario.Agent.Prompts; len(all) > 0 && a.Kind != autoresume.Subagent {
		c := all[min(p.prompts, len(all)-1)]
		accept, begins, turn = allowed(c.Accept), allowed(c.Busy), c.Turn
		p.prompts++
	}
	p.step(a.Session, autoresume.Sent{OK: accept})
	if !accept {
		return
	}
	if begins && !p.open[a.Session] {
		p.happen(Event{Ev: "turn.start", Session: a.Session, Origin: string(autoresume.BySupervisor)})
	}
	for _, e := range turn {
		e.Session = a.Session
		p.later(answer{p.now + e.DT, e, -1})
	}
}

// cancelled is how the agent answers a cancel.
func (p *resumption) cancelled(session string) {
	dt, stop := int64(100), autoresume.StopCancelled
	if c := p.scenario.Agent.OnCancel; c != nil {
		if c.Ignore {
			return
		}
		dt = c.DT
		if c.Stop != "" {
			stop = c.Stop
		}
	}
	p.later(answer{p.now + dt, Event{Ev: "turn.end", Session: session, Stop: stop}, p.starts[session]})
}

func (p *resumption) later(a answer) {
	i, _ := slices.BinarySearchFunc(p.answers, a, func(b, a answer) int {
		if b.at <= a.at {
			return -1
		}
		return 1
	})
	p.answers = slices.Insert(p.answers, i, a)
}
