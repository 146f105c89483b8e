package pilot

import (
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/policy/autoresume"
)

// translator turns the facts of one session into what the policy understands. It
// keeps no text: only how much of each part was told.
type translator struct {
	turn  agent.Generation // the last one
	epoch uint64
	told  map[uint64]told    // text and thought parts of the turn in hand
	calls map[string]callEnd // tool calls of the turn in hand
	plan  []agent.PlanEntry  // the latest

	ours   bool                  // the cancel on its way is the policy's
	letGo  bool                  // the agent still works on what was cancelled
	ending *autoresume.TurnEnded // what is told once it has stopped
	failed *autoresume.TurnEnded // what is told once it is known whether the turn is sent again

	unborn bool               // the turn in hand has done nothing yet
	opened *autoresume.Opened // what the agent said of itself meanwhile: it starts no turn
	used   *autoresume.Used
}

type told struct {
	kind agent.PartKind
	len  int
}

type callEnd int

const (
	announced callEnd = iota // seen, its input is not known yet
	begun
	nested // a call of another call: it is no move of the agent, but work in flight
	over
)

// take translates one fact. What an agent says of itself before a turn has done
// anything is told with the first thing that it does: nothing is done to a turn that
// has not begun.
func (t *translator) take(e agent.Entry) []autoresume.Event {
	t.epoch = max(t.epoch, e.Epoch)
	out := t.translate(e)
	if !t.unborn {
		return out
	}
	switch e.Fact.(type) {
	case agent.TurnStarted:
		return out
	case agent.CommandsSet, agent.TitleSet:
		return nil
	case agent.SessionReady, agent.OptionsSet, agent.UsageSet:
		switch ev := out[0].(type) {
		case autoresume.Opened:
			t.opened = &ev
		case autoresume.Used:
			t.used = &ev
		}
		return nil
	}
	if len(out) == 0 {
		return nil
	}
	return append(t.born(), out...)
}

// born is what was kept back until the turn did something.
func (t *translator) born() (out []autoresume.Event) {
	t.unborn = false
	if t.opened != nil {
		out = append(out, *t.opened)
	}
	if t.used != nil {
		out = append(out, *t.used)
	}
	t.opened, t.used = nil, nil
	return out
}

func (t *translator) translate(e agent.Entry) []autoresume.Event {
	switch f := e.Fact.(type) {
	case agent.TurnStarted:
		return t.started(f)
	case agent.PartSet:
		return t.part(f.Part)
	case agent.PartAppended:
		return t.appended(f)
	case agent.AskOpened:
		return one(autoresume.AskOpened{ID: string(f.Ask.ID)})
	case agent.AskClosed:
		return one(autoresume.AskClosed{ID: string(f.ID)})
	case agent.RetryAnnounced:
		return one(retrying(f.Attempt, f.Next, e.At))
	case agent.RetryPlanned:
		return append(t.judged(false), retrying(f.Try, f.At, e.At))
	case agent.RetryDropped:
		return t.dropped(f)
	case agent.StateSet:
		return t.judged(true)
	case agent.UsageSet:
		return one(autoresume.Used{Used: f.Usage.Used, Size: f.Usage.Size})
	case agent.CancelStepped:
		return t.cancelled(f)
	case agent.TurnSettled:
		return t.settled(f)
	case agent.OpenRefused:
		return one(autoresume.Exited{})
	case agent.SessionReady:
		return one(autoresume.Opened{Model: agent.ModelOf(f.Info.Options)})
	case agent.OptionsSet:
		return one(autoresume.Opened{Model: agent.ModelOf(f.Options)})
	case agent.PromptQueued, agent.PromptEdited, agent.PromptRemoved:
		return one(autoresume.Typing{})
	case agent.CommandsSet, agent.TitleSet:
		return one(autoresume.Stirred{})
	}
	return nil // our own side: notices, states, the policy's own steps
}

func one(ev autoresume.Event) []autoresume.Event { return []autoresume.Event{ev} }

// started begins a turn. What failed and is sent again by itself is nothing that
// the user has said.
func (t *translator) started(f agent.TurnStarted) []autoresume.Event {
	t.turn, t.ours, t.letGo, t.ending, t.failed = f.Generation, false, false, nil, nil
	t.unborn = true
	t.told, t.calls = map[uint64]told{}, map[string]callEnd{}
	switch {
	case f.Auto != nil: // that it was taken is known before anything that comes of it
		return []autoresume.Event{autoresume.TurnStarted{Origin: autoresume.BySupervisor}, autoresume.Sent{OK: true}}
	case f.Again != 0:
		return one(autoresume.TurnStarted{Origin: autoresume.BySupervisor})
	}
	return one(autoresume.TurnStarted{Origin: autoresume.ByUser})
}

