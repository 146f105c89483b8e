package window

import (
	"cmp"
	"context"
	"slices"
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/core"
	"turnwatch/backend/history"
	"turnwatch/backend/view"
)

// breath is the shortest time between two summaries.
const breath = 200 * time.Millisecond

// Follow calls hear with where all tasks stand and what the user looks at, at once
// and whenever that or a setting of the desktop has changed, one call after the
// other, until ctx ends; there is one that follows at a time. It needs Pump, and no
// page: what is shown beside the window is true while the page is stuck.
func (w *Window) Follow(ctx context.Context, hear func(view.Summary, Looking)) {
	if _, err := w.room.wait(ctx); err != nil {
		return
	}
	d := w.room.desk
	if err := d.acquaint(ctx); err != nil {
		w.room.o.Log.Warn("tasks could not be read", "err", err)
	}
	rest := time.NewTimer(0)
	defer rest.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.room.ctx.Done():
			return
		case <-rest.C:
		}
		hear(d.summary())
		select {
		case <-ctx.Done():
			return
		case <-w.room.ctx.Done():
			return
		case <-d.news:
			rest.Reset(breath)
		}
	}
}

// tidings says that a brief has changed.
func (d *desk) tidings() {
	select {
	case d.news <- struct{}{}:
	default:
	}
}

// acquaint reads the tasks that nobody has asked for yet.
func (d *desk) acquaint(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.drain()
	glances, err := d.room.core.History().Glances(ctx, false)
	if err != nil {
		return err
	}
	for _, g := range glances {
		if _, there := d.tasks[g.ID]; !there {
			d.tasks[g.ID] = &known{glance: g, brief: d.brief(g)}
		}
	}
	return nil
}

// summary gives the briefs, the latest change first.
func (d *desk) summary() (view.Summary, Looking) {
	d.mu.Lock()
	defer d.mu.Unlock()
	list := make([]*known, 0, len(d.tasks))
	for _, k := range d.tasks {
		if !k.gone && k.glance.ArchivedAt.IsZero() && k.brief.Task != "" {
			list = append(list, k)
		}
	}
	slices.SortFunc(list, func(a, b *known) int {
		return cmp.Or(b.glance.UpdatedAt.Compare(a.glance.UpdatedAt), cmp.Compare(b.brief.Task, a.brief.Task))
	})
	s := view.Summary{Automation: d.room.core.Automated()}
	for _, k := range list {
		s.Tasks = append(s.Tasks, k.brief)
	}
	return s, d.looking
}

// brief makes the brief of a task. The lock is held.
func (d *desk) brief(g history.Glance) view.Brief {
	l := d.lives[g.Session]
	phase := d.phase(g, l)
	b := view.Brief{
		Task: g.ID, Session: g.Session, Title: title(g), Agent: core.NameOf(g.Kind), State: g.State,
		Phase: phase, Detail: view.Phrase(detail(g, l, phase)), Turn: g.Turn,
	}
	if phase == string(view.Asking) && l != nil && len(l.turn.Asks) > 0 {
		b.Ask = l.turn.Asks[0].ID
	}
	if g.Outcome != "" {
		b.Ended = view.Ending{Outcome: g.Outcome, Code: g.Code, Reset: g.ResetAt}
	}
	return b
}

// Cancel ends the turn in hand of a task's session; with none it does nothing.
func (w *Window) Cancel(id agent.SessionID) error { return w.Tasks.Cancel(string(id)) }
