package history_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
)

// library has one part of each kind that can be searched, and some that cannot.
func library(tb testing.TB) *place {
	p := mustPlace(tb, tb.TempDir())
	part := func(seq uint64, k agent.PartKind, s string) agent.PartSet {
		return agent.PartSet{Part: agent.Part{Seq: seq, Generation: 1, Kind: k, Text: s}}
	}
	p.store(tb, 1,
		agent.TurnStarted{Generation: 1, Prompt: prompt("p1", "go")},
		part(1, agent.PartPrompt, "Please fix the parser in internal/parse.go"),
		part(2, agent.PartThought, "The café is naïve about \"quotes\" AND brackets"),
		part(3, agent.PartText, "I changed foo.bar_baz(); and 100% of it* works NOT badly"),
		agent.PartSet{Part: agent.Part{Seq: 4, Kind: agent.PartTool, Tool: agent.ToolCall{ID: "c", Title: "Run gofmt -l", Status: agent.ToolCompleted}}},
		agent.PartSet{Part: agent.Part{Seq: 5, Kind: agent.PartOther, Raw: []byte("hidden")}},
		agent.TurnSettled{Outcome: agent.Completed})
	return p
}

func TestSearch(t *testing.T) {
	p := library(t)
	rows := []struct {
		name, words string
		want        []string
	}{
		{"a prompt", "parser", []string{"s1/1"}},
		{"a thought", "brackets", []string{"s1/2"}},
		{"a text", "changed", []string{"s1/3"}},
		{"a tool by its title", "gofmt", []string{"s1/4"}},
		{"the beginning of the last word", "pars", []string{"s1/1"}},
		{"a whole last word, shown by a blank", "pars ", nil},
		{"the beginning of another word is not enough", "pars fix", nil},
		{"all words are wanted", "fix parser", []string{"s1/1"}},
		{"in any order", "parser fix", []string{"s1/1"}},
		{"of one part", "fix brackets", nil},
		{"case and accents do not matter", "CAFE NAIVE", []string{"s1/2"}},
		{"a name with dots", "foo.bar_baz", []string{"s1/3"}},
		{"a path", "internal/parse.go", []string{"s1/1"}},
		{"an operator is a word", "naive AND", []string{"s1/2"}},
		{"another operator is a word", "works NOT", []string{"s1/3"}},
		{"quotes are no syntax", `"quotes"`, []string{"s1/2"}},
		{"an odd quote", `quotes"`, []string{"s1/2"}},
		{"brackets and stars", "(brackets* ", []string{"s1/2"}},
		{"a column filter", "text:changed", nil},
		{"signs beside words are left out", "-- fix ???", []string{"s1/1"}},
		{"the newest first", "th", []string{"s1/2", "s1/1"}},
		{"nothing", "", nil},
		{"blanks", " \t\n ", nil},
		{"signs alone", `"*(){}:^-`, nil},
		{"zero bytes", "par\x00ser", []string{"s1/1"}},
		{"broken UTF-8", "fix\xff", []string{"s1/1"}},
		{"what is not searched", "hidden", nil},
		{"a word that is not there", "zebra", nil},
		{"a very long word", strings.Repeat("x", 100000), nil},
		{"very many words", strings.Repeat("fix ", 10000), []string{"s1/1"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) { assert.Equal(t, row.want, found(t, p.Store, row.words)) })
	}
}

func TestSnippetsMarkWhatWasFound(t *testing.T) {
	p := library(t)
	p.store(t, 2, agent.PartSet{Part: agent.Part{Seq: 6, Kind: agent.PartPrompt,
		Text: "a \x02false\x03 mark around zebra " + strings.Repeat("and more ", 100)}})
	require.NoError(t, p.Flush(t.Context()))
	hits, err := p.Search(t.Context(), "zeb", 0)
	require.NoError(t, err)
	require.Len(t, hits, 1)
	h := hits[0]
	assert.Equal(t, "A task", h.Title)
	assert.Equal(t, agent.PartPrompt, h.Kind)
	assert.Contains(t, h.Snippet, history.Span{Text: "zebra", Match: true})
	var all strings.Builder
	for _, s := range h.Snippet {
		all.WriteString(s.Text)
	}
	assert.NotContains(t, all.String(), "\x02")
	assert.Less(t, all.Len(), 200)
}

func TestSearchLeavesDeletedTasksOut(t *testing.T) {
	p := library(t)
	require.NoError(t, p.DeleteTask(t.Context(), p.task))
	assert.Empty(t, found(t, p.Store, "parser"))
	require.NoError(t, p.UndeleteTask(t.Context(), p.task))
	assert.Equal(t, []string{"s1/1"}, found(t, p.Store, "parser"))
}

func FuzzSearch(f *testing.F) {
	for _, s := range []string{"fix", `"`, "a*", "NEAR(a b)", "-x", "\x00", "ab\xffc", "text : x", "日本", "'; DROP TABLE parts"} {
		f.Add(s)
	}
	p := library(f)
	f.Fuzz(func(t *testing.T, typed string) {
		hits, err := p.Search(t.Context(), typed, 5)
		if err != nil {
			t.Fatalf("search %q: %v", typed, err)
		}
		for _, h := range hits {
			for _, s := range h.Snippet {
				if s.Text == "" || !utf8.ValidString(s.Text) {
					t.Errorf("search %q: snippet %q", typed, s.Text)
				}
			}
		}
		if _, err := p.Tasks(t.Context(), history.TaskFilter{Text: typed}); err != nil {
			t.Fatalf("filter tasks by %q: %v", typed, err)
		}
	})
}

func TestTurnsAreFoundByWhatWasSaidInThem(t *testing.T) {
	p := library(t)
	p.store(t, 2,
		agent.TurnStarted{Generation: 2, Prompt: prompt("p2", "and again")},
		agent.PartSet{Part: agent.Part{Seq: 6, Generation: 2, Kind: agent.PartText, Text: "Nothing was left to do."}},
		agent.TurnSettled{Outcome: agent.Completed})
	rows := []struct {
		name, text string
		want       []agent.Generation
	}{
		{"the title of the task", "a task", []agent.Generation{2, 1}},
		{"the prompt", "and aga", []agent.Generation{2}},
		{"what the agent said", "nothing left", []agent.Generation{2}},
		{"what it thought", "brackets", []agent.Generation{1}},
		{"the beginning of a word", "chang", []agent.Generation{1}},
		{"what nobody said", "elephant", []agent.Generation{}},
		{"no word at all", "%", []agent.Generation{}},
	}
	for _, tt := range rows {
		t.Run(tt.name, func(t *testing.T) {
			got, err := p.PastTurns(t.Context(), history.PastFilter{Text: tt.text})
			require.NoError(t, err)
			turns := []agent.Generation{}
			for _, past := range got {
				turns = append(turns, past.Turn)
			}
			assert.Equal(t, tt.want, turns)
		})
	}
}