// part translates a part that is new or replaced. Of a text only what is new is
// told; the agent's words about itself, and what comes late, are a sign of life.
func (t *translator) part(p agent.Part) []autoresume.Event {
	switch {
	case p.Kind == agent.PartPrompt:
		return nil
	case p.Late || p.Marked || p.Generation != 0 && p.Generation < t.turn:
		return one(autoresume.Stirred{})
	case p.Kind == agent.PartText || p.Kind == agent.PartThought:
		was := t.told[p.Seq].len
		put(&t.told, p.Seq, told{p.Kind, max(was, len(p.Text))})
		if len(p.Text) > was {
			return said(p.Kind, p.Text[was:])
		}
		return nil
	case p.Kind == agent.PartTool:
		return t.tool(p.Tool)
	case p.Kind == agent.PartPlan:
		t.plan = p.Plan
		return planned(p.Plan)
	}
	return one(autoresume.Stirred{})
}

func (t *translator) appended(f agent.PartAppended) []autoresume.Event {
	was, ok := t.told[f.Seq]
	if !ok {
		return one(autoresume.Stirred{})
	}
	was.len = max(was.len, f.Offset+len(f.Text))
	t.told[f.Seq] = was
	return said(was.kind, f.Text)
}

func said(k agent.PartKind, text string) []autoresume.Event {
	if k == agent.PartThought {
		return one(autoresume.Thought{Text: text})
	}
	return one(autoresume.Text{Text: text})
}

func planned(list []agent.PlanEntry) []autoresume.Event {
	entries := make([]autoresume.Entry, len(list))
	for i, e := range list {
		entries[i] = autoresume.Entry{Content: e.Content, Status: e.Status}
	}
	return one(autoresume.Planned{Entries: entries})
}

func retrying(attempt int, next, now time.Time) autoresume.Retrying {
	r := autoresume.Retrying{Attempt: attempt}
	if !next.IsZero() {
		r.Wait = max(next.Sub(now), 0)
	}
	return r
}

// cancelled translates the stages of a cancel. What the policy has cancelled is
// over when the agent has stopped, not when we stopped waiting for it.
func (t *translator) cancelled(f agent.CancelStepped) []autoresume.Event {
	switch f.Step {
	case agent.CancelSent:
		if t.ours = f.Auto; !t.ours {
			return one(autoresume.Cancelled{})
		}
	case agent.CancelEscalated:
		t.letGo = true
	case agent.CancelReturned:
		t.letGo = false
		if t.ending != nil {
			end := *t.ending
			t.ending = nil
			return one(end)
		}
	}
	return nil
}

// judged tells of the failed turn that is kept back, if there is one. One that is
// sent again by itself is none for the policy: it would count the tries of another.
func (t *translator) judged(final bool) []autoresume.Event {
	if t.failed == nil {
		return nil
	}
	end := *t.failed
	t.failed = nil
	if !final {
		no := false
		end.Fault = &autoresume.Fault{Retryable: &no}
	}
	return one(end)
}

// dropped translates that a failed turn is not sent again. Where the user has
// stopped it he has stopped everything.
func (t *translator) dropped(f agent.RetryDropped) []autoresume.Event {
	out := t.judged(true)
	if f.Why == agent.DropCancelled {
		out = append(out, autoresume.Cancelled{})
	}
	return out
}

// settled translates the end of a turn.
func (t *translator) settled(f agent.TurnSettled) []autoresume.Event {
	return append(t.landed(), t.settles(f)...)
}

func (t *translator) settles(f agent.TurnSettled) []autoresume.Event {
	switch f.Outcome {
	case agent.Cancelled:
		end := autoresume.TurnEnded{Stop: autoresume.StopCancelled}
		switch {
		case t.ours && t.letGo:
			t.ending = &end
			return nil
		case t.ours || f.ByAgent:
			return one(end)
		}
		return []autoresume.Event{autoresume.Cancelled{}, end}
	case agent.Failed, agent.NeverStarted:
		t.failed = &autoresume.TurnEnded{Stop: autoresume.StopError, Fault: fault(f)}
		return nil
	case agent.Interrupted:
		return one(autoresume.Exited{})
	}
	end := autoresume.TurnEnded{Stop: string(f.Stop)}
	if n := f.Usage.Output; n > 0 && len(t.calls) == 0 { // else they are not those of the last message
		end.OutTokens = &n
	}
	return one(end)
}

// fault is what the registry has made of a failure. A turn that never began is
// nothing that a prompt can help.
func fault(f agent.TurnSettled) *autoresume.Fault {
	if f.Outcome == agent.NeverStarted {
		no := false
		return &autoresume.Fault{Name: string(f.Outcome), Retryable: &no}
	}
	if f.Failure == nil {
		return &autoresume.Fault{}
	}
	return &autoresume.Fault{Code: string(f.Failure.Code), Rule: f.Failure.Rule, Message: f.Failure.Message}
}

func put[K comparable, V any](m *map[K]V, k K, v V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[k] = v
}
