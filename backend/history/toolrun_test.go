package history_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
)

func (p *place) quiet(t *testing.T, kind agent.Kind, tool string) string {
	t.Helper()
	runs, longest, err := p.ToolQuiet(t.Context(), kind, tool)
	require.NoError(t, err)
	return fmt.Sprintf("%d %s", runs, longest)
}

func TestRunsOfAToolAreCountedByAgentAndName(t *testing.T) {
	p := mustPlace(t, t.TempDir())
	assert.Equal(t, "0 0s", p.quiet(t, agent.Demo, "bash"), "nothing is known yet")
	for i := range 41 {
		p.store(t, 1, agent.ToolFinished{Name: "bash", Quiet: time.Duration(i) * time.Second})
	}
	p.store(t, 1, agent.ToolFinished{Name: "bash", Quiet: 0})
	assert.Equal(t, "42 40s", p.quiet(t, agent.Demo, "bash"))
	assert.Equal(t, "0 0s", p.quiet(t, agent.OpenCode, "bash"), "another agent's tool of that name")
	assert.Equal(t, "0 0s", p.quiet(t, agent.Demo, "grep"))
}

func TestNamesOfToolsWithoutEndAreForgotten(t *testing.T) {
	p := mustPlace(t, t.TempDir())
	var facts []agent.Fact
	for i := range 520 {
		facts = append(facts, agent.ToolFinished{Name: fmt.Sprint("tool ", i), Quiet: time.Second})
	}
	p.store(t, 1, facts...)
	assert.Equal(t, "0 0s", p.quiet(t, agent.Demo, "tool 19"), "the oldest go first")
	assert.Equal(t, "1 1s", p.quiet(t, agent.Demo, "tool 20"))
	assert.Equal(t, "1 1s", p.quiet(t, agent.Demo, "tool 519"))

	long := strings.Repeat("é", 150)
	p.store(t, 1, agent.ToolFinished{Name: long})
	p.store(t, 1, agent.ToolFinished{Name: long + "x"})
	assert.Equal(t, "2 0s", p.quiet(t, agent.Demo, long), "what is kept of a name is cut on a character")
}
