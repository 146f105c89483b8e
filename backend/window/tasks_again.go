package window

import (
	"turnwatch/backend/agent"
	"turnwatch/backend/history"
	"turnwatch/backend/view"
)

// RetryNow sends a failed prompt that waits to be sent again without waiting longer.
// Where none waits any more it does nothing. Cancel stops one that waits.
func (t *Tasks) RetryNow(session string) error {
	return t.event(session, func(call, history.Session) (agent.Event, error) { return agent.RetryNow{}, nil })
}

// rearm takes up what an earlier run has left waiting to be sent again. The desk
// stands already, so that its countdown is seen.
func (r *room) rearm() {
	if err := r.core.Rearm(r.ctx); err != nil && r.ctx.Err() == nil {
		r.o.Log.Warn("retries were not taken up", "err", err)
	}
}

func againOf(a *history.Again) *view.Again {
	if a == nil {
		return nil
	}
	return &view.Again{Try: a.Try, Most: a.Most, At: a.At, Waits: a.Waits(), Why: a.Why}
}
