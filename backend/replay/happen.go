package replay

import (
	"strconv"
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
)

// happen lets one event of the scenario happen.
func (w *world) happen(e Event) {
	switch e.Ev {
	case "suspend":
		w.slept += e.MS
		return
	case "persist.fail":
		w.refuse[e.What] += e.Count
		return
	case "restart":
		for _, name := range w.names {
			w.restart(w.sessions[name])
		}
		return
	}
	s := w.session(e.Session)
	if ev := w.event(s, e); ev != nil {
		w.do(s, ev)
	}
}

// event is what the machine hears of an event; nil where it hears nothing.
func (w *world) event(s *session, e Event) agent.Event {
	gen := s.past.Generation
	if e.Generation != nil {
		gen = agent.Generation(*e.Generation)
	}
	stamp := agent.Stamp{Generation: s.past.Generation, At: w.moment().Wall}
	switch e.Ev {
	case "turn.start":
		id := agent.PromptID(strconv.FormatInt(w.now, 10) + "." + strconv.FormatUint(uint64(gen), 10))
		return agent.Submit{Prompt: agent.Prompt{ID: id, Blocks: []agent.Block{agent.TextBlock("prompt")}}}
	case "turn.end":
		return w.ended(e, gen)
	case "diagnostic":
		return w.diagnostic(s, e, gen)
	case "agent.exit":
		return agent.Exited{Stamp: stamp, Failure: agent.Failure{Code: failure.AgentCrashed, Source: failure.SourceExit}}
	case "user.cancel":
		return agent.CancelTurn{}
	case "retry":
		r := agent.Retrying{Stamp: stamp, Attempt: e.Attempt}
		if e.NextIn != nil {
			r.Next = stamp.At.Add(time.Duration(*e.NextIn) * time.Millisecond)
		}
		return r
	case "ask.open":
		kind := agent.AskPermission
		if e.Kind == string(agent.AskQuestion) {
			kind = agent.AskQuestion
		}
		return agent.Asked{Stamp: stamp, Ask: agent.Ask{ID: agent.AskID(e.ID), Kind: kind}}
	case "ask.close":
		return agent.AskGone{Stamp: stamp, ID: agent.AskID(e.ID)}
	}
	if u, ok := update(e); ok {
		return agent.Updated{Stamp: stamp, Update: u}
	}
	return nil
}

// update is the session update that an event stands for.
func update(e Event) (agent.Update, bool) {
	switch e.Ev {
	case "text":
		return agent.Update{Kind: agent.MessageChunk, Block: agent.TextBlock(e.Text)}, true
	case "thought":
		return agent.Update{Kind: agent.ThoughtChunk, Block: agent.TextBlock(e.Text)}, true
	case "tool.start":
		c := agent.ToolCall{ID: e.ID, Name: e.Name, Title: e.Title, Parent: e.Parent, RawInput: e.Args, Status: agent.ToolInProgress}
		if c.Title == "" {
			c.Title = e.Name
		}
		return agent.Update{Kind: agent.ToolCalled, Tool: c}, true
	case "tool.end":
		c := agent.ToolCall{ID: e.ID, Status: agent.ToolCompleted}
		if e.OK != nil && !*e.OK {
			c.Status = agent.ToolFailed
		}
		return agent.Update{Kind: agent.ToolChanged, Tool: c}, true
	case "tool.progress":
		return agent.Update{Kind: agent.ToolChanged, Tool: agent.ToolCall{ID: e.ID}}, true
	case "plan":
		u := agent.Update{Kind: agent.PlanChanged}
		for _, p := range e.Plan {
			u.Plan = append(u.Plan, agent.PlanEntry{Content: p.Content, Status: p.Status, Priority: p.Priority})
		}
		return u, true
	case "usage", "meta", "activity":
		return agent.Update{Kind: agent.UsageChanged}, true
	}
	return agent.Update{}, false
}

// ended is the answer to a prompt.
func (w *world) ended(e Event, gen agent.Generation) agent.Event {
	a := agent.Answered{Generation: gen, Stop: agent.StopReason(e.Stop)}
	if e.Error == nil && e.Stop != "error" {
		return a
	}
	f := agent.Failure{Code: failure.UnknownProviderError, Source: failure.SourceACP}
	if e.Error != nil {
		c := failure.Classify(failure.Evidence{
			Channel: failure.ChannelRPC, Text: e.Error.Message, HTTPStatus: e.Error.Status, OccurredAt: w.moment().Wall,
		})
		if c.Failed() {
			f = c.Failure(failure.SourceACP, e.Error.Message, w.moment().Wall)
		}
	}
	a.Failure = &f
	return a
}

// diagnostic is a parsed stderr record. One of the small model, or of another
// session of the agent, says nothing about the turn.
func (w *world) diagnostic(s *session, e Event, gen agent.Generation) agent.Event {
	if e.Small || e.Of != "" && e.Of != s.name {
		return nil
	}
	code, _ := e.Code.(string)
	f := agent.Failure{Code: agent.Code(code), Source: "opencode_stderr", Message: e.Message, OccurredAt: w.moment().Wall}
	if e.ResetAt != nil {
		f.ResetAt = wall(*e.ResetAt)
	}
	return agent.FailureSeen{Stamp: agent.Stamp{Generation: gen, At: w.moment().Wall}, Failure: f}
}
