package window

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/core"
	"turnwatch/backend/history"
	"turnwatch/backend/view"
)

// patience is how long the desk waits for a read of the history before it tries
// again with the next batch.
const patience = 5 * time.Second

// desk holds what the page was told and what it is to be told next. Everything
// on it is guarded by one lock: a call that rebuilds the page's knowledge and
// the batches that follow fit, because neither is made while the other is.
type desk struct {
	room  *room
	watch *core.Watch
	kick  chan struct{} // one slot: something changed that the watch does not tell
	news  chan struct{} // one slot: a brief has changed

	mu     sync.Mutex
	n      uint64 // of the last batch
	lives  map[agent.SessionID]*live
	tasks  map[agent.TaskID]*known
	open   opened
	ill    Phrase // trouble with the history, as last told
	tell   bool   // ill is news
	halted bool   // whether all automation is stopped is news
	asked  time.Time

	looking Looking      // what the user looks at
	asking  agent.TaskID // what somebody wants to see
}

// abroad is how often the history is asked for what other programs have done to
// it, and mostAbroad how many of the newest tasks are looked at.
const (
	abroad     = 2 * time.Second
	mostAbroad = 20
)

// known is a task as the page has it.
type known struct {
	glance history.Glance
	told   *Row // nil while the page does not have it
	brief  view.Brief
	stale  bool // the history knows more than glance
	moved  bool // what is live has changed
	untold bool // the page is to be told
	gone   bool // it is not in the list any more
}

// opened is the session that the page has open.
type opened struct {
	id    agent.SessionID // "" where none is
	moved bool            // anything but its transcript has changed
	ops   ops
}

func newDesk(r *room) *desk {
	return &desk{
		room: r, watch: r.core.Watch(""), kick: make(chan struct{}, 1), news: make(chan struct{}, 1),
		lives: map[agent.SessionID]*live{}, tasks: map[agent.TaskID]*known{},
	}
}

func (d *desk) close() { d.watch.Close() }

// ring wakes the pump.
func (d *desk) ring() {
	select {
	case d.kick <- struct{}{}:
	default:
	}
}

// touch says that the history knows something new of a task, and of its open
// session.
func (d *desk) touch(id agent.TaskID) {
	d.mu.Lock()
	d.task(id).stale = true
	d.open.moved = d.open.moved || d.open.id != ""
	d.mu.Unlock()
	d.ring()
}

func (d *desk) task(id agent.TaskID) *known {
	k, ok := d.tasks[id]
	if !ok {
		k = &known{stale: true}
		d.tasks[id] = k
	}
	return k
}

// running counts the open turns of this program.
func (d *desk) running() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.drain()
	n := 0
	for _, l := range d.lives {
		if !l.turn.Started.IsZero() && l.turn.End == nil {
			n++
		}
	}
	return n
}

// collect takes what has come while the page is busy: it does not pile up in the
// core, and whoever follows the briefs hears of it.
func (d *desk) collect(ctx context.Context) {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.drain()
	d.look(ctx)
}

// drain folds what has come since the last time. The lock is held.
func (d *desk) drain() {
	entries, _ := d.watch.Take()
	for _, e := range entries {
		d.take(e)
	}
}

func (d *desk) take(e agent.Entry) {
	l, ok := d.lives[e.Session]
	if !ok {
		l = &live{}
		d.lives[e.Session] = l
	}
	change := l.take(e)
	mine := e.Session == d.open.id
	switch f := e.Fact.(type) {
	case agent.PartSet:
		if mine {
			h := held{Part: f.Part}
			if change.Piece != nil {
				h = heldOf(change.Piece)
			}
			d.open.ops.set(h)
		}
		if f.Part.Kind == agent.PartTool || len(l.turn.Pieces()) <= 2 {
			d.task(e.Task).moved = true
			d.open.moved = d.open.moved || mine
		}
	case agent.PartAppended:
		if mine {
			d.open.ops.extend(f)
		}
	case agent.UsageSet:
		d.open.moved = d.open.moved || mine
	default:
		d.task(e.Task).stale = true
		d.open.moved = d.open.moved || mine
		d.room.traces.hear(e)
	}
}

