package turn_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
)

// at is a chunk that was read at a moment, in milliseconds.
func at(ms int, id, text string) agent.Event {
	e := chunk(1, id, text).(agent.Updated)
	e.Stamp.At = time.UnixMilli(int64(ms))
	return e
}

// The times of the first row are those of a recorded OpenCode turn whose provider
// stream was cut again and again.
func TestTextThatARetriedStreamRepeatsIsShownOnce(t *testing.T) {
	rows := []struct {
		name   string
		chunks []agent.Event
		want   string
	}{
		{"cut five times, at different places", []agent.Event{
			at(100210, "m", "word0 "), at(100210, "m", "word1 "), at(100215, "m", "word2 "),
			at(103335, "m", "word0 "), at(103513, "m", "word1 "), at(103717, "m", "word2 "),
			at(108402, "m", "word0 "),
			at(117311, "m", "word0 "), at(117311, "m", "word1 "),
			at(134822, "m", "word0 "), at(134822, "m", "word1 "), at(134841, "m", "word2 "),
		}, "word0 word1 word2 "},
		{"the retry goes on", []agent.Event{
			at(0, "m", "word0 "), at(1, "m", "word1 "), at(2, "m", "word2 "),
			at(3000, "m", "word0 "), at(3001, "m", "word1 "), at(3002, "m", "word2 "), at(3003, "m", "word3 "), at(3004, "m", "word4"),
		}, "word0 word1 word2 word3 word4"},
		{"the first retry broke off earlier", []agent.Event{
			at(0, "m", "word0 word1 "), at(1, "m", "word2 word3"),
			at(3000, "m", "word0 word1 "), at(9000, "m", "word0 word1 "), at(9001, "m", "word2 word3"), at(9002, "m", "!"),
		}, "word0 word1 word2 word3!"},
		{"an author who repeats himself without a pause", []agent.Event{
			at(0, "m", "again and again. "), at(10, "m", "again and again. "), at(20, "m", "done"),
		}, "again and again. again and again. done"},
		{"a beginning like the first, then something else", []agent.Event{
			at(0, "m", "- one thing here\n"), at(2000, "m", "- "), at(2001, "m", "two\n"),
		}, "- one thing here\n- two\n"},
		{"a short text said twice is kept", []agent.Event{at(0, "m", "ha "), at(2000, "m", "ha "), at(4000, "m", "ha ")}, "ha ha ha "},
		{"without a message id nothing is held back", []agent.Event{
			at(0, "", "said once, in full. "), at(3000, "", "said once, in full. "),
		}, "said once, in full. said once, in full. "},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			r := running(t).do(row.chunks...).do(answer(1, agent.EndTurn))
			assert.Equal(t, []string{row.want}, texts(r))
		})
	}
}

func TestChunksGrowThePartThatTheyBelongTo(t *testing.T) {
	r := running(t).do(
		chunk(1, "a", "one "), chunk(1, "b", "two "), chunk(1, "a", "more"), // by id, interleaved
		tool(1, "t", agent.ToolPending),
		chunk(1, "", "three "), thought(1, "hm "), thought(1, "so"), chunk(1, "", "four"),
	)
	assert.Equal(t, []string{"one more", "two ", "three ", "hm so", "four"}, texts(r))
}

func TestPartsAreNumberedInOrder(t *testing.T) {
	r := running(t).do(chunk(1, "a", "x"), tool(1, "t", ""), plan(1), plan(1), tool(1, "t", agent.ToolCompleted))
	var seqs []uint64
	for _, f := range of[agent.PartSet](r) {
		seqs = append(seqs, f.Part.Seq)
	}
	assert.Equal(t, []uint64{1, 2, 3, 4, 4, 3}, seqs)
}

func TestAToolKeepsItsFirstNameAndWhatItHad(t *testing.T) {
	update := func(c agent.ToolCall) agent.Event {
		c.ID = "t"
		return agent.Updated{Stamp: agent.Stamp{Generation: 1}, Update: agent.Update{Kind: agent.ToolChanged, Tool: c}}
	}
	r := running(t).do(
		update(agent.ToolCall{Title: "bash", Kind: "execute"}),
		update(agent.ToolCall{Title: "echo hello", Status: agent.ToolInProgress, RawInput: []byte(`{"command":"echo hello"}`)}),
		update(agent.ToolCall{Status: agent.ToolCompleted}),
	)
	parts := of[agent.PartSet](r)
	assert.Equal(t, agent.ToolCall{
		ID: "t", Name: "bash", Title: "echo hello", Kind: "execute",
		Status: agent.ToolCompleted, RawInput: []byte(`{"command":"echo hello"}`),
	}, parts[len(parts)-1].Part.Tool)
}

