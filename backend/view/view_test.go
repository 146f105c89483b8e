package view_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"turnwatch/backend/agent"
	"turnwatch/backend/view"
)

var update = flag.Bool("update", false, "write the golden files anew")

func origin() time.Time { return time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC) }

func at(ms int, facts ...agent.Fact) []agent.Entry {
	var entries []agent.Entry
	for _, f := range facts {
		if p, ok := f.(agent.PartSet); ok && p.Part.Kind == agent.PartTool && !p.Part.Tool.Status.Open() {
			p.Part.Ended = origin().Add(time.Duration(ms) * time.Millisecond)
			f = p
		}
		entries = append(entries, agent.Entry{Generation: 1, At: origin().Add(time.Duration(ms) * time.Millisecond), Fact: f})
	}
	return entries
}

func part(seq uint64, kind agent.PartKind, text string) agent.Fact {
	return agent.PartSet{Part: agent.Part{Seq: seq, Kind: kind, Text: text, At: origin()}}
}

func tool(seq uint64, ms int, status agent.ToolStatus) agent.Fact {
	b := agent.TextBlock("ok")
	return agent.PartSet{Part: agent.Part{
		Seq: seq, Kind: agent.PartTool, At: origin().Add(time.Duration(ms) * time.Millisecond),
		Tool: agent.ToolCall{ID: "t", Kind: "execute", Title: "ls <dir>", Status: status, Content: []agent.ToolContent{{Block: &b}}},
	}}
}

// scripts are streams of facts, by the name of their golden file.
func scripts() map[string][][]agent.Entry {
	ask := agent.Ask{
		ID: "a1", Kind: agent.AskPermission, Tool: agent.ToolCall{ID: "t", Kind: "execute", Title: "ls <dir>"},
		Options: []agent.AskOption{{ID: "y", Name: "Allow", Kind: "allow_once"}},
	}
	return map[string][][]agent.Entry{
		"completed": {
			at(0, agent.TurnStarted{Generation: 1}, part(1, agent.PartPrompt, "do it"), agent.StateSet{Session: agent.SessionRunning, Task: agent.TaskRunning}),
			at(3, agent.SessionReady{Info: agent.SessionInfo{Agent: "demo", Version: "1"}}),
			at(10, part(2, agent.PartThought, "hm")),
			at(11, agent.PartAppended{Seq: 2, Text: "…"}),
			at(20, part(3, agent.PartText, "Hel")),
			at(21, part(3, agent.PartText, "Hello")),
			at(22, part(3, agent.PartText, "Good day")),
			at(30, tool(4, 30, agent.ToolInProgress)),
			at(31, agent.AskOpened{Ask: ask}),
			at(40, agent.AskClosed{ID: "a1", Decision: agent.Decision{Option: "y", By: agent.ByFlag}}),
			at(90, tool(4, 30, agent.ToolCompleted)),
			at(91, agent.PartSet{Part: agent.Part{Seq: 5, Kind: agent.PartPlan, Plan: []agent.PlanEntry{{Content: "one", Status: "pending", Priority: "high"}}}}),
			at(92, agent.PartSet{Part: agent.Part{Seq: 6, Kind: agent.PartOther, Raw: []byte(`{}`)}}),
			at(93, agent.UsageSet{Usage: agent.Usage{Used: 10, Size: 100}}, agent.TitleSet{Title: "Listing"}),
			at(100, agent.TurnSettled{Outcome: agent.Completed, Stop: agent.EndTurn},
				agent.StateSet{Session: agent.SessionWaiting, Task: agent.TaskDone}),
		},
		"quota": {
			at(0, agent.TurnStarted{Generation: 1}, agent.StateSet{Session: agent.SessionRunning, Task: agent.TaskRunning}),
			at(5, agent.RetryAnnounced{Attempt: 2, Next: origin().Add(8 * time.Second)}),
			at(300000, agent.Noticed{Notice: agent.Notice{Kind: "quiet", Args: map[string]string{"tool": "bash"}}}),
			at(300001, agent.TurnSettled{Outcome: agent.Failed, Failure: &agent.Failure{
				Code: "quota_limited", Message: "limit", ResetAt: origin().Add(time.Hour),
			}}, agent.StateSet{Session: agent.SessionWaiting, Task: agent.TaskNeedsYou}),
		},
		"cancelled": {
			at(0, agent.TurnStarted{Generation: 1}, agent.StateSet{Session: agent.SessionRunning, Task: agent.TaskRunning}),
			at(100, agent.CancelStepped{Step: agent.CancelSent}),
			// In one millisecond, in whatever order: cancel, settled, session, task.
			at(3100, agent.StateSet{Session: agent.SessionWaiting, Task: agent.TaskWaiting},
				agent.TurnSettled{Outcome: agent.Cancelled}, agent.CancelStepped{Step: agent.CancelEscalated}),
		},
		"ended_empty": {
			at(0, agent.TurnStarted{Generation: 1}),
			at(10, agent.TurnSettled{Outcome: agent.EndedEmpty, Stop: agent.EndTurn},
				agent.Noticed{Notice: agent.Notice{Kind: "ended_empty"}},
				agent.StateSet{Session: agent.SessionWaiting, Task: agent.TaskNeedsYou}),
		},
		"refused": {
			at(0, agent.StateSet{Session: agent.SessionOpening, Task: agent.TaskRunning}),
			at(7, agent.OpenRefused{Failure: agent.Failure{Code: "agent_start_failed"}}),
		},
	}
}

