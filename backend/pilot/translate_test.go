package pilot

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"turnwatch/backend/agent"
	"turnwatch/backend/policy/autoresume"
)

var at = time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)

func text(seq uint64, s string) agent.PartSet {
	return agent.PartSet{Part: agent.Part{Seq: seq, Kind: agent.PartText, Text: s}}
}

func toolPart(c agent.ToolCall) agent.PartSet {
	return agent.PartSet{Part: agent.Part{Seq: 9, Kind: agent.PartTool, Tool: c}}
}

// What each fact means to the policy. The facts of before come first and are not
// looked at.
func TestFactsAreTranslated(t *testing.T) {
	begun := agent.TurnStarted{Generation: 1}
	failed := agent.TurnSettled{Outcome: agent.Failed, Failure: &agent.Failure{Code: "auth_required", Rule: "r", Message: "log in"}}
	five := int64(5)
	no := false
	for _, tt := range []struct {
		name   string
		before []agent.Fact
		fact   agent.Fact
		want   []autoresume.Event
	}{
		{"a prompt of the user", nil, begun, one(autoresume.TurnStarted{Origin: autoresume.ByUser})},
		{"a prompt of the policy", nil, agent.TurnStarted{Generation: 2, Auto: &agent.Auto{Kind: "continue"}},
			[]autoresume.Event{autoresume.TurnStarted{Origin: autoresume.BySupervisor}, autoresume.Sent{OK: true}}},
		{"a failed prompt that is sent again", nil, agent.TurnStarted{Generation: 2, Again: 1, Try: 1}, one(autoresume.TurnStarted{Origin: autoresume.BySupervisor})},
		{"text", []agent.Fact{begun}, text(2, "hello"), one(autoresume.Text{Text: "hello"})},
		{"more of it", []agent.Fact{begun, text(2, "hel")}, agent.PartAppended{Seq: 2, Offset: 3, Text: "lo"}, one(autoresume.Text{Text: "lo"})},
		{"the same part whole again", []agent.Fact{begun, text(2, "hello")}, text(2, "hello"), nil},
		{"the part whole, with more in it", []agent.Fact{begun, text(2, "hel")}, text(2, "hello"), one(autoresume.Text{Text: "lo"})},
		{"text of a turn that was not seen from its start", nil, agent.PartAppended{Seq: 7, Offset: 3, Text: "lo"}, one(autoresume.Stirred{})},
		{"the agent's words about itself", []agent.Fact{begun}, agent.PartSet{Part: agent.Part{Seq: 2, Kind: agent.PartText, Text: "API Error", Marked: true}}, one(autoresume.Stirred{})},
		{"late text", []agent.Fact{begun}, agent.PartSet{Part: agent.Part{Seq: 2, Kind: agent.PartText, Text: "x", Late: true}}, one(autoresume.Stirred{})},
		{"a thought", []agent.Fact{begun}, agent.PartSet{Part: agent.Part{Seq: 2, Kind: agent.PartThought, Text: "hm"}}, one(autoresume.Thought{Text: "hm"})},
		{"the prompt's own part", []agent.Fact{begun}, agent.PartSet{Part: agent.Part{Seq: 1, Kind: agent.PartPrompt, Text: "go"}}, nil},
		{"a call whose input is not known yet", []agent.Fact{begun}, toolPart(agent.ToolCall{ID: "c1", Name: "read", Status: agent.ToolPending, RawInput: []byte("{}")}), one(autoresume.CommandStarted{ID: "c1"})},
		{"its input", []agent.Fact{begun, toolPart(agent.ToolCall{ID: "c1", Name: "read", Status: agent.ToolPending})},
			toolPart(agent.ToolCall{ID: "c1", Name: "read", Status: agent.ToolInProgress, RawInput: []byte(`{"p":1}`)}),
			[]autoresume.Event{autoresume.CommandEnded{ID: "c1"}, autoresume.ToolStarted{ID: "c1", Name: "read", Args: []byte(`{"p":1}`)}}},
		{"a call of another call", []agent.Fact{begun}, toolPart(agent.ToolCall{ID: "c2", Parent: "c1", Status: agent.ToolInProgress}), one(autoresume.CommandStarted{ID: "c2"})},
		{"its end", []agent.Fact{begun, toolPart(agent.ToolCall{ID: "c2", Parent: "c1", Status: agent.ToolInProgress})},
			toolPart(agent.ToolCall{ID: "c2", Parent: "c1", Status: agent.ToolCompleted}), one(autoresume.CommandEnded{ID: "c2"})},
		{"the end of one that was never seen", []agent.Fact{begun}, toolPart(agent.ToolCall{ID: "c2", Parent: "c1", Status: agent.ToolCompleted}), one(autoresume.Stirred{})},
		{"a call of an earlier turn", []agent.Fact{begun, agent.TurnStarted{Generation: 2}},
			agent.PartSet{Part: agent.Part{Generation: 1, Kind: agent.PartTool, Tool: agent.ToolCall{ID: "c0", Name: "read", Status: agent.ToolCompleted}}}, one(autoresume.Stirred{})},
		{"a good end with calls in flight", []agent.Fact{begun, toolPart(agent.ToolCall{ID: "c2", Parent: "c1", Status: agent.ToolInProgress}), toolPart(agent.ToolCall{ID: "c1", Name: "task", Status: agent.ToolPending})},
			agent.TurnSettled{Outcome: agent.Completed, Stop: agent.EndTurn, Usage: agent.Usage{Output: 5}},
			[]autoresume.Event{autoresume.CommandEnded{ID: "c1"}, autoresume.CommandEnded{ID: "c2"}, autoresume.TurnEnded{Stop: "end_turn"}}},
		{"a permission", []agent.Fact{begun}, agent.AskOpened{Ask: agent.Ask{ID: "a1"}}, one(autoresume.AskOpened{ID: "a1"})},
		{"its answer", []agent.Fact{begun}, agent.AskClosed{ID: "a1"}, one(autoresume.AskClosed{ID: "a1"})},
		{"the agent's own retry", []agent.Fact{begun}, agent.RetryAnnounced{Attempt: 2, Next: at.Add(time.Minute)}, one(autoresume.Retrying{Attempt: 2, Wait: time.Minute})},
		{"a retry of ours", []agent.Fact{begun}, agent.RetryPlanned{Try: 1, Most: 5, At: at.Add(5 * time.Second)}, one(autoresume.Retrying{Attempt: 1, Wait: 5 * time.Second})},
		{"the agent's word of itself before the turn does anything", []agent.Fact{begun}, agent.CommandsSet{}, nil},
		{"its model, told with the first thing that it does", []agent.Fact{begun, agent.SessionReady{Info: agent.SessionInfo{Options: []agent.Option{{Category: "model", Current: "big"}}}}, agent.UsageSet{Usage: agent.Usage{Used: 8, Size: 10}}},
			text(2, "hello"), []autoresume.Event{autoresume.Opened{Model: "big"}, autoresume.Used{Used: 8, Size: 10}, autoresume.Text{Text: "hello"}}},
		{"its commands later in the turn", []agent.Fact{begun, text(2, "hello")}, agent.CommandsSet{}, one(autoresume.Stirred{})},
		{"the window of the model", []agent.Fact{begun, text(2, "hello")}, agent.UsageSet{Usage: agent.Usage{Used: 8, Size: 10}}, one(autoresume.Used{Used: 8, Size: 10})},
		{"a plan", []agent.Fact{begun}, agent.PartSet{Part: agent.Part{Kind: agent.PartPlan, Plan: []agent.PlanEntry{{Content: "look", Status: "pending"}}}},
			one(autoresume.Planned{Entries: []autoresume.Entry{{Content: "look", Status: "pending"}}})},
		{"the user queues a prompt", []agent.Fact{begun}, agent.PromptQueued{}, one(autoresume.Typing{})},
		{"a good end", []agent.Fact{begun}, agent.TurnSettled{Outcome: agent.Completed, Stop: agent.EndTurn, Usage: agent.Usage{Output: 5}}, one(autoresume.TurnEnded{Stop: "end_turn", OutTokens: &five})},
		{"an end whose tokens nobody tells", []agent.Fact{begun}, agent.TurnSettled{Outcome: agent.EndedEmpty, Stop: agent.EndTurn}, one(autoresume.TurnEnded{Stop: "end_turn"})},
		{"a failure, until it is known what becomes of the prompt", []agent.Fact{begun}, failed, nil},
		{"a failure that is the user's to mend", []agent.Fact{begun, failed}, agent.StateSet{},
			one(autoresume.TurnEnded{Stop: "error", Fault: &autoresume.Fault{Code: "auth_required", Rule: "r", Message: "log in"}})},
		{"a failure whose prompt is not sent again", []agent.Fact{begun, failed}, agent.RetryDropped{Why: agent.DropExhausted},
			one(autoresume.TurnEnded{Stop: "error", Fault: &autoresume.Fault{Code: "auth_required", Rule: "r", Message: "log in"}})},
		{"a failure whose prompt is sent again counts for nothing", []agent.Fact{begun, failed}, agent.RetryPlanned{Try: 1, Most: 5, At: at.Add(5 * time.Second)},
			[]autoresume.Event{autoresume.TurnEnded{Stop: "error", Fault: &autoresume.Fault{Retryable: &no}}, autoresume.Retrying{Attempt: 1, Wait: 5 * time.Second}}},
		{"the user stops the retry", []agent.Fact{begun, failed, agent.RetryPlanned{Try: 1}}, agent.RetryDropped{Why: agent.DropCancelled}, one(autoresume.Cancelled{})},
		{"another model ends the retry", []agent.Fact{begun, failed, agent.RetryPlanned{Try: 1}}, agent.RetryDropped{Why: agent.DropOption}, nil},
		{"a turn that never began", []agent.Fact{begun, agent.TurnSettled{Outcome: agent.NeverStarted}}, agent.StateSet{}, one(autoresume.TurnEnded{Stop: "error", Fault: &autoresume.Fault{Name: "never_started", Retryable: &no}})},
		{"the user's cancel", []agent.Fact{begun}, agent.CancelStepped{Step: agent.CancelSent}, one(autoresume.Cancelled{})},
		{"the policy's cancel", []agent.Fact{begun}, agent.CancelStepped{Step: agent.CancelSent, Auto: true}, nil},
		{"the end after the policy's cancel", []agent.Fact{begun, agent.CancelStepped{Step: agent.CancelSent, Auto: true}},
			agent.TurnSettled{Outcome: agent.Cancelled}, one(autoresume.TurnEnded{Stop: "cancelled"})},
		{"a cancel before anything was sent", []agent.Fact{begun}, agent.TurnSettled{Outcome: agent.Cancelled},
			[]autoresume.Event{autoresume.Cancelled{}, autoresume.TurnEnded{Stop: "cancelled"}}},
		{"the agent's own cancel", []agent.Fact{begun}, agent.TurnSettled{Outcome: agent.Cancelled, ByAgent: true}, one(autoresume.TurnEnded{Stop: "cancelled"})},
		{"our notices", []agent.Fact{begun}, agent.Noticed{}, nil},
		{"the policy's own steps", []agent.Fact{begun}, agent.AutoStepped{}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var tr translator
			for _, f := range tt.before {
				tr.take(agent.Entry{At: at, Fact: f})
			}
			assert.Equal(t, tt.want, tr.take(agent.Entry{At: at, Fact: tt.fact}))
		})
	}
}