func TestLateUpdatesAreKeptAndChangeNoState(t *testing.T) {
	r := running(t).do(chunk(1, "m", "x"), answer(1, agent.EndTurn))
	before := r.state.View()
	r.do(chunk(1, "late", "after the end"), tool(1, "lt", agent.ToolCompleted))
	assert.Equal(t, before, r.state.View())
	parts := of[agent.PartSet](r)
	require.Len(t, parts, 4)
	assert.True(t, parts[2].Part.Late)
	assert.True(t, parts[3].Part.Late)
}

func TestAnUpdateOfAKnownIdBelongsToTheTurnThatFirstCarriedIt(t *testing.T) {
	r := running(t).do(tool(1, "t", agent.ToolInProgress), chunk(1, "m", "x"), answer(1, agent.EndTurn), submit("p2"))
	epoch := r.state.View().Epoch
	r.do(tool(2, "t", agent.ToolCompleted), chunk(2, "m", " y"))
	assert.Equal(t, epoch, r.state.View().Epoch, "the old turn's updates are no activity of the new one")
	r.do(answer(2, agent.EndTurn))
	assert.Equal(t, agent.EndedEmpty, settled(r)[1].Outcome)
	assert.Equal(t, []string{"x y"}, texts(r))
}

func TestReplayedHistoryAndEchoesOfTheUserAreNotRecordedAgain(t *testing.T) {
	r := running(t)
	n := len(r.facts)
	replayed := chunk(1, "m", "old").(agent.Updated)
	replayed.Update.Replayed = true
	r.do(replayed, agent.Updated{Stamp: agent.Stamp{Generation: 1}, Update: agent.Update{Kind: agent.UserChunk, Block: agent.TextBlock("do p1")}})
	assert.Len(t, r.facts, n)
}

func TestAnUpdateOfAnUnknownKindIsKept(t *testing.T) {
	r := running(t).do(agent.Updated{Stamp: agent.Stamp{Generation: 1}, Update: agent.Update{Kind: "compaction_update", Raw: []byte(`{"x":1}`)}})
	parts := of[agent.PartSet](r)
	last := parts[len(parts)-1].Part
	assert.Equal(t, agent.PartOther, last.Kind)
	assert.Equal(t, "compaction_update", last.Key)
	assert.JSONEq(t, `{"x":1}`, string(last.Raw))
	r.do(answer(1, agent.EndTurn))
	assert.Equal(t, agent.EndedEmpty, settled(r)[0].Outcome, "it is no output")
}

// Words of the agent about itself are shown, but neither prove that it works nor
// are they an answer.
func TestANoticeOfTheAgentIsShownAndMovesNothing(t *testing.T) {
	notice := agent.Updated{Stamp: agent.Stamp{Generation: 1}, Update: agent.Update{
		Kind: agent.NoticeSent, Block: agent.TextBlock("Hooks are off."), NotOutput: true,
	}}
	r := running(t)
	before := r.state.View()
	r.do(notice, notice)
	assert.Equal(t, before, r.state.View())
	parts := of[agent.PartSet](r)
	require.Len(t, parts, 3, "the prompt, and each notice by itself")
	last := parts[2].Part
	assert.True(t, last.Notice())
	assert.Equal(t, agent.PartText, last.Kind)
	assert.Equal(t, "Hooks are off.", last.Text)
	r.do(answer(1, agent.EndTurn))
	assert.Equal(t, agent.EndedEmpty, settled(r)[0].Outcome, "it is no output")
}

func TestAToolEndsOnce(t *testing.T) {
	when := func(ms int64, st agent.ToolStatus) agent.Event {
		e := tool(1, "t", st).(agent.Updated)
		e.Stamp.At = time.UnixMilli(ms)
		return e
	}
	r := running(t).do(when(30, agent.ToolInProgress), when(90, agent.ToolCompleted), when(500, agent.ToolCompleted))
	var ends []int64
	for _, f := range of[agent.PartSet](r) {
		if f.Part.Kind == agent.PartTool && !f.Part.Ended.IsZero() {
			ends = append(ends, f.Part.Ended.UnixMilli())
		}
	}
	assert.Equal(t, []int64{90, 90}, ends)
}
