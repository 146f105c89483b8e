package window

import (
	"context"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
)

// Failing is a session against which something stands, with the very cards that
// it shows when it is open.
type Failing struct {
	Row   Row    `json:"row"`
	Cards []Card `json:"cards"`
}

// Failures is the list of failed sessions, the latest change first.
type Failures struct {
	List []Failing `json:"list"`
	More bool      `json:"more"` // there are more than are listed
}

// mostFailing bounds the list of failed sessions.
const mostFailing = 100

// Failures lists the sessions that have failed: the newest of each task that is
// not archived, where neither a later good turn nor the user has put it away.
func (t *Tasks) Failures() (Failures, error) {
	return answer(t.r, usually, func(c call) (Failures, error) { return c.desk.failures(c.ctx) })
}

func (d *desk) failures(ctx context.Context) (Failures, error) {
	out := Failures{List: []Failing{}}
	store := d.room.core.History()
	glances, err := store.Glances(ctx, false)
	if err != nil {
		return out, err
	}
	for _, g := range glances {
		if g.Session == "" || g.State == agent.TaskRunning || g.State == agent.TaskDone {
			continue
		}
		cards, err := cardsOf(ctx, store, g)
		if err != nil {
			return out, err
		}
		if len(cards) == 0 {
			continue
		}
		if len(out.List) == mostFailing {
			out.More = true
			break
		}
		out.List = append(out.List, Failing{Row: d.rowOf(g), Cards: cards})
	}
	return out, nil
}

// rowOf is row under the lock.
func (d *desk) rowOf(g history.Glance) Row {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.row(g)
}

// cardsOf makes the cards of the newest session of a task. No lock is held: a
// thousand tasks take a while.
func cardsOf(ctx context.Context, store *history.Store, g history.Glance) ([]Card, error) {
	troubles, err := store.Troubles(ctx, g.Session)
	if err != nil || len(troubles) == 0 {
		return nil, err
	}
	s, err := store.Session(ctx, g.Session)
	if err != nil {
		return nil, err
	}
	cards := make([]Card, 0, len(troubles))
	for _, t := range troubles {
		cards = append(cards, cardOf(t, g.Kind, s.Info))
	}
	return cards, nil
}
