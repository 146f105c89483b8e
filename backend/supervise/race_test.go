package supervise_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
)

// TestFourRacingEndsGiveOneOutcome lets the answer, the exit of the agent, other
// evidence of failure and the user's cancel race 3,000 times, in real time. Each
// turn has one outcome, and it is one that an end of this race can prove.
func TestFourRacingEndsGiveOneOutcome(t *testing.T) {
	outcomes := map[agent.Outcome]int{}
	for range 3000 {
		began := make(chan struct{})
		p, m := &peer{}, &memory{}
		p.prompt = func(context.Context, agent.Generation) error { close(began); return nil }
		s := start(p, m)
		submit(t, s, "p1")
		<-began
		p.say("working")

		var all sync.WaitGroup
		all.Go(func() { p.answer(1, agent.EndTurn) })
		all.Go(func() { p.sink(0).Deliver(agent.Exited{Failure: agent.Failure{Code: "agent_crashed"}}) })
		all.Go(func() {
			k := p.sink(0)
			k.Offer(agent.FailureSeen{Stamp: k.Stamp(), Failure: agent.Failure{Code: "quota_limited"}})
		})
		all.Go(func() { _ = s.Do(t.Context(), agent.CancelTurn{}) })
		all.Wait()
		require.NoError(t, s.Close(t.Context()))
		ends := recorded[agent.TurnSettled](m)
		require.Len(t, ends, 1)
		outcomes[ends[0].Outcome]++
	}
	t.Logf("outcomes of 3,000 races: %v", outcomes)
	for o := range outcomes {
		require.Contains(t, []agent.Outcome{agent.Completed, agent.Failed, agent.Cancelled}, o)
	}
}