// cut makes the next batch, or nil where nothing has changed. What cannot be
// read now is read for the next one.
func (d *desk) cut(ctx context.Context) *Batch {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.drain()
	d.health()
	d.others(ctx)
	d.look(ctx)
	var b Batch
	for id, k := range d.tasks {
		if k.untold {
			d.tellTask(id, k, &b)
		}
	}
	if d.open.id != "" {
		if d.open.moved {
			if s, err := d.session(ctx, d.open.id); err == nil {
				b.Session, d.open.moved = &s, false
			}
		}
		if !d.open.ops.empty() {
			b.Of, b.Ops = string(d.open.id), d.open.ops.take()
		}
	}
	if d.tell {
		ill := d.ill
		b.Health, d.tell = &ill, false
	}
	if d.halted {
		stopped := d.room.stopped()
		b.Stopped, d.halted = &stopped, false
	}
	if len(b.Rows)+len(b.Gone)+len(b.Ops) == 0 && b.Session == nil && b.Health == nil && b.Stopped == nil {
		return nil
	}
	d.n++
	b.N = d.n
	return &b
}

// others looks, now and then, for tasks that another program has made or changed:
// the watch hears of this one alone.
func (d *desk) others(ctx context.Context) {
	now := time.Now()
	if now.Sub(d.asked) < abroad {
		return
	}
	d.asked = now
	newest, err := d.room.core.History().Tasks(ctx, history.TaskFilter{Limit: mostAbroad})
	if err != nil {
		return // the health tells what is wrong
	}
	for _, t := range newest {
		k, known := d.tasks[t.ID]
		if known && (k.stale || k.glance.State == t.State && k.glance.UpdatedAt.Equal(t.UpdatedAt)) {
			continue
		}
		d.task(t.ID).stale = true
		d.open.moved = d.open.moved || d.open.id != "" && k != nil && k.glance.Session == d.open.id
	}
}

// look reads what is stale and makes the briefs of what has changed.
func (d *desk) look(ctx context.Context) {
	for id, k := range d.tasks {
		if !k.stale && !k.moved {
			continue
		}
		reread := k.stale // it may be put away, or there again, with the same brief
		if reread && !d.reread(ctx, id, k) {
			continue
		}
		k.moved, k.untold = false, true
		if b := d.brief(k.glance); reread || !reflect.DeepEqual(b, k.brief) {
			k.brief = b
			d.tidings()
		}
	}
}

// reread reads a task from the history; false where that cannot be done now.
func (d *desk) reread(ctx context.Context, id agent.TaskID, k *known) bool {
	g, err := d.room.core.History().Glance(ctx, id)
	switch {
	case errors.Is(err, history.ErrNotFound) || err == nil && !g.DeletedAt.IsZero():
		k.gone = true
	case err != nil:
		d.room.o.Log.Warn("task could not be read", "task", id, "err", err)
		return false
	default:
		k.glance, k.gone = g, false
	}
	k.stale = false
	return true
}

// tellTask puts a task into a batch: its row where that has changed, or that it
// is gone.
func (d *desk) tellTask(id agent.TaskID, k *known, b *Batch) {
	k.untold = false
	if k.gone {
		delete(d.tasks, id)
		b.Gone = append(b.Gone, string(id))
		return
	}
	row := d.row(k.glance)
	if k.told != nil && reflect.DeepEqual(*k.told, row) {
		return
	}
	k.told = &row
	b.Rows = append(b.Rows, row)
}

// list reads all tasks anew; what the page was told before is forgotten.
func (d *desk) list(ctx context.Context, archived bool) ([]Row, uint64, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.drain()
	glances, err := d.room.core.History().Glances(ctx, archived)
	if err != nil {
		return nil, 0, err
	}
	rows := make([]Row, len(glances))
	for i, g := range glances {
		rows[i] = d.row(g)
		row := rows[i]
		d.tasks[g.ID] = &known{glance: g, told: &row, brief: d.brief(g)}
	}
	d.tidings()
	return rows, d.n, nil
}

// health looks at how the writer fares.
func (d *desk) health() {
	now := ailment(d.room.core.History().Health().Err)
	if !reflect.DeepEqual(now, d.ill) {
		d.ill, d.tell = now, true
	}
}

// ailment puts trouble with the history into words; the zero value where there
// is none.
func ailment(err error) Phrase {
	var h *history.Error
	switch {
	case err == nil:
		return Phrase{}
	case errors.As(err, &h):
		return Phrase{Key: h.Hint, Args: h.Args}
	}
	return Phrase{Key: "error.history"}
}