// A call ends once, with a mark of what came out; one whose input was never known
// begins with its end.
func TestACallEndsOnce(t *testing.T) {
	var tr translator
	tr.take(agent.Entry{Fact: agent.TurnStarted{Generation: 1}})
	done := agent.ToolCall{ID: "c1", Name: "read", Status: agent.ToolCompleted, RawOutput: []byte("out")}
	got := tr.take(agent.Entry{Fact: toolPart(done)})
	assert.Len(t, got, 2)
	assert.Equal(t, autoresume.ToolStarted{ID: "c1", Name: "read"}, got[0])
	first := got[1].(autoresume.ToolEnded)
	assert.True(t, first.OK)
	assert.NotEmpty(t, first.Out)
	assert.Equal(t, one(autoresume.Stirred{}), tr.take(agent.Entry{Fact: toolPart(done)}))

	other := done
	other.ID, other.RawOutput = "c2", []byte("other")
	assert.NotEqual(t, first.Out, tr.take(agent.Entry{Fact: toolPart(other)})[1].(autoresume.ToolEnded).Out)
}

func TestAListOfTodosIsReadFromTheCallThatWritesIt(t *testing.T) {
	var tr translator
	tr.take(agent.Entry{Fact: agent.TurnStarted{Generation: 1}})
	got := tr.take(agent.Entry{Fact: toolPart(agent.ToolCall{
		ID: "c1", Name: "todowrite", Status: agent.ToolInProgress,
		RawInput: []byte(`{"todos":[{"content":"look","status":"completed"},{"description":"write","status":"pending"}]}`),
	})})
	assert.Contains(t, got, autoresume.Planned{Entries: []autoresume.Entry{{Content: "look", Status: "completed"}, {Content: "write", Status: "pending"}}})
	for name, input := range map[string]string{"no list": `{"x":1}`, "no JSON": `{`, "another form": `{"todos":"all"}`} {
		t.Run(name, func(t *testing.T) {
			_, ok := todos(agent.ToolCall{Name: "todowrite", RawInput: []byte(input)})
			assert.False(t, ok)
		})
	}
}

