package notify

import (
	"slices"
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/view"
)

// settle is how long a need must last before it is told: what is answered at once,
// or followed by the next prompt of the queue, is no news.
const settle = time.Second

// Desk holds what was told and what is to be told. Make one by New; it belongs to
// one goroutine, and its methods return at once.
type Desk struct {
	wishes  Wishes
	looking Attention
	heard   bool // there was a summary: before it nothing is news
	tasks   map[agent.TaskID]*task
	shown   map[string]*note // what is on the user's screen, by id
}

// task is what the desk knows of one task.
type task struct {
	brief view.Brief
	mark  mark
	kind  Kind      // to be told, "" for nothing
	due   time.Time // when
	back  bool      // that the capacity is back was told, or is no news
}

// mark names a need: while it is the same there is no news.
type mark struct {
	need    view.Need
	session agent.SessionID
	turn    agent.Generation
	ask     agent.AskID
}

// note is a notification on the user's screen.
type note struct {
	kind  Kind
	about []agent.TaskID
}

// New makes a desk.
func New(w Wishes) *Desk {
	return &Desk{wishes: w, tasks: map[agent.TaskID]*task{}, shown: map[string]*note{}}
}

// Wish changes what the user wants to be told.
func (d *Desk) Wish(w Wishes, now time.Time) []Effect {
	d.wishes = w
	for _, t := range d.tasks {
		if t.kind != "" && t.due.After(now) {
			t.due = now.Add(settle) // quiet hours may be over, and are looked at again
		}
	}
	return d.Tick(now)
}

// Attend says what the user looks at. What is about a task in view is taken back.
func (d *Desk) Attend(a Attention, now time.Time) []Effect {
	d.looking = a
	var out []Effect
	if a.Focused && a.Task != "" {
		out = d.leave(agent.TaskID(a.Task))
	}
	return append(out, d.Tick(now)...)
}

// Hear takes where all tasks stand. The first time nothing is news, but limits
// that are still to end are waited for.
func (d *Desk) Hear(s view.Summary, now time.Time) []Effect {
	var out []Effect
	there := map[agent.TaskID]bool{}
	for _, b := range s.Tasks {
		there[b.Task] = true
		out = append(out, d.take(b, now)...)
	}
	for id := range d.tasks {
		if !there[id] {
			delete(d.tasks, id)
			out = append(out, d.leave(id)...)
		}
	}
	d.heard = true
	return append(out, d.Tick(now)...)
}

func (d *Desk) take(b view.Brief, now time.Time) []Effect {
	need := b.Need()
	m := mark{need: need, session: b.Session, turn: b.Turn, ask: b.Ask}
	t, known := d.tasks[b.Task]
	if !known {
		t = &task{}
		d.tasks[b.Task] = t
	}
	t.brief = b
	if known && t.mark == m {
		return nil
	}
	t.mark, t.kind = m, ""
	t.back = need == view.NeedCapacity && !b.Ended.Reset.After(now)
	if need == view.NeedNothing || !d.heard {
		return d.leave(b.Task)
	}
	t.kind, t.due = Kind(need), now.Add(settle)
	return nil
}

// Tick shows what is due.
func (d *Desk) Tick(now time.Time) []Effect {
	fresh := map[Kind][]*task{}
	var out []Effect
	for id, t := range d.tasks {
		d.capacity(t, now)
		if t.kind == "" || t.due.After(now) {
			continue
		}
		quiet, end := d.wishes.Quiet.Holds(now)
		switch {
		case quiet:
			t.due = end
			out = append(out, d.withdraw(id)...) // what was said before is not so any more
			continue
		case d.wanted(t):
			fresh[t.kind] = append(fresh[t.kind], t)
		default:
			out = append(out, d.withdraw(id)...)
		}
		t.kind = ""
	}
	for _, k := range []Kind{Asks, Failed, NeverStarted, Limited, CapacityBack, Finished} {
		if len(fresh[k]) > 0 {
			out = append(out, d.tell(k, fresh[k])...)
		}
	}
	return out
}

// capacity notes that a limit has ended.
func (d *Desk) capacity(t *task, now time.Time) {
	reset := t.brief.Ended.Reset
	if t.mark.need != view.NeedCapacity || t.back || reset.IsZero() || reset.After(now) {
		return
	}
	t.back, t.kind, t.due = true, CapacityBack, now
}

// wanted tells whether the user wants to know, and is not looking already.
func (d *Desk) wanted(t *task) bool {
	switch {
	case !d.wishes.Kinds[t.kind]:
		return false
	case t.kind == Finished && d.looking.Focused:
		return false
	}
	return !d.looking.Focused || d.looking.Task != string(t.brief.Task)
}

// Next is when Tick has something to do; zero where only news will bring it.
func (d *Desk) Next() time.Time {
	var next time.Time
	sooner := func(at time.Time) {
		if !at.IsZero() && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	for _, t := range d.tasks {
		if t.kind != "" {
			sooner(t.due)
		}
		if t.mark.need == view.NeedCapacity && !t.back {
			sooner(t.brief.Ended.Reset)
		}
	}
	return next
}

// leave takes back what is shown about a task, and what was to be shown.
func (d *Desk) leave(id agent.TaskID) []Effect {
	if t := d.tasks[id]; t != nil {
		t.kind = ""
	}
	return d.withdraw(id)
}

func (d *Desk) withdraw(id agent.TaskID) []Effect {
	var out []Effect
	for name, n := range d.shown {
		n.about = slices.DeleteFunc(n.about, func(other agent.TaskID) bool { return other == id })
		if len(n.about) == 0 {
			delete(d.shown, name)
			out = append(out, Withdraw{name})
		}
	}
	return out
}

// Closed says that a notification is not on the screen any more.
func (d *Desk) Closed(id string) { delete(d.shown, id) }
