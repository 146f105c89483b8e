package history_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"turnwatch/backend/agent"
)

func TestTextGrowsAndIsFoundOnceItIsSealed(t *testing.T) {
	p := mustPlace(t, t.TempDir())
	p.store(t, 1, agent.TurnStarted{Generation: 1, Prompt: prompt("p1", "go")}, text(1, "Hello"))
	p.store(t, 1, agent.PartAppended{Seq: 1, Text: ", wor"})
	p.store(t, 1, agent.PartAppended{Seq: 1, Text: "ld"}, agent.PartAppended{Seq: 1, Text: "."})
	assert.Equal(t, []string{"1:Hello, world."}, texts(t, p.Store, p.session))
	assert.Empty(t, found(t, p.Store, "world"))

	p.store(t, 1, text(2, "Next"))
	assert.Equal(t, []string{"1:Hello, world.", "2:Next"}, texts(t, p.Store, p.session))
	assert.Equal(t, []string{"s1/1"}, found(t, p.Store, "world"))

	p.store(t, 1, agent.PartAppended{Seq: 1, Text: " Again"})
	assert.Equal(t, []string{"1:Hello, world. Again", "2:Next"}, texts(t, p.Store, p.session))
	p.store(t, 1, agent.TurnSettled{Outcome: agent.Completed})
	assert.Equal(t, []string{"1:Hello, world. Again", "2:Next"}, texts(t, p.Store, p.session))
	assert.Equal(t, []string{"s1/1"}, found(t, p.Store, "again"))
	assert.Equal(t, []string{"s1/2"}, found(t, p.Store, "nex"))
}
