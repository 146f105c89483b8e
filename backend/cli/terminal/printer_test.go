package terminal_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/cli/terminal"
	"turnwatch/backend/locale"
	"turnwatch/locales"
)

var update = flag.Bool("update", false, "write the golden files anew")

func english(t testing.TB) *locale.Words {
	t.Helper()
	w, err := locale.Open(locales.Files)
	require.NoError(t, err)
	return w
}

// story writes facts with their times.
type story struct {
	at      time.Time
	entries []agent.Entry
}

func newStory() *story {
	return &story{at: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}
}

func (s *story) after(ms int, facts ...agent.Fact) *story {
	s.at = s.at.Add(time.Duration(ms) * time.Millisecond)
	for _, f := range facts {
		if p, ok := f.(agent.PartSet); ok && p.Part.At.IsZero() {
			p.Part.At = s.at
			f = p
		}
		if p, ok := f.(agent.PartSet); ok && p.Part.Kind == agent.PartTool && !p.Part.Tool.Status.Open() {
			p.Part.Ended = s.at
			f = p
		}
		s.entries = append(s.entries, agent.Entry{Generation: 1, At: s.at, Fact: f})
	}
	return s
}

func text(seq uint64, s string) agent.Fact {
	return agent.PartSet{Part: agent.Part{Seq: seq, Kind: agent.PartText, Text: s}}
}

func thought(seq uint64, s string) agent.Fact {
	return agent.PartSet{Part: agent.Part{Seq: seq, Kind: agent.PartThought, Text: s}}
}

func more(seq uint64, s string) agent.Fact { return agent.PartAppended{Seq: seq, Text: s} }

func tool(seq uint64, at time.Time, c agent.ToolCall) agent.Fact {
	return agent.PartSet{Part: agent.Part{Seq: seq, Kind: agent.PartTool, At: at, Tool: c}}
}

func said(s string) []agent.ToolContent {
	b := agent.TextBlock(s)
	return []agent.ToolContent{{Block: &b}}
}

// aTurn is a turn with a bit of everything.
func aTurn() *story {
	s := newStory()
	s.after(0, agent.SessionReady{Info: agent.SessionInfo{
		Agent: "demo", Version: "1.2", Options: []agent.Option{{ID: "model", Category: "model", Current: "ok"}},
	}})
	s.after(5, agent.TurnStarted{Generation: 1})
	s.after(200, thought(1, "The user wants the tests to pass. "))
	s.after(10, more(1, "I should look at the code first, then run them."))
	s.after(90, text(2, "I will look at the file and then "))
	s.after(20, more(2, "run the te"))
	s.after(20, more(2, "sts. A line that is long enough to be wrapped even on a wide terminal, since it goes on and on."))
	began := s.at
	read := agent.ToolCall{ID: "t1", Title: "main.go", Kind: "read", Status: agent.ToolInProgress}
	s.after(5, tool(3, began, read))
	read.Status, read.Content = agent.ToolCompleted, said("package main\n\nimport \"os\"\n\nfunc main() {\n\tos.Exit(run())\n}\n// a\n// b\n// c\n")
	s.after(240, tool(3, began, read))
	before := "one\ntwo\nthree\n"
	s.after(30, tool(4, s.at, agent.ToolCall{
		ID: "t2", Title: "Edit main.go", Kind: "edit", Status: agent.ToolCompleted,
		Content: []agent.ToolContent{{Diff: &agent.Diff{Path: "main.go", Old: &before, New: "one\n2\nthree\nfour\n"}}},
	}))
	began = s.at
	s.after(4100, tool(5, began, agent.ToolCall{
		ID: "t3", Title: "go test ./... -run 'TestOfAVeryLongName/with_a_case' -count=1 -timeout=120s", Kind: "execute",
		Status: agent.ToolFailed, Content: said("--- FAIL: TestOfAVeryLongName\nFAIL\n"),
	}))
	s.after(50, agent.PartSet{Part: agent.Part{Seq: 6, Kind: agent.PartPlan, Plan: []agent.PlanEntry{
		{Content: "Read the code", Status: "completed"},
		{Content: "Repair what fails", Status: "in_progress"},
		{Content: "Run the tests again, and say what they showed in a few plain words", Status: "pending"},
	}}})
	s.after(50, text(7, "The test fails because `2` is no word.\n\n"))
	s.after(50, more(7, "    keep this indent\nDone."))
	s.after(10, agent.UsageSet{Usage: agent.Usage{Used: 12345, Size: 200000, Cost: 0.0312, Currency: "USD"}})
	s.after(10, agent.TurnSettled{Outcome: agent.Completed, Stop: agent.EndTurn})
	return s
}

