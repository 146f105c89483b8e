package history_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
)

var (
	old     = "before"
	when    = time.Date(2026, 5, 6, 7, 8, 9, 123e6, time.UTC)
	blocks  = []agent.Block{agent.TextBlock("look"), {Kind: agent.BlockImage, Mime: "image/png", Data: "aGk=", URI: "file:///x", Name: "x"}}
	options = []agent.Option{{ID: "m", Category: "model", Name: "Model", Current: "a",
		Choices: []agent.Choice{{Value: "a", Name: "A", Description: "first"}, {Value: "b"}}}}
	commands = []agent.Command{{Name: "plan", Description: "plans", Hint: "what"}}
	usage    = agent.Usage{Used: 1, Size: 2, Input: 3, Output: 4, Cost: 0.5, Currency: "USD"}
	tool     = agent.ToolCall{
		ID: "c1", Title: "Edit main.go", Name: "edit", Kind: "edit", Status: agent.ToolCompleted, Parent: "c0",
		Content: []agent.ToolContent{
			{Block: &agent.Block{Kind: agent.BlockText, Text: "done"}},
			{Diff: &agent.Diff{Path: "/w/main.go", Old: &old, New: "after"}}, {Terminal: "term1"},
		},
		Locations: []agent.Location{{Path: "/w/main.go", Line: 7}},
		RawInput:  []byte(`{"path":"/w/main.go"}`), RawOutput: []byte("not json \x00\xff"),
	}
	broke = agent.Failure{
		Code: "quota_limited", Rule: "r1", Source: "opencode_stderr", Message: "Limit reached", Hint: "hint.wait",
		Args: map[string]string{"a": "b"}, Provider: "opencode", Model: "m", OccurredAt: when,
		ResetAt: when.Add(time.Hour), Link: "https://opencode.ai/workspace/w/go",
		Confidence: "high", RetryAfter: 7500 * time.Millisecond,
	}
)

var step = agent.AutoStep{
	Row: 4, Of: 3, Act: "announce", Kind: "continue", Reason: "stall", Result: "accepted", Due: when.Add(time.Minute),
	Count: 2, Rule: "stall", Silent: 3 * time.Minute, Figure: 12, Code: "provider_timeout",
}