// What the policy has cancelled is over when the agent has stopped.
func TestACancelledTurnIsOverWhenTheAgentHasStopped(t *testing.T) {
	var tr translator
	for _, f := range []agent.Fact{
		agent.TurnStarted{Generation: 1}, agent.CancelStepped{Step: agent.CancelSent, Auto: true},
		agent.CancelStepped{Step: agent.CancelEscalated},
	} {
		tr.take(agent.Entry{Fact: f})
	}
	assert.Empty(t, tr.take(agent.Entry{Fact: agent.TurnSettled{Outcome: agent.Cancelled}}))
	assert.Equal(t, one(autoresume.TurnEnded{Stop: "cancelled"}), tr.take(agent.Entry{Fact: agent.CancelStepped{Step: agent.CancelReturned}}))
	assert.Empty(t, tr.take(agent.Entry{Fact: agent.CancelStepped{Step: agent.CancelReturned}}), "once")
}

// OpenCode runs its tool "invalid" where a model calls what it does not have, and
// also where the arguments are wrong: only the first is an unknown tool.
func TestAToolThatDoesNotExistIsKnownByItsName(t *testing.T) {
	for _, tt := range []struct{ name, input, tool, err string }{
		{"no such tool", `{"tool":"grep_all","error":"Model tried to call unavailable tool 'grep_all'. Available tools: bash."}`, "grep_all", "unknown_tool"},
		{"wrong arguments", `{"tool":"bash","error":"Invalid input for tool bash: JSON parsing failed"}`, "bash", ""},
		{"nothing is said", `{}`, "invalid", "unknown_tool"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, c := range []agent.ToolCall{{Name: "invalid"}, {Name: "grep_all", Title: "Invalid Tool"}} {
				var tr translator
				c.ID, c.Status, c.RawInput = "c3", agent.ToolCompleted, []byte(tt.input)
				got := tr.take(agent.Entry{Fact: toolPart(c)})
				end := got[len(got)-1].(autoresume.ToolEnded)
				assert.Equal(t, tt.tool, end.Name)
				assert.Equal(t, tt.err, end.Err)
				assert.False(t, end.OK)
			}
		})
	}
}
