package pilot

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/policy/autoresume"
)

// wheel is what the one goroutine holds.
type wheel struct {
	p      *Pilot
	engine *autoresume.Engine
	driven map[agent.SessionID]*driven
	words  map[autoresume.Kind]string // ours
	timer  func() bool
	off    bool // for all
}

// driven is a session that the policy drives.
type driven struct {
	words translator
	set   Setting
	kept  string // the state that was last given to be stored
}

// errand is something that an owner is asked for.
type errand struct {
	id  agent.SessionID
	act autoresume.Act
}

func (w *wheel) run() {
	defer close(w.p.done)
	for {
		w.turn()
		select {
		case <-w.p.inbox.wake:
		case <-w.p.ctx.Done():
			if w.timer != nil {
				w.timer()
			}
			return
		}
	}
}

// turn takes what has come, then does what is due: where both fall together the
// user comes first.
func (w *wheel) turn() {
	moved := map[agent.SessionID]bool{}
	for _, l := range w.p.inbox.take() {
		w.handle(l, moved)
	}
	now := w.p.o.Awake()
	for due, any := w.engine.Next(); any && due <= now; due, any = w.engine.Next() {
		w.carry(w.engine.Wake(now), moved)
	}
	for id := range moved {
		w.keep(id)
	}
	if w.timer != nil {
		w.timer()
		w.timer = nil
	}
	if due, any := w.engine.Next(); any && len(w.driven) > 0 {
		w.timer = w.p.o.Clock.AfterFunc(max(due-w.p.o.Awake(), 0), w.p.inbox.ring)
	}
}

func (w *wheel) handle(l letter, moved map[agent.SessionID]bool) {
	switch {
	case l.set != nil:
		w.set(l.id, *l.set, moved)
	case l.id == "" && l.ev != nil:
		w.off = !l.ev.(autoresume.Switched).On
		w.step("", l.ev, moved)
	case l.ev != nil:
		w.event(l, moved)
	}
	for _, e := range l.entries {
		d := w.driven[e.Session]
		if d == nil {
			continue
		}
		for _, ev := range d.words.take(e) {
			w.known(e.Session, d, moved)
			w.step(e.Session, ev, moved)
		}
		switch e.Fact.(type) {
		case agent.TurnStarted, agent.TurnSettled, agent.CancelStepped:
			moved[e.Session] = true // budgets may be refilled, latches set
		}
	}
}

// event takes what the user or an agent's tool says, or what came of an errand.
func (w *wheel) event(l letter, moved map[agent.SessionID]bool) {
	if w.driven[l.id] == nil {
		if l.reply != nil {
			l.reply <- Answer{Result: autoresume.Ack} // nothing hangs on it
		}
		return
	}
	w.known(l.id, w.driven[l.id], moved)
	actions := w.step(l.id, l.ev, moved)
	moved[l.id] = true
	if l.reply == nil {
		return
	}
	answer := Answer{Result: autoresume.ReplyError}
	for _, a := range actions {
		if a.Act == autoresume.Reply {
			answer.Result = a.Result
		}
	}
	if answer.Result == autoresume.Blocked {
		for _, e := range w.driven[l.id].words.plan {
			if e.Status != "completed" && e.Status != "cancelled" {
				answer.Open = append(answer.Open, e.Content)
			}
		}
	}
	l.reply <- answer
}

// set begins or ends to drive a session, or changes how.
func (w *wheel) set(id agent.SessionID, s Setting, moved map[agent.SessionID]bool) {
	d := w.driven[id]
	if !s.Options.Enabled {
		if d != nil {
			w.step(id, autoresume.Switched{On: false}, moved)
			w.keep(id)
			delete(w.driven, id)
		}
		return
	}
	if d == nil {
		d = &driven{words: translator{turn: s.Turn, epoch: s.Epoch}, kept: s.State}
		w.driven[id] = d
		w.restore(id, s.State)
		w.step(id, autoresume.Opened{Model: s.Model, Busy: s.Running}, moved)
	}
	if s.Fresh { // what the owner before it had in hand is over
		w.step(id, autoresume.Exited{}, moved)
		d.words = translator{turn: s.Turn, epoch: s.Epoch, plan: d.words.plan}
	}
	d.set = s
	w.configure(id, s, moved)
}

// configure tells the policy what holds for a session.
func (w *wheel) configure(id agent.SessionID, s Setting, moved map[agent.SessionID]bool) {
	w.step(id, autoresume.Configured{Options: s.Options}, moved)
	w.step(id, autoresume.Switched{On: true}, moved)
	w.step(id, autoresume.Yielded{To: s.Yields}, moved)
}

