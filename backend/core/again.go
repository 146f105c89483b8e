package core

import (
	"context"
	"fmt"

	"turnwatch/backend/failure"
	"turnwatch/backend/history"
	"turnwatch/backend/policy"
	"turnwatch/backend/turn"
)

// again is how the machine asks whether a failed prompt is sent again by itself; nil
// where nobody is there to see it.
func (c *Core) again() func(turn.Tried) turn.Verdict {
	if !c.o.Retries {
		return nil
	}
	return Again(c.o.Dice)
}

// Again lets the interactive policy decide, with dice from 0 up to 1.
func Again(dice func() float64) func(turn.Tried) turn.Verdict {
	return func(t turn.Tried) turn.Verdict {
		d := policy.Interactive(failure.Of(t.Failure), policy.Turn{Output: t.Output, Tools: t.Tools, Tries: t.Tries}, dice())
		return turn.Verdict{Wait: d.Wait, Most: policy.Tries(), Drop: d.Reason}
	}
}

// waiting is what the history knows of a prompt that waits to be sent again.
func (c *Core) waiting(past history.Snapshot) *turn.Again {
	f := past.Failed
	if f == nil || !c.o.Retries || f.End == nil || f.End.Failure == nil {
		return nil
	}
	return &turn.Again{
		Generation: f.Generation, Prompt: f.Prompt, Failure: *f.End.Failure,
		Try: f.Again.Try, Most: f.Again.Most, At: f.Again.At,
	}
}

// Rearm takes up the sessions in which a failed prompt waits to be sent again since
// an earlier run, which provably has not sent it: their countdown goes on, or is
// given up where too much time has passed. It starts no agent. Sessions of a program
// that still runs are left to it.
func (c *Core) Rearm(ctx context.Context) error {
	if !c.o.Retries {
		return nil
	}
	ids, err := c.store.Waiting(ctx)
	if err != nil {
		return fmt.Errorf("find retries: %w", err)
	}
	for _, id := range ids {
		if _, err := c.session(ctx, id); err != nil && ctx.Err() == nil {
			c.o.Log.Info("retry was not taken up", "session", id, "err", err)
		}
	}
	return ctx.Err()
}
