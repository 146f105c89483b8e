package managed

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"turnwatch/backend/acp"
	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
	"turnwatch/backend/proc"
)

// conn is one open session. It is an agent.Conn and safe for several goroutines.
type conn struct {
	*live
	info agent.SessionInfo

	cancelled atomic.Bool // the last prompt was: its agent gets less time to end
}

var _ agent.Conn = (*conn)(nil)

// Stderr returns the last lines that the agent of a connection wrote to stderr,
// at most 50, sanitised. For the person at the screen; not to be stored. Nil for
// agents whose stderr is not to be shown and connections of another make.
func Stderr(c agent.Conn) []string {
	if c, ok := c.(*conn); ok && c.ear.read.keeps() {
		return c.ear.tail.shown()
	}
	return nil
}

// Info is what the agent said when the session was opened.
func (c *conn) Info() agent.SessionInfo { return c.info }

// Prompt hands a prompt to the pipe. It blocks only for room in the queue.
func (c *conn) Prompt(ctx context.Context, g agent.Generation, p agent.Prompt) error {
	// Counted before it is sent, so that the end of the process waits for it.
	if !c.prompts.begin() {
		c.reportExit() // whoever asks has not taken notice of the end
		f := failure.OfExit(c.exit)
		return &f
	}
	c.cancelled.Store(false)
	c.ear.read.prompted(agent.Stamp{Generation: g, At: c.now()})
	pending := c.client.Prompt(ctx, c.ear.own(), p.Blocks)
	select {
	case <-pending.Done():
		if _, err := pending.Wait(context.Background()); unsent(err) {
			c.prompts.end()
			return err
		}
	default:
	}
	go func() {
		defer c.prompts.end()
		raw, err := pending.Wait(context.Background())
		c.ear.sink.Deliver(c.answered(g, raw, err))
	}()
	return nil
}

// unsent reports whether a call failed before it came to the wire.
func unsent(err error) bool {
	var e *acp.Error
	return err != nil && !errors.As(err, &e) && !errors.Is(err, acp.ErrClosed) && !errors.Is(err, acp.ErrStalled)
}

// answered makes the end of a prompt call of what it returned. It waits for the
// end of the process where the connection was lost.
func (c *conn) answered(g agent.Generation, raw []byte, err error) agent.Answered {
	st := agent.Stamp{Generation: g, At: c.now()}
	defer c.ear.read.over(st)
	a := agent.Answered{Generation: g}
	var e *acp.Error
	switch {
	case errors.As(err, &e):
		if n, ok := e.Int(); ok && n == acp.CodeCancelled {
			a.Stop = agent.StopCancelled
			return a
		}
		c.ear.deliver(c.ear.read.refused(st, rpcOf(c.profile.speaks(), e.Method, e, st.At)))
		f := c.ear.read.explain(st, rpcFailure(c.profile.speaks(), e.Method, e, c.auth, st.At))
		a.Failure = &f
		return a
	case err != nil:
		a.Failure = c.lostPrompt(err, st)
		return a
	}
	answer, err := acp.ParsePrompt(raw)
	if err != nil {
		a.Failure = &agent.Failure{
			Code: failure.UnknownProviderError, Rule: "rpc.bad_answer", Source: failure.SourceACP,
			Hint: failure.HintBadAnswer, OccurredAt: st.At,
		}
		return a
	}
	a.Stop = answer.Stop
	if answer.Usage != nil {
		a.Usage = *answer.Usage
	}
	if a.Stop != agent.StopCancelled {
		a.Failure = c.ear.read.answer(st, raw)
	}
	return a
}

func (c *conn) lostPrompt(err error, st agent.Stamp) *agent.Failure {
	if errors.Is(err, acp.ErrStalled) {
		// It does not read: nothing can be said to it any more.
		go func() { _ = c.stop(context.Background(), proc.Stopping{}) }() // logged there
	}
	var f *agent.Failure
	if errors.As(c.lost(err), &f) {
		return f
	}
	return &agent.Failure{
		Code: failure.AgentTransportLost, Rule: "transport.lost", Source: failure.SourceACP,
		Hint: failure.HintRestart, OccurredAt: st.At, Confidence: string(failure.High),
	}
}

// Cancel sends session/cancel and answers open requests with cancelled, as the
// protocol asks. The caller sees to it that a turn is open.
func (c *conn) Cancel(ctx context.Context) error {
	c.cancelled.Store(true)
	err := c.client.Cancel(ctx, c.ear.own())
	c.ear.asks.cancel()
	return err
}

// Decide answers a request. It never blocks.
func (c *conn) Decide(_ context.Context, id agent.AskID, d agent.Decision) error {
	return c.ear.asks.answer(id, d)
}

// Choose sets an option and blocks for the agent's answer.
func (c *conn) Choose(ctx context.Context, id, value string) ([]agent.Option, error) {
	return c.choose(ctx, id, value)
}

// Close stops the agent by the stop order and blocks until nothing of it is left.
// What it still says is delivered; its end is not reported, since it was asked for.
// After a cancel somebody waits for the end, so the agent gets less time.
func (c *conn) Close(ctx context.Context) error {
	if c.cancelled.Load() {
		return c.end(ctx, brief())
	}
	return c.end(ctx, proc.Stopping{})
}

// brief is how long an agent may take to end that is of no more use: it was told
// to stop, or never came up.
func brief() proc.Stopping { return proc.Stopping{Grace: time.Second, Term: time.Second} }