func TestFactsBecomeLines(t *testing.T) {
	for name, batches := range scripts() {
		t.Run(name, func(t *testing.T) {
			s := view.Script{Origin: origin()}
			var out bytes.Buffer
			e := json.NewEncoder(&out)
			e.SetEscapeHTML(false)
			for _, batch := range batches {
				for _, l := range s.Lines(batch) {
					require.NoError(t, e.Encode(l))
				}
			}
			path := filepath.Join("testdata", name+".jsonl")
			if *update {
				require.NoError(t, os.WriteFile(path, out.Bytes(), 0o644))
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, string(want), out.String())
		})
	}
}

func TestALineNamesItsSessionWhereThereAreSeveral(t *testing.T) {
	s := view.Script{Origin: origin(), Session: "s1"}
	got, err := json.Marshal(s.Lines(at(1, agent.CancelStepped{Step: agent.CancelSent})))
	require.NoError(t, err)
	assert.JSONEq(t, `[{"t":1,"s":"s1","act":"cancel","step":"sent"}]`, string(got))
}

func TestTimeNeverFalls(t *testing.T) {
	s := view.Script{Origin: origin()}
	said := at(20, part(2, agent.PartText, "a"))
	before := at(5, agent.TurnStarted{Generation: 1}, agent.StateSet{Session: agent.SessionRunning, Task: agent.TaskRunning}) // on disk only now
	after := at(30, agent.CancelStepped{Step: agent.CancelSent})
	got, err := json.Marshal(append(append(s.Lines(said), s.Lines(before)...), s.Lines(after)...))
	require.NoError(t, err)
	assert.JSONEq(t, `[{"t":20,"act":"text","part":2,"text":"a"},{"t":20,"act":"turn","generation":1},
		{"t":20,"act":"session","state":"running"},{"t":20,"act":"task","state":"running"},
		{"t":30,"act":"cancel","step":"sent"}]`, string(got))
}

func TestPhase(t *testing.T) {
	started := agent.TurnStarted{Generation: 1}
	ask := agent.AskOpened{Ask: agent.Ask{ID: "a"}}
	quiet := agent.Noticed{Notice: agent.Notice{Kind: "quiet"}}
	tests := []struct {
		name  string
		facts []agent.Fact
		want  view.Phase
	}{
		{"no turn", nil, view.Idle},
		{"a turn runs", []agent.Fact{started}, view.Working},
		{"a question is open", []agent.Fact{started, ask}, view.Asking},
		{"a question was answered", []agent.Fact{started, ask, agent.AskClosed{ID: "a"}}, view.Working},
		{"a retry was announced", []agent.Fact{started, agent.RetryAnnounced{Attempt: 1}}, view.Retrying},
		{"the agent goes on after a retry", []agent.Fact{started, agent.RetryAnnounced{Attempt: 1}, part(2, agent.PartText, "x")}, view.Working},
		{"silence", []agent.Fact{started, quiet}, view.Quiet},
		{"metadata does not end silence", []agent.Fact{started, quiet, agent.UsageSet{}}, view.Quiet},
		{"text ends silence", []agent.Fact{started, part(2, agent.PartText, "x"), quiet, agent.PartAppended{Seq: 2, Text: "y"}}, view.Working},
		{"a notice of the agent does not end a retry", []agent.Fact{started, agent.RetryAnnounced{Attempt: 1},
			agent.PartSet{Part: agent.Part{Seq: 2, Kind: agent.PartText, Key: "notice", Text: "Hooks are off.", Marked: true}}}, view.Retrying},
		{"its own words in a message do", []agent.Fact{started, agent.RetryAnnounced{Attempt: 1},
			agent.PartSet{Part: agent.Part{Seq: 2, Kind: agent.PartText, Text: "API Error", Marked: true}}}, view.Working},
		{"what nobody can read does not end silence", []agent.Fact{started, quiet, agent.PartSet{Part: agent.Part{Seq: 2, Kind: agent.PartOther}}}, view.Quiet},
		{"a late part says nothing", []agent.Fact{started, quiet, agent.PartSet{Part: agent.Part{Seq: 9, Kind: agent.PartText, Late: true}}}, view.Quiet},
		{"a cancel outranks a question", []agent.Fact{started, ask, agent.CancelStepped{Step: agent.CancelSent}}, view.Stopping},
		{"settled", []agent.Fact{started, agent.TurnSettled{Outcome: agent.Completed}}, view.Idle},
		{"the next turn", []agent.Fact{started, agent.TurnSettled{Outcome: agent.Failed}, agent.TurnStarted{Generation: 2}}, view.Working},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var turn view.Turn
			for _, e := range at(0, tt.facts...) {
				turn.Apply(e)
			}
			assert.Equal(t, tt.want, turn.Phase())
		})
	}
}