// factRows tell, for each fact, what has to be readable after it was stored. The
// facts of before come first, in the same batch.
var factRows = []struct {
	fact   agent.Fact
	before []agent.Fact
	see    func(t *testing.T, s *history.Store)
}{
	{fact: agent.SessionReady{Info: agent.SessionInfo{
		ID: "prov", Agent: "OpenCode", Version: "1.2", Options: options, Commands: commands,
		Resumes: true, Images: true, Embeds: true, Resumed: true,
	}}, see: func(t *testing.T, s *history.Store) {
		assert.Equal(t, agent.SessionInfo{
			ID: "prov", Agent: "OpenCode", Version: "1.2", Options: options, Commands: commands,
			Resumes: true, Images: true, Embeds: true, Resumed: true,
		}, readSession(t, s).Info)
	}},
	{fact: agent.PromptQueued{Prompt: agent.Prompt{ID: "p1", Blocks: blocks, At: when}}, see: func(t *testing.T, s *history.Store) {
		assert.Equal(t, []agent.Prompt{{ID: "p1", Blocks: blocks, At: when}}, readQueue(t, s))
	}},
	{fact: agent.PromptEdited{ID: "p1", Blocks: blocks},
		before: []agent.Fact{agent.PromptQueued{Prompt: prompt("p1", "x")}, agent.PromptQueued{Prompt: prompt("p2", "y")}},
		see: func(t *testing.T, s *history.Store) {
			edited := prompt("p1", "")
			edited.Blocks = blocks
			assert.Equal(t, []agent.Prompt{edited, prompt("p2", "y")}, readQueue(t, s))
		}},
	{fact: agent.PromptRemoved{ID: "p1"},
		before: []agent.Fact{agent.PromptQueued{Prompt: prompt("p1", "x")}, agent.PromptQueued{Prompt: prompt("p2", "y")}},
		see: func(t *testing.T, s *history.Store) {
			assert.Equal(t, []agent.Prompt{prompt("p2", "y")}, readQueue(t, s))
		}},
	{fact: agent.TurnStarted{Generation: 7, Prompt: agent.Prompt{ID: "p1", Blocks: blocks, At: when}},
		before: []agent.Fact{agent.PromptQueued{Prompt: prompt("p1", "x")}},
		see: func(t *testing.T, s *history.Store) {
			turn := readTurn(t, s, 7)
			assert.Equal(t, agent.Prompt{ID: "p1", Blocks: blocks, At: when}, turn.Prompt)
			assert.Nil(t, turn.End)
			assert.False(t, turn.StartedAt.IsZero())
			assert.Empty(t, readQueue(t, s))
			assert.EqualValues(t, 7, readSession(t, s).Generation)
		}},
	{fact: agent.PartSet{Part: agent.Part{Seq: 3, Generation: 7, Kind: agent.PartTool, Key: "c1", At: when, Ended: when.Add(time.Second), Tool: tool, Late: true}},
		see: seePart(agent.Part{Seq: 3, Generation: 7, Kind: agent.PartTool, Key: "c1", At: when, Ended: when.Add(time.Second), Tool: tool, Late: true})},
	{fact: agent.PartAppended{Seq: 3, Offset: 3, Text: " two"},
		before: []agent.Fact{agent.PartSet{Part: agent.Part{Seq: 3, Kind: agent.PartThought, Text: "one", Marked: true}}},
		see:    seePart(agent.Part{Seq: 3, Kind: agent.PartThought, Text: "one two", Marked: true})},
	{fact: agent.AskOpened{Ask: agent.Ask{ID: "a1", Kind: agent.AskPermission, Tool: tool,
		Options: []agent.AskOption{{ID: "y", Name: "Yes", Kind: "allow_once"}}}}, see: func(t *testing.T, s *history.Store) {
		a := readAsk(t, s)
		assert.Equal(t, agent.Ask{ID: "a1", Kind: agent.AskPermission, Tool: tool,
			Options: []agent.AskOption{{ID: "y", Name: "Yes", Kind: "allow_once"}}}, a.Ask)
		assert.Nil(t, a.Decision)
		assert.EqualValues(t, 7, a.Generation)
	}},
	{fact: agent.AskClosed{ID: "a1", Decision: agent.Decision{Option: "y", By: agent.ByUser}},
		before: []agent.Fact{agent.AskOpened{Ask: agent.Ask{ID: "a1", Kind: agent.AskPermission}}},
		see: func(t *testing.T, s *history.Store) {
			a := readAsk(t, s)
			assert.Equal(t, &agent.Decision{Option: "y", By: agent.ByUser}, a.Decision)
			assert.True(t, a.ClosedAt.After(a.OpenedAt))
		}},
	{fact: agent.OptionsSet{Options: options}, see: func(t *testing.T, s *history.Store) {
		assert.Equal(t, options, readSession(t, s).Info.Options)
	}},
	{fact: agent.CommandsSet{Commands: commands}, see: func(t *testing.T, s *history.Store) {
		assert.Equal(t, commands, readSession(t, s).Info.Commands)
	}},
	{fact: agent.UsageSet{Usage: usage}, see: func(t *testing.T, s *history.Store) {
		assert.Equal(t, usage, readSession(t, s).Usage)
	}},
	{fact: agent.TitleSet{Title: "Fix it"}, see: func(t *testing.T, s *history.Store) {
		assert.Equal(t, "Fix it", readSession(t, s).Title)
		task, err := s.Task(t.Context(), "t1")
		require.NoError(t, err)
		assert.Equal(t, "Fix it", task.AgentTitle)
		assert.Equal(t, "A task", task.Title)
	}},
	{fact: agent.CancelStepped{Step: agent.CancelEscalated}, before: []agent.Fact{started, agent.CancelStepped{Step: agent.CancelSent}},
		see: func(t *testing.T, s *history.Store) {
			steps := readTurn(t, s, 7).Cancel
			require.Len(t, steps, 2)
			assert.Equal(t, agent.CancelSent, steps[0].Step)
			assert.Equal(t, agent.CancelEscalated, steps[1].Step)
			assert.True(t, steps[1].At.After(steps[0].At))
		}},
	{fact: agent.Noticed{Notice: agent.Notice{Kind: "quiet", Args: map[string]string{"min": "5"}}}, see: func(t *testing.T, s *history.Store) {
		all, err := s.Notices(t.Context(), "s1")
		require.NoError(t, err)
		require.Len(t, all, 1)
		assert.Equal(t, agent.Notice{Kind: "quiet", Args: map[string]string{"min": "5"}}, all[0].Notice)
		assert.EqualValues(t, 7, all[0].Generation)
	}},
	{fact: agent.RetryAnnounced{Attempt: 2, Next: when}, before: []agent.Fact{started}, see: func(t *testing.T, s *history.Store) {
		retry := readTurn(t, s, 7).Retry
		require.NotNil(t, retry)
		assert.Equal(t, 2, retry.Attempt)
		assert.Equal(t, when, retry.Next)
	}},
	{fact: agent.AutoStepped{Step: step}, before: []agent.Fact{started}, see: func(t *testing.T, s *history.Store) {
		rows, err := s.AutoSteps(t.Context(), "s1", 0, 0)
		require.NoError(t, err)
		require.Len(t, rows, 1)
		assert.Equal(t, history.AutoStep{ID: 1, Task: "t1", Session: "s1", Generation: 7, At: rows[0].At, AutoStep: step}, rows[0])
		assert.False(t, rows[0].At.IsZero())
		rows, err = s.AutoSteps(t.Context(), "s1", 1, 0)
		require.NoError(t, err)
		assert.Empty(t, rows, "before the first there is none")
	}},
	{fact: agent.RetryPlanned{Try: 2, Most: 5, At: when}, before: []agent.Fact{started, failed}, see: func(t *testing.T, s *history.Store) {
		again := readTurn(t, s, 7).Again
		require.True(t, again.Waits())
		assert.Equal(t, &history.Again{Turn: 7, Try: 2, Most: 5, At: when}, again)
		g, err := s.Glance(t.Context(), "t1")
		require.NoError(t, err)
		assert.Equal(t, again, g.Again)
	}},
	{fact: agent.RetryDropped{Why: agent.DropExhausted, Try: 5}, before: []agent.Fact{started, failed}, see: func(t *testing.T, s *history.Store) {
		again := readTurn(t, s, 7).Again
		require.NotNil(t, again)
		assert.False(t, again.Waits())
		assert.Equal(t, agent.DropExhausted, again.Why)
		assert.Equal(t, 5, again.Try)
		assert.True(t, again.At.IsZero())
	}},
	{fact: agent.TurnSettled{Outcome: agent.Failed, Stop: agent.Refusal, ByAgent: true, Failure: &broke, Usage: usage},
		before: []agent.Fact{started}, see: func(t *testing.T, s *history.Store) {
			end := readTurn(t, s, 7).End
			require.NotNil(t, end)
			assert.False(t, end.At.IsZero())
			end.At = time.Time{}
			assert.Equal(t, &history.TurnEnd{Outcome: agent.Failed, Stop: agent.Refusal, ByAgent: true, Failure: &broke, Usage: usage}, end)
		}},
	{fact: agent.ToolFinished{Name: "bash", Quiet: 12 * time.Minute},
		before: []agent.Fact{agent.ToolFinished{Name: "bash", Quiet: time.Minute}, agent.ToolFinished{Name: "grep", Quiet: time.Hour}},
		see: func(t *testing.T, s *history.Store) {
			runs, longest, err := s.ToolQuiet(t.Context(), readSession(t, s).Kind, "bash")
			require.NoError(t, err)
			assert.Equal(t, 2, runs)
			assert.Equal(t, 12*time.Minute, longest)
		}},
	{before: []agent.Fact{started, agent.Noticed{Notice: agent.Notice{Kind: "quiet"}}, agent.Noticed{Notice: agent.Notice{Kind: "looping"}}},
		fact: agent.NoticeChanged{Notice: agent.Notice{Kind: "quiet", Args: map[string]string{"was_ms": "360000"}}},
		see: func(t *testing.T, s *history.Store) {
			all, err := s.Notices(t.Context(), "s1")
			require.NoError(t, err)
			require.Len(t, all, 2, "it is no new notice")
			assert.Equal(t, map[string]string{"was_ms": "360000"}, all[0].Notice.Args)
			assert.Empty(t, all[1].Notice.Args)
		}},
	{fact: agent.OpenRefused{Failure: broke}, see: func(t *testing.T, s *history.Store) {
		all, err := s.Failures(t.Context(), "s1")
		require.NoError(t, err)
		require.Len(t, all, 1)
		assert.Equal(t, broke, all[0].Failure)
		assert.Equal(t, "provider_quota_limited", all[0].Kind)
	}},
	{fact: agent.StateSet{Session: agent.SessionFailed, Task: agent.TaskNeedsYou, Held: true}, see: func(t *testing.T, s *history.Store) {
		snap, err := s.Restore(t.Context(), "s1")
		require.NoError(t, err)
		assert.Equal(t, agent.SessionFailed, snap.Session.State)
		assert.Equal(t, agent.TaskNeedsYou, snap.Task)
		assert.True(t, snap.Session.Held)
	}},
}

