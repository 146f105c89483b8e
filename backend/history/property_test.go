package history_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
)

// model is what a history has to say, kept in the simplest way there is.
type model struct {
	parts []agent.Part // seq is the place + 1
	queue []agent.Prompt
	gen   agent.Generation
	open  bool
	ends  map[agent.Generation]agent.Outcome
	n     int
}

var kinds = []agent.PartKind{agent.PartPrompt, agent.PartText, agent.PartThought, agent.PartTool, agent.PartPlan, agent.PartOther}

// fact draws a fact that may come next and applies it to the model.
func (m *model) fact(t *rapid.T) agent.Fact {
	m.n++
	switch k := rapid.IntRange(0, 19).Draw(t, "what"); {
	case k < 3:
		return m.add(t)
	case k < 15 && len(m.parts) > 0:
		return m.change(t)
	case k < 17:
		p := prompt(fmt.Sprintf("p%d", m.n), rapid.StringN(0, 20, 100).Draw(t, "prompt"))
		m.queue = append(m.queue, p)
		return agent.PromptQueued{Prompt: p}
	case k < 18 && len(m.queue) > 0:
		id := m.queue[0].ID
		m.queue = m.queue[1:]
		return agent.PromptRemoved{ID: id}
	case m.open:
		outcome := rapid.SampledFrom([]agent.Outcome{agent.Completed, agent.Failed, agent.Cancelled}).Draw(t, "outcome")
		m.open, m.ends[m.gen] = false, outcome
		return agent.TurnSettled{Outcome: outcome}
	default:
		m.gen++
		m.open, m.ends[m.gen] = true, ""
		p := prompt(fmt.Sprintf("q%d", m.n), "go")
		if len(m.queue) > 0 {
			p, m.queue = m.queue[0], m.queue[1:]
		}
		return agent.TurnStarted{Generation: m.gen, Prompt: p}
	}
}

func (m *model) add(t *rapid.T) agent.Fact {
	p := agent.Part{
		Seq: uint64(len(m.parts) + 1), Generation: m.gen, Kind: rapid.SampledFrom(kinds).Draw(t, "kind"),
		Key: fmt.Sprint("k", m.n), At: when.Add(time.Duration(m.n) * time.Millisecond),
		Text: rapid.String().Draw(t, "text"), Late: !m.open,
	}
	switch p.Kind {
	case agent.PartTool:
		p.Text, p.Tool = "", agent.ToolCall{ID: p.Key, Title: rapid.String().Draw(t, "title"), Status: agent.ToolPending}
	case agent.PartPlan:
		p.Text, p.Plan = "", []agent.PlanEntry{{Content: rapid.String().Draw(t, "plan"), Status: "pending", Priority: "high"}}
	case agent.PartOther:
		p.Text, p.Raw = "", []byte(`{"sessionUpdate":"new"}`)
	}
	m.parts = append(m.parts, p)
	return agent.PartSet{Part: p}
}

// change extends or replaces one of the latest parts, sealed or not.
func (m *model) change(t *rapid.T) agent.Fact {
	p := &m.parts[len(m.parts)-1-rapid.IntRange(0, min(3, len(m.parts)-1)).Draw(t, "back")]
	switch p.Kind {
	case agent.PartTool:
		p.Tool.Status = rapid.SampledFrom([]agent.ToolStatus{agent.ToolInProgress, agent.ToolCompleted}).Draw(t, "status")
		return agent.PartSet{Part: *p}
	case agent.PartText, agent.PartThought:
		if rapid.IntRange(0, 3).Draw(t, "replace") == 0 {
			p.Text = rapid.String().Draw(t, "anew")
			return agent.PartSet{Part: *p}
		}
		more := rapid.String().Draw(t, "more")
		p.Text += more
		return agent.PartAppended{Seq: p.Seq, Offset: len(p.Text) - len(more), Text: more}
	}
	return agent.PartSet{Part: *p}
}

// die makes of the model what recovery makes of a history whose owner is gone.
func (m *model) die() {
	if !m.open {
		return
	}
	m.open, m.ends[m.gen] = false, agent.Interrupted
	for i := range m.parts {
		if p := &m.parts[i]; p.Kind == agent.PartTool && p.Tool.Status.Open() {
			p.Tool.Status = agent.ToolCancelled
		}
	}
}

func (m *model) check(t require.TestingT, s *history.Store) {
	ctx := context.Background()
	var parts []agent.Part
	for {
		page, err := s.Parts(ctx, history.PartQuery{Session: "s1", From: uint64(len(parts) + 1), Limit: 7})
		require.NoError(t, err)
		if len(page) == 0 {
			break
		}
		parts = append(parts, page...)
	}
	require.Equal(t, len(m.parts), len(parts))
	for i := range parts {
		require.Equal(t, m.parts[i], parts[i])
	}
	snap, err := s.Restore(ctx, "s1")
	require.NoError(t, err)
	require.Equal(t, m.gen, snap.Session.Generation)
	require.EqualValues(t, len(m.parts), snap.Session.LastSeq)
	require.True(t, slices.EqualFunc(m.queue, snap.Queue, func(a, b agent.Prompt) bool {
		return a.ID == b.ID && a.Blocks[0].Text == b.Blocks[0].Text
	}), "queue %v, not %v", snap.Queue, m.queue)
	require.Equal(t, m.open, snap.Open != nil)
	turns, err := s.Turns(ctx, "s1", 0, 500)
	require.NoError(t, err)
	require.Len(t, turns, len(m.ends))
	for _, turn := range turns {
		var outcome agent.Outcome
		if turn.End != nil {
			outcome = turn.End.Outcome
		}
		require.Equal(t, m.ends[turn.Generation], outcome, "turn %d", turn.Generation)
	}
}

// Whatever is recorded, however it falls into batches and commits, and wherever
// the program is closed and opened again, the same is read back.
func TestWhatIsRecordedIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "history")
		require.NoError(t, err)
		defer os.RemoveAll(dir)
		s := openModel(t, dir)
		defer func() { s.Close(context.Background()) }()
		require.NoError(t, s.CreateTask(context.Background(), history.Task{ID: "t1"}))
		require.NoError(t, s.CreateSession(context.Background(), history.NewSession{ID: "s1", Task: "t1"}))
		m := &model{ends: map[agent.Generation]agent.Outcome{}}
		for range rapid.IntRange(1, 40).Draw(t, "batches") {
			var batch []agent.Entry
			for range rapid.IntRange(1, 3).Draw(t, "facts") {
				f := m.fact(t)
				batch = append(batch, agent.Entry{Task: "t1", Session: "s1", Generation: m.gen, At: when, Fact: f})
			}
			s.Record(batch, true, func(err error) {
				if err != nil {
					t.Errorf("refused: %v", err)
				}
			})
			switch rapid.IntRange(0, 9).Draw(t, "then") {
			case 0, 1, 2, 3, 4:
				require.NoError(t, s.Flush(context.Background()))
				m.check(t, s)
			case 5:
				require.NoError(t, s.Close(context.Background()))
				s = openModel(t, dir)
				m.die()
				m.check(t, s)
			}
		}
		require.NoError(t, s.Flush(context.Background()))
		m.check(t, s)
	})
}

func openModel(t *rapid.T, dir string) *history.Store {
	s, _, err := history.Open(context.Background(), history.Options{Dir: dir})
	require.NoError(t, err)
	return s
}
