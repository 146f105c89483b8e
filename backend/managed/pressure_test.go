//go:build unix

package managed_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
)

func TestAPeerThatStopsReadingHoldsNobody(t *testing.T) {
	r := newRig(t)
	c := r.open("unread")
	r.sink.Raise(1)
	require.NoError(t, c.Prompt(t.Context(), 1, agent.Prompt{Blocks: []agent.Block{agent.TextBlock("x")}}))
	await[agent.Updated](t, r.sink, nil)
	r.sink.Raise(2)
	require.NoError(t, c.Prompt(t.Context(), 2, agent.Prompt{Blocks: []agent.Block{agent.TextBlock(strings.Repeat("x", 4<<20))}}))
	ctx, stop := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer stop()
	require.ErrorIs(t, c.Cancel(ctx), context.DeadlineExceeded)
	hurry, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	_ = c.Close(hurry)
	require.NoError(t, c.Close(context.Background()))
	for g := range agent.Generation(2) {
		a, _ := await(t, r.sink, func(a agent.Answered) bool { return a.Generation == g+1 })
		assert.NotNil(t, a.Failure)
	}
	r.noneLeft()
}

func TestAnOwnerThatIsBehindHoldsTheAgentAndNothingIsLost(t *testing.T) {
	r := newRig(t)
	slow := &slowSink{sink: r.sink, next: make(chan struct{})}
	c, err := r.connector("last").Open(t.Context(), agent.OpenRequest{Dir: r.dir}, slow)
	require.NoError(t, err)
	r.sink.Raise(1)
	require.NoError(t, c.Prompt(t.Context(), 1, agent.Prompt{Blocks: []agent.Block{agent.TextBlock("x")}}))
	for range 500 {
		slow.next <- struct{}{}
	}
	assert.Len(t, texts(r.sink.all()), 500)
	close(slow.next)
	a, _ := await[agent.Answered](t, r.sink, nil)
	assert.Equal(t, agent.EndTurn, a.Stop)
	await[agent.Exited](t, r.sink, nil)
	require.NoError(t, c.Close(context.Background()))
}

// slowSink takes an event only when it is told to.
type slowSink struct {
	*sink
	next chan struct{}
}

func (s *slowSink) Deliver(ev agent.Event) {
	s.sink.Deliver(ev)
	<-s.next
}
