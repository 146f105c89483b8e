package core

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
)

func entry(s agent.SessionID, f agent.Fact) agent.Entry { return agent.Entry{Session: s, Fact: f} }

func TestASlowWatcherLosesNothingAndHoldsItMerged(t *testing.T) {
	c := &Core{hub: newHub()}
	w := c.Watch("s")
	c.hub.publish([]agent.Entry{entry("s", agent.PartSet{Part: agent.Part{Seq: 1, Text: "a"}})})
	for i := range 10_000 {
		c.hub.publish([]agent.Entry{entry("s", agent.PartAppended{Seq: 1, Offset: 1 + i, Text: "b"})})
		c.hub.publish([]agent.Entry{entry("other", agent.PartAppended{Seq: 1, Text: "x"})})
	}
	c.hub.publish([]agent.Entry{entry("s", agent.TurnSettled{Outcome: agent.Completed})})
	<-w.Ready()
	got, ok := w.Take()
	require.True(t, ok)
	require.Len(t, got, 3)
	assert.Equal(t, agent.PartAppended{Seq: 1, Offset: 1, Text: strings.Repeat("b", 10_000)}, got[1].Fact)
	assert.Equal(t, agent.Completed, got[2].Fact.(agent.TurnSettled).Outcome)
	assert.Empty(t, w.Ready())
}

func TestAWatchOfAllHearsEverySession(t *testing.T) {
	c := &Core{hub: newHub()}
	w := c.Watch("")
	c.hub.publish([]agent.Entry{
		entry("a", agent.PartAppended{Seq: 1, Text: "x"}),
		entry("b", agent.PartAppended{Seq: 1, Text: "y"}),
		entry("b", agent.PartAppended{Seq: 2, Text: "z"}),
	})
	got, _ := w.Take()
	assert.Len(t, got, 3, "texts of different sessions or parts are not joined")
}

func TestAClosedWatchGivesWhatItHadThenEnds(t *testing.T) {
	c := &Core{hub: newHub()}
	w := c.Watch("s")
	c.hub.publish([]agent.Entry{entry("s", agent.TitleSet{Title: "x"})})
	c.hub.close()
	got, ok := w.Take()
	assert.Len(t, got, 1)
	assert.True(t, ok)
	_, ok = w.Take()
	assert.False(t, ok)
	w.Close()
	c.hub.publish([]agent.Entry{entry("s", agent.TitleSet{Title: "y"})})
	_, ok = w.Take()
	assert.False(t, ok)
	late := c.Watch("s")
	_, ok = late.Take()
	assert.False(t, ok, "a watch made after the end ends at once")
}