// known tells the policy once more what holds for a session that it has forgotten
// because nothing was going on in it: else it would go by what holds for others.
func (w *wheel) known(id agent.SessionID, d *driven, moved map[agent.SessionID]bool) {
	if w.engine.Knows(string(id)) {
		return
	}
	w.step(id, autoresume.Opened{Model: d.set.Model}, moved)
	w.configure(id, d.set, moved)
}

// restore takes up what an earlier run of Turnwatch has left. What cannot be read
// is left out: a latch too few, which the ledger shows.
func (w *wheel) restore(id agent.SessionID, state string) {
	if state == "" {
		return
	}
	var saved autoresume.Saved
	if err := json.Unmarshal([]byte(state), &saved); err != nil {
		w.p.o.Log.Warn("what auto-resume has kept cannot be read", "session", id)
		return
	}
	saved.ID, saved.Parent = string(id), ""
	w.engine.Restore(autoresume.Snapshot{Off: w.off, Sessions: []autoresume.Saved{saved}}, w.p.o.Awake())
}

// keep has stored what must survive, where it has changed.
func (w *wheel) keep(id agent.SessionID) {
	d := w.driven[id]
	if d == nil {
		return
	}
	s, ok := w.engine.Saved(string(id))
	if !ok {
		return
	}
	if raw, err := json.Marshal(s); err == nil && string(raw) != d.kept {
		d.kept = string(raw)
		w.p.memory.put(id, d.kept)
	}
}

func (w *wheel) step(id agent.SessionID, ev autoresume.Event, moved map[agent.SessionID]bool) []autoresume.Action {
	if o, ok := ev.(autoresume.Opened); ok && o.Model != "" && w.driven[id] != nil {
		w.driven[id].set.Model = o.Model
	}
	actions := w.engine.Step(string(id), ev, w.p.o.Awake())
	w.carry(actions, moved)
	return actions
}

// carry writes down what the policy does and asks the owners for it.
func (w *wheel) carry(actions []autoresume.Action, moved map[agent.SessionID]bool) {
	for _, a := range actions {
		id := agent.SessionID(a.Session)
		d := w.driven[id]
		if d == nil {
			continue
		}
		moved[id] = true
		w.p.o.Owners.Tell(id, agent.AutoTell{Step: w.row(a)})
		switch a.Act {
		case autoresume.Prompt:
			w.ask(errand{id, a.Act}, agent.AutoPrompt{
				Prompt: agent.Prompt{ID: agent.PromptID(w.p.o.NewID()), Blocks: []agent.Block{agent.TextBlock(w.wording(d, a.Kind))}, At: w.p.o.Clock.Now()},
				Turn:   d.words.turn, Epoch: d.words.epoch, Auto: agent.Auto{Kind: string(a.Kind), Count: a.Count},
			})
		case autoresume.Cancel:
			w.ask(errand{id, a.Act}, agent.AutoCancel{Turn: d.words.turn, Epoch: d.words.epoch})
		case autoresume.Poll:
			w.p.inbox.put(letter{id: id, ev: autoresume.Probed{}}) // nobody can tell
		}
	}
}

// row is what the ledger keeps of an action.
func (w *wheel) row(a autoresume.Action) agent.AutoStep {
	s := agent.AutoStep{
		Row: a.ID, Act: string(a.Act), Kind: string(a.Kind), Reason: string(a.Reason), Result: string(a.Result), Count: a.Count,
		Rule: a.Why.Rule, Silent: a.Why.Silent, Figure: a.Why.Figure, Code: agent.Code(a.Why.Code),
	}
	switch a.Act {
	case autoresume.Outcome, autoresume.Withdraw:
		s.Row, s.Of = 0, a.ID
	case autoresume.Announce:
		s.Due = w.p.o.Clock.Now().Add(a.Due - w.p.o.Awake())
	}
	return s
}

// ask asks an owner, beside the wheel, and has told what came of it.
func (w *wheel) ask(e errand, ev agent.Event) {
	w.p.errand.Go(func() {
		ctx, stop := context.WithTimeout(w.p.ctx, patience)
		defer stop()
		err := w.p.o.Owners.Do(ctx, e.id, ev)
		if err != nil && !errors.Is(err, agent.Stale) && w.p.ctx.Err() == nil {
			w.p.o.Log.Warn("auto-resume could not act", "session", e.id, "act", e.act, "err", err)
		}
		switch {
		case err == nil: // what came of it is among the facts
		case e.act == autoresume.Prompt:
			w.p.inbox.put(letter{id: e.id, ev: autoresume.Sent{}})
		default: // the turn has moved on, and is left alone
			w.p.inbox.put(letter{id: e.id, ev: autoresume.Dismissed{}})
		}
	})
}

// wording is what is sent: the user's words, else ours.
func (w *wheel) wording(d *driven, k autoresume.Kind) string {
	if text := d.set.Wording[k]; text != "" {
		return text
	}
	return w.words[k]
}

// settled is how long Close may take to store what is left.
const settled = 5 * time.Second