// aFailure is a turn that an exhausted quota ended.
func aFailure() *story {
	s := newStory()
	s.after(0, agent.SessionReady{Info: agent.SessionInfo{Agent: "OpenCode", Version: "1.18.33"}}, agent.TurnStarted{Generation: 1})
	s.after(100, text(1, "Let me see"))
	s.after(60000, agent.RetryAnnounced{Attempt: 2})
	s.after(1000, agent.CancelStepped{Step: agent.CancelSent})
	s.after(10, tool(2, s.at, agent.ToolCall{ID: "x", Title: "sleep 300", Kind: "execute", Status: agent.ToolInProgress}))
	return s.after(90, agent.TurnSettled{Outcome: agent.Failed, Failure: &agent.Failure{
		Code: "quota_limited", Message: "Weekly usage limit reached.", Model: "kimi-k2",
		Link: "https://opencode.ai/workspace/w1/go", Hint: "hint.other_model",
	}})
}

func looks() map[string]terminal.Look {
	return map[string]terminal.Look{
		"wide":     {Width: 80, Color: true, Live: true, Unicode: true},
		"narrow":   {Width: 40, Color: false, Live: false, Unicode: true},
		"no-color": {Width: 80, Live: true, Unicode: true},
		"plain":    {},
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got))
}

func draw(t *testing.T, look terminal.Look, entries []agent.Entry) []byte {
	t.Helper()
	var out bytes.Buffer
	p := terminal.NewPrinter(&out, look, english(t))
	for _, e := range entries {
		p.Entries([]agent.Entry{e})
	}
	end := entries[len(entries)-1].Fact.(agent.TurnSettled)
	p.Ending(end.Outcome, entries[len(entries)-1].At.Sub(entries[1].At))
	p.Card(end.Failure)
	require.NoError(t, p.Err())
	return out.Bytes()
}

func TestATurnIsDrawn(t *testing.T) {
	for name, look := range looks() {
		t.Run(name, func(t *testing.T) {
			golden(t, "turn-"+name, draw(t, look, aTurn().entries))
			golden(t, "failure-"+name, draw(t, look, aFailure().entries))
		})
	}
}

func TestNoLineIsWiderThanThePage(t *testing.T) {
	for _, width := range []int{20, 40, 80} {
		for _, s := range []*story{aTurn(), aFailure()} {
			got := draw(t, terminal.Look{Width: width, Unicode: true}, s.entries)
			for line := range strings.SplitSeq(string(got), "\n") {
				assert.LessOrEqual(t, ansi.StringWidth(line), width, "%q", line)
			}
		}
	}
}

// What comes in one batch and what comes piece by piece reads the same.
func TestBatchesMakeNoDifference(t *testing.T) {
	look := terminal.Look{Width: 60, Unicode: true}
	one := draw(t, look, aTurn().entries)
	var out bytes.Buffer
	p := terminal.NewPrinter(&out, look, english(t))
	s := aTurn()
	p.Entries(s.entries)
	p.Ending(agent.Completed, s.entries[len(s.entries)-1].At.Sub(s.entries[1].At))
	assert.Equal(t, string(one), out.String())
}

func TestTextThatIsTakenBackIsToldAgain(t *testing.T) {
	var out bytes.Buffer
	p := terminal.NewPrinter(&out, terminal.Look{}, english(t))
	p.Entries(newStory().after(0, agent.TurnStarted{Generation: 1}, text(1, "Hello wor"), text(1, "Hello world"), text(1, "Good day")).entries)
	p.Break()
	assert.Equal(t, "Hello world\n\nGood day\n", out.String())
}

