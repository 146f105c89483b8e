package replay

import (
	"encoding/json"
	"time"

	"turnwatch/backend/policy/autoresume"
)

// neutral is an event as the policy hears it; nil where it says nothing to it.
func neutral(e Event) autoresume.Event {
	switch e.Ev {
	case "session.open":
		return autoresume.Opened{Parent: e.Parent, Model: e.Model, Busy: e.Busy}
	case "turn.start":
		return autoresume.TurnStarted{Origin: autoresume.Origin(e.Origin)}
	case "turn.end":
		return autoresume.TurnEnded{Stop: e.Stop, OutTokens: e.OutTokens, Fault: fault(e.Error)}
	case "text":
		return autoresume.Text{Text: e.Text}
	case "thought":
		return autoresume.Thought{Text: e.Text}
	case "tool.start":
		return autoresume.ToolStarted{ID: e.ID, Name: e.Name, Args: e.Args, Spawns: e.Spawns}
	case "tool.end":
		return autoresume.ToolEnded{ID: e.ID, Name: e.Name, OK: e.OK == nil || *e.OK, Out: word(e.Out), Err: word(e.Err)}
	case "plan":
		p := autoresume.Planned{}
		for _, entry := range e.Plan {
			p.Entries = append(p.Entries, autoresume.Entry{Content: entry.Content, Status: entry.Status})
		}
		return p
	case "usage":
		return autoresume.Used{Used: e.Used, Size: e.Size}
	case "retry":
		r := autoresume.Retrying{Attempt: e.Attempt}
		if e.NextIn != nil {
			r.Wait = time.Duration(min(*e.NextIn, longest)) * time.Millisecond
		}
		return r
	case "error":
		if e.Error != nil {
			return *fault(e.Error)
		}
		return *fault(&Failed{Name: e.Name, Message: e.Message, Status: e.Status, Retryable: e.Retryable})
	}
	return framing(e)
}

// framing are events that begin or end something, and what the user does.
func framing(e Event) autoresume.Event {
	switch e.Ev {
	case "tool.progress", "activity", "meta":
		return autoresume.Stirred{}
	case "ask.open":
		return autoresume.AskOpened{ID: e.ID}
	case "ask.close":
		return autoresume.AskClosed{ID: e.ID}
	case "compaction":
		return autoresume.Compacting{On: e.State == "start"}
	case "command.start":
		return autoresume.CommandStarted{ID: e.ID}
	case "command.end":
		return autoresume.CommandEnded{ID: e.ID}
	case "user.cancel":
		return autoresume.Cancelled{}
	case "user.typing":
		return autoresume.Typing{}
	case "task_complete":
		return autoresume.Completed{}
	case "probe":
		return autoresume.Probed{State: e.State}
	case "agent.exit":
		return autoresume.Exited{}
	}
	return nil
}

func fault(f *Failed) *autoresume.Fault {
	if f == nil {
		return nil
	}
	return &autoresume.Fault{Name: f.Name, Message: f.Message, Status: f.Status, Retryable: f.Retryable}
}

// word is a hash as it was given, whatever its kind.
func word(v any) string {
	if s, ok := v.(string); ok || v == nil {
		return s
	}
	raw, _ := json.Marshal(v)
	return string(raw)
}
