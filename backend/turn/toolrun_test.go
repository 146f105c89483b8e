package turn_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"turnwatch/backend/agent"
)

func TestAToolThatFinishedTellsHowLongItWasQuiet(t *testing.T) {
	began := agent.ToolCall{ID: "t", Title: "bash", Status: agent.ToolInProgress}
	named := agent.ToolCall{ID: "t", Title: "sleep 300", RawInput: []byte(`{"command":"sleep 300"}`)}
	done := agent.ToolCall{ID: "t", Title: "All is well", Status: agent.ToolCompleted}
	answered := agent.Decide{Ask: "a", Decision: agent.Decision{Option: "once"}}
	rows := []struct {
		name   string
		events []agent.Event
		want   []agent.ToolFinished
	}{
		{"the longest gap between its own updates, under the name it had then", []agent.Event{
			toolCall(1, began), after(time.Minute), toolCall(1, named), after(12 * time.Minute), toolCall(1, named),
			chunk(1, "m", "meanwhile"), after(5 * time.Minute), toolCall(1, done),
		}, []agent.ToolFinished{{Name: "bash", Quiet: 12 * time.Minute}}},
		{"what others say does not end its quiet", []agent.Event{
			toolCall(1, began), after(2 * time.Minute), chunk(1, "m", "x"), after(2 * time.Minute), toolCall(1, done),
		}, []agent.ToolFinished{{Name: "bash", Quiet: 4 * time.Minute}}},
		{"one that is over at once", []agent.Event{toolCall(1, done)}, []agent.ToolFinished{{Name: "All is well"}}},
		{"it is told once", []agent.Event{
			toolCall(1, began), toolCall(1, done), after(time.Hour), toolCall(1, done),
		}, []agent.ToolFinished{{Name: "bash"}}},
		{"time in which something is asked does not count", []agent.Event{
			toolCall(1, began), after(time.Minute), ask(1, "a"), after(time.Hour), toolCall(1, began), answered,
			after(2 * time.Minute), toolCall(1, done),
		}, []agent.ToolFinished{{Name: "bash", Quiet: 2 * time.Minute}}},
		{"time before the request counts", []agent.Event{
			toolCall(1, began), after(3 * time.Minute), ask(1, "a"), after(time.Hour), agent.AskGone{ID: "a"},
			after(time.Minute), toolCall(1, done),
		}, []agent.ToolFinished{{Name: "bash", Quiet: 3 * time.Minute}}},
		{"a call that failed tells nothing", []agent.Event{
			toolCall(1, began), after(time.Minute), toolCall(1, agent.ToolCall{ID: "t", Status: agent.ToolFailed}),
		}, nil},
		{"nor one that was cancelled", []agent.Event{
			toolCall(1, began), after(time.Minute), agent.CancelTurn{}, toolCall(1, done),
		}, nil},
		{"nor what a tool runs itself", []agent.Event{
			toolCall(1, agent.ToolCall{ID: "c", Title: "grep", Parent: "t"}), after(time.Minute),
			toolCall(1, agent.ToolCall{ID: "c", Status: agent.ToolCompleted}),
		}, nil},
		{"nor one without a public name", []agent.Event{
			toolCall(1, agent.ToolCall{ID: "t", Title: "sleep 300", RawInput: []byte(`{"command":"sleep 300"}`)}),
			toolCall(1, agent.ToolCall{ID: "t", Status: agent.ToolCompleted}),
		}, nil},
		{"nor one of another turn", []agent.Event{toolCall(7, began), toolCall(7, done)}, nil},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			r := running(t).do(row.events...)
			assert.Equal(t, row.want, of[agent.ToolFinished](r))
		})
	}
}
