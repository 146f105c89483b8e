package turn_test

import (
	"testing"
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/turn"
)

// BenchmarkStep is the cost of one streamed chunk through the machine.
func BenchmarkStep(b *testing.B) {
	now := agent.Moment{}
	s := turn.New()
	s, _ = turn.Step(s, agent.Submit{Prompt: agent.Prompt{ID: "p", Blocks: []agent.Block{agent.TextBlock("go")}}}, now, turn.Policy{})
	s, _ = turn.Step(s, agent.Persisted{Seq: 1}, now, turn.Policy{})
	s, _ = turn.Step(s, agent.Opened{}, now, turn.Policy{})
	chunk := agent.Updated{
		Stamp:  agent.Stamp{Generation: 1, At: time.Unix(0, 0)},
		Update: agent.Update{Kind: agent.MessageChunk, MessageID: "m", Block: agent.TextBlock("word ")},
	}
	b.ReportAllocs()
	for b.Loop() {
		s, _ = turn.Step(s, chunk, now, turn.Policy{})
	}
}