func TestALiveLineTellsWhatIsAtWorkAndGoesAway(t *testing.T) {
	var out bytes.Buffer
	p := terminal.NewPrinter(&out, terminal.Look{Width: 40, Live: true, Unicode: true}, english(t))
	s := newStory().after(0, agent.TurnStarted{Generation: 1})
	s.after(0, tool(1, s.at, agent.ToolCall{ID: "a", Title: "sleep 300", Kind: "execute"}))
	p.Entries(s.entries)
	out.Reset()
	p.Tick(s.at.Add(12 * time.Second))
	assert.Equal(t, "\r\x1b[2K▸ execute  sleep 300  12 s", out.String())
	out.Reset()
	p.Entries(newStory().after(13000, text(2, "back ")).entries)
	assert.Equal(t, "\r\x1b[2Kback", out.String())
	out.Reset()
	p.Tick(s.at.Add(14 * time.Second))
	assert.Empty(t, out.String(), "no live line in the middle of a text")
}

func TestHostileTextCannotActOnTheTerminal(t *testing.T) {
	evil := "x\x1b]52;c;cm0=\x07\x1b[2J\u009b31m\u202e\x07\r\ny"
	s := newStory().after(0,
		agent.SessionReady{Info: agent.SessionInfo{Agent: evil, Version: evil, Options: []agent.Option{{Category: "model", Current: evil}}}},
		agent.TurnStarted{Generation: 1}, text(1, evil), more(1, "\x1b"), more(1, "]0;owned\x07"), thought(2, evil),
		tool(3, time.Time{}, agent.ToolCall{ID: evil, Title: evil, Kind: evil, Status: agent.ToolFailed, Content: append(said(evil),
			agent.ToolContent{Diff: &agent.Diff{Path: evil, New: evil}},
			agent.ToolContent{Block: &agent.Block{Kind: agent.BlockLink, Name: evil, URI: evil}})}),
		agent.PartSet{Part: agent.Part{Seq: 4, Kind: agent.PartPlan, Plan: []agent.PlanEntry{{Content: evil, Status: evil}}}},
		agent.PartSet{Part: agent.Part{Seq: 5, Kind: agent.PartText, Blocks: []agent.Block{{Kind: agent.BlockImage, Mime: evil}}}},
		agent.Noticed{Notice: agent.Notice{Kind: "quiet", Args: map[string]string{"tool": evil}}},
		agent.UsageSet{Usage: agent.Usage{Cost: 1, Currency: evil}},
	)
	var out bytes.Buffer
	p := terminal.NewPrinter(&out, terminal.Look{Width: 80, Unicode: true}, english(t))
	p.Entries(s.entries)
	p.Question(agent.Ask{
		Kind: agent.AskPermission, Tool: agent.ToolCall{Title: evil, Kind: evil, RawInput: []byte(`{"command":"a\u001b[2Jb","` + "\u202e" + `":"z"}`)},
		Options: []agent.AskOption{{ID: "a", Name: evil}},
	}, evil)
	p.Ending(agent.Failed, 0)
	p.Card(&agent.Failure{Code: "quota_limited", Message: evil, Model: evil, Link: evil, Hint: "hint.log_in", Args: map[string]string{"methods": evil}})
	assert.True(t, harmless(out.String()), "%q", out.String())
	assert.NotContains(t, out.String(), "owned")
}

type brokenWriter struct{ writes int }

var errBroken = errors.New("broken")

func (w *brokenWriter) Write([]byte) (int, error) { w.writes++; return 0, errBroken }

func TestTheFirstErrorOfTheWriterSticks(t *testing.T) {
	w := &brokenWriter{}
	p := terminal.NewPrinter(w, terminal.Look{}, english(t))
	p.Entries(aTurn().entries)
	assert.ErrorIs(t, p.Err(), errBroken)
	assert.Equal(t, 1, w.writes)
}

func BenchmarkPrinterFlood(b *testing.B) {
	p := terminal.NewPrinter(&bytes.Buffer{}, terminal.Look{Width: 80, Unicode: true}, english(b))
	p.Entries(newStory().after(0, agent.TurnStarted{Generation: 1}, text(1, "go ")).entries)
	chunk := []agent.Entry{{Fact: more(1, "a few words of text ")}}
	for b.Loop() {
		p.Entries(chunk)
	}
}