var failed = agent.TurnSettled{Outcome: agent.Failed, Failure: &broke}

var started = agent.TurnStarted{Generation: 7, Prompt: prompt("p1", "x")}

// Each fact is read back twice: from the store that wrote it, and by another
// program after it was closed.
func TestEveryFactIsReadBack(t *testing.T) {
	for _, row := range factRows {
		t.Run(reflect.TypeOf(row.fact).Name(), func(t *testing.T) {
			dir := t.TempDir()
			p := mustPlace(t, dir)
			p.store(t, 7, append(row.before, row.fact)...)
			row.see(t, p.Store)
			require.NoError(t, p.Close(t.Context()))
			r, err := history.OpenReader(t.Context(), history.Options{Dir: dir})
			require.NoError(t, err)
			defer r.Close(t.Context())
			row.see(t, r)
		})
	}
}

// The sum is closed by the method fact: whatever has it must have a row above.
func TestNoFactIsForgotten(t *testing.T) {
	tested := map[string]bool{}
	for _, row := range factRows {
		tested[reflect.TypeOf(row.fact).Name()] = true
	}
	names := factNames(t)
	require.Greater(t, len(names), 10)
	for _, name := range names {
		assert.True(t, tested[name], "fact %s is not tested", name)
	}
	assert.Len(t, tested, len(names))
}