func TestWhatATurnHolds(t *testing.T) {
	var turn view.Turn
	for _, batch := range scripts()["completed"] {
		for _, e := range batch {
			turn.Apply(e)
		}
	}
	assert.Equal(t, "Good day", turn.Text())
	assert.Equal(t, "Listing", turn.Title)
	assert.Equal(t, "one", turn.Plan()[0].Content)
	assert.Empty(t, turn.OpenTools())
	assert.Empty(t, turn.Asks)
	assert.Equal(t, "demo", turn.Info.Agent)
	assert.Equal(t, agent.Completed, turn.End.Outcome)
}

func TestHowLongAToolTook(t *testing.T) {
	var turn view.Turn
	_, over := turn.Apply(at(30, tool(1, 30, agent.ToolInProgress))[0]).Piece.Took()
	assert.False(t, over)
	took, over := turn.Apply(at(90, tool(1, 30, agent.ToolCompleted))[0]).Piece.Took()
	assert.True(t, over)
	assert.Equal(t, 60*time.Millisecond, took)
	_, over = view.Took(agent.Part{At: origin(), Ended: origin().Add(-time.Second)})
	assert.False(t, over, "times that make no sense")
}

func TestAnAppendToAPartThatIsNotThereIsDropped(t *testing.T) {
	var turn view.Turn
	assert.Equal(t, view.Change{}, turn.Apply(at(0, agent.PartAppended{Seq: 4, Text: "x"})[0]))
	assert.Empty(t, turn.Text())
}

func TestShowAFailure(t *testing.T) {
	assert.Nil(t, view.Show(nil))
	got, err := json.Marshal(view.Show(&agent.Failure{Code: "quota_limited", Message: "m", Model: "k2", ResetAt: origin().In(time.FixedZone("x", 3600)), Link: "https://opencode.ai/workspace/w/go"}))
	require.NoError(t, err)
	assert.JSONEq(t, `{"code":"quota_limited","message":"m","model":"k2","reset_at":"2026-03-01T09:00:00Z","remediation_url":"https://opencode.ai/workspace/w/go"}`, string(got))
	got, err = json.Marshal(view.Show(&agent.Failure{Code: "agent_crashed"}))
	require.NoError(t, err)
	assert.JSONEq(t, `{"code":"agent_crashed","message":"","model":"","reset_at":null,"remediation_url":null}`, string(got))
}

// However a text comes, by pieces or whole and taken back at times, adding up the
// lines gives the text that was recorded.
func TestLinesOfATextAddUpToIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := view.Script{Origin: origin()}
		want, got := "", ""
		set := false
		for i := range rapid.IntRange(1, 30).Draw(t, "steps") {
			text := rapid.StringMatching(`[ab ]{0,5}`).Draw(t, "text")
			var f agent.Fact = agent.PartAppended{Seq: 1, Text: text}
			switch {
			case !set || rapid.Bool().Draw(t, "whole"):
				want, set = text, true
				if rapid.Bool().Draw(t, "extend") {
					want = got + text
				}
				f = part(1, agent.PartText, want)
			default:
				want += text
			}
			for _, l := range s.Lines(at(i, f)) {
				line := l.(*view.TextLine)
				if line.Replace {
					got = ""
				}
				got += line.Text
			}
			if got != want {
				t.Fatalf("step %d: lines say %q, recorded is %q", i, got, want)
			}
		}
	})
}

func BenchmarkTurnFlood(b *testing.B) {
	var turn view.Turn
	turn.Apply(at(0, part(1, agent.PartText, strings.Repeat("x", 1000)))[0])
	e := at(1, agent.PartAppended{Seq: 1, Text: "a few words "})[0]
	for b.Loop() {
		turn.Apply(e)
	}
}
