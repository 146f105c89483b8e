package supervise

import (
	"log/slog"

	"turnwatch/backend/agent"
	"turnwatch/backend/turn"
)

// inFlight bounds the entries that are handed to the history and not on disk
// yet. Beyond it the owner takes nothing more from the agent, which is thereby
// held back; the user's word is always taken.
const inFlight = 8192

// owner is the one goroutine that holds a session's state.
type owner struct {
	s       *Session
	state   *turn.State
	closing bool
	unsaved int                   // entries that are not on disk yet
	replies map[uint64]chan error // who waits for which record
	batch   []agent.Entry         // Must entries of this round
	acks    []uint64              // the records in it that want an answer
}

func newOwner(s *Session, st *turn.State) *owner {
	return &owner{s: s, state: st, replies: map[uint64]chan error{}}
}

// run takes letters until the session is closed and everything is on disk.
func (o *owner) run() {
	defer close(o.s.over)
	for !o.closing || o.unsaved > 0 {
		batch := o.s.box.take(o.unsaved < inFlight && !o.closing)
		if batch == nil {
			<-o.s.box.wake
			continue
		}
		for _, l := range batch {
			o.handle(l)
		}
		o.flush()
		v := o.state.View()
		o.s.view.Store(&v)
		for _, l := range batch {
			o.answer(l)
		}
	}
	for _, l := range o.s.box.shut() {
		if l.reply != nil {
			l.reply <- ErrClosed
		}
	}
	for _, reply := range o.replies {
		reply <- ErrClosed
	}
	o.s.hands.finish()
}

func (o *owner) handle(l letter) {
	if l.saved != nil {
		o.saved(*l.saved)
		return
	}
	if _, ok := l.event.(agent.Closed); ok {
		if o.closing {
			return
		}
		o.closing = true
	}
	if l.conn != 0 && l.conn != o.s.hands.current() {
		return // of a process that we have let go of
	}
	o.step(l)
}

// step runs the machine on one letter and carries its effects out.
func (o *owner) step(l letter) {
	st, effects := turn.Step(o.state, l.event, o.s.now(), o.s.o.Policy)
	o.state = st
	var seq uint64
	for _, e := range effects {
		switch e := e.(type) {
		case agent.Record:
			o.record(e)
			if e.Ack {
				seq = e.Seq
			}
		case agent.Send:
			o.flush()
			o.send(e.Message)
		case agent.Arm:
			o.s.o.Clock.AfterFunc(e.After, func() {
				o.s.box.post(letter{event: agent.TimerFired{Timer: e.Timer, Generation: e.Generation}})
			})
		case agent.Log:
			o.s.o.Log.Info("turn", "kind", e.Kind, "session", o.s.o.Session, "generation", e.Generation)
		case agent.Refuse:
			if l.reply != nil {
				l.reply <- e.Reason
			}
		}
	}
	if l.reply != nil && seq != 0 {
		o.replies[seq] = l.reply
	}
}

// send raises the generation before a prompt leaves, so that whatever is read
// from then on bears it, and lets the hands do the rest.
func (o *owner) send(m agent.Message) {
	if d, ok := m.(agent.Dispatch); ok {
		o.s.count.Raise(d.Generation)
	}
	o.s.hands.do(m)
}

// answer tells the sender of a letter that nothing had to be written for it.
func (o *owner) answer(l letter) {
	if l.reply == nil || len(l.reply) > 0 {
		return
	}
	for _, reply := range o.replies {
		if reply == l.reply {
			return
		}
	}
	select {
	case l.reply <- nil:
	default:
	}
}

// record queues facts for the history. Refusable ones go alone, because they are
// answered alone.
func (o *owner) record(r agent.Record) {
	now := o.s.o.Clock.Now()
	entries := make([]agent.Entry, len(r.Facts))
	for i, f := range r.Facts {
		entries[i] = agent.Entry{Task: o.s.o.Task, Session: o.s.o.Session, Generation: r.Generation, Epoch: o.state.Epoch(), At: now, Fact: f}
	}
	if r.Must {
		o.batch = append(o.batch, entries...)
		if r.Ack {
			o.acks = append(o.acks, r.Seq)
		}
		return
	}
	o.flush()
	o.hand(entries, false, []uint64{r.Seq})
}

// flush hands the gathered entries to the history.
func (o *owner) flush() {
	if len(o.batch) == 0 {
		return
	}
	batch, acks := o.batch, o.acks
	o.batch, o.acks = nil, nil
	o.hand(batch, true, acks)
}

// hand gives entries to the history and publishes each when its time has come.
func (o *owner) hand(entries []agent.Entry, must bool, acks []uint64) {
	o.unsaved += len(entries)
	var later []agent.Entry
	if must {
		now := make([]agent.Entry, 0, len(entries))
		for _, e := range entries {
			if live(e.Fact) {
				now = append(now, e)
			} else {
				later = append(later, e)
			}
		}
		if len(now) > 0 {
			o.s.o.Publish(now)
		}
	} else {
		later = entries
	}
	n := len(entries)
	o.s.o.Recorder.Record(entries, must, func(err error) {
		if err == nil && len(later) > 0 {
			o.s.o.Publish(later)
		}
		o.s.box.post(letter{saved: &saved{acks: acks, entries: n, err: err}})
	})
}

// live facts are what the agent says and is: they are shown as they come. What
// was decided, and how a turn ended, is shown only when it is on disk.
func live(f agent.Fact) bool {
	switch f.(type) {
	case agent.PartSet, agent.PartAppended, agent.UsageSet, agent.SessionReady,
		agent.OptionsSet, agent.CommandsSet, agent.TitleSet, agent.RetryAnnounced:
		return true
	}
	return false
}

// saved is the history's answer to a batch.
type saved struct {
	acks    []uint64
	entries int
	err     error
}

func (o *owner) saved(e saved) {
	o.unsaved -= e.entries
	for _, seq := range e.acks {
		o.step(letter{event: agent.Persisted{Seq: seq, Err: e.err}})
		if reply, ok := o.replies[seq]; ok {
			delete(o.replies, seq)
			reply <- e.err
		}
	}
	if e.err != nil {
		o.s.o.Log.Warn("history refused a record", slog.String("session", string(o.s.o.Session)), slog.Any("err", e.err))
	}
}