func factNames(t *testing.T) []string {
	files, err := filepath.Glob("../agent/*.go")
	require.NoError(t, err)
	var names []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		parsed, err := parser.ParseFile(token.NewFileSet(), file, source, 0)
		require.NoError(t, err)
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil && f.Name.Name == "fact" {
				names = append(names, f.Recv.List[0].Type.(*ast.Ident).Name)
			}
		}
	}
	return names
}

func seePart(want agent.Part) func(*testing.T, *history.Store) {
	return func(t *testing.T, s *history.Store) {
		parts, err := s.Parts(t.Context(), history.PartQuery{Session: "s1"})
		require.NoError(t, err)
		assert.Equal(t, []agent.Part{want}, parts)
	}
}

func readSession(t *testing.T, s *history.Store) history.Session {
	t.Helper()
	out, err := s.Session(t.Context(), "s1")
	require.NoError(t, err)
	return out
}

func readQueue(t *testing.T, s *history.Store) []agent.Prompt {
	t.Helper()
	out, err := s.Queue(t.Context(), "s1")
	require.NoError(t, err)
	return out
}

func readTurn(t *testing.T, s *history.Store, g agent.Generation) history.Turn {
	t.Helper()
	out, err := s.Turn(t.Context(), "s1", g)
	require.NoError(t, err)
	return out
}

func readAsk(t *testing.T, s *history.Store) history.Ask {
	t.Helper()
	all, err := s.Asks(t.Context(), "s1")
	require.NoError(t, err)
	require.Len(t, all, 1)
	return all[0]
}
