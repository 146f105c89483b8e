package autoresume_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"turnwatch/backend/policy/autoresume"
)

const (
	ms  = time.Millisecond
	sec = time.Second
)

const leak = "Reading it.\n<function=read>\n<parameter=path>a.go</parameter>\n</function>"

// rig drives an Engine at virtual time and keeps what it did.
type rig struct {
	t      testing.TB
	engine *autoresume.Engine
	now    time.Duration
	did    []autoresume.Action
	ledger autoresume.Ledger
	answer func(autoresume.Action) []autoresume.Event // what comes of an action at once, nil for nothing
}

func newRig(t testing.TB, change func(*autoresume.Options)) *rig {
	o := autoresume.Defaults()
	if change != nil {
		change(&o)
	}
	e, err := autoresume.New(o, autoresume.AllCaps())
	require.NoError(t, err)
	return &rig{t: t, engine: e}
}

// willing answers every prompt with a turn and every cancel with its end.
func willing(a autoresume.Action) []autoresume.Event {
	switch a.Act {
	case autoresume.Prompt:
		return []autoresume.Event{autoresume.Sent{OK: true}, autoresume.TurnStarted{Origin: autoresume.BySupervisor}}
	case autoresume.Cancel:
		return []autoresume.Event{autoresume.TurnEnded{Stop: autoresume.StopCancelled}}
	case autoresume.Poll:
		return []autoresume.Event{autoresume.Probed{State: "busy"}}
	}
	return nil
}

// at lets an event happen, after everything that was due before.
func (r *rig) at(now time.Duration, session string, events ...autoresume.Event) {
	r.until(now - 1)
	r.now = now
	for _, ev := range events {
		r.take(r.engine.Step(session, ev, now))
	}
}

// until lets time go by.
func (r *rig) until(now time.Duration) {
	for {
		next, ok := r.engine.Next()
		if !ok || next > now {
			break
		}
		r.now = max(r.now, next)
		r.take(r.engine.Wake(r.now))
	}
	r.now = max(r.now, now)
}

func (r *rig) take(actions []autoresume.Action) {
	r.did = append(r.did, actions...)
	r.ledger.Note(actions...)
	for _, a := range actions {
		if r.answer == nil {
			continue
		}
		for _, ev := range r.answer(a) {
			r.take(r.engine.Step(a.Session, ev, r.now))
		}
	}
}

// acts are what was done in short: the moment, the act, and what it is about.
func (r *rig) acts(only ...autoresume.Act) []string {
	out := []string{}
	for _, a := range r.did {
		for _, o := range only {
			if a.Act == o {
				out = append(out, a.At.String()+" "+string(a.Act)+" "+string(a.Kind)+string(a.Reason)+string(a.Result))
			}
		}
	}
	return out
}

func start() autoresume.Event { return autoresume.TurnStarted{Origin: autoresume.ByUser} }
func ended() autoresume.Event { return autoresume.TurnEnded{Stop: "end_turn"} }
func says(text string) autoresume.Event {
	return autoresume.Text{Text: text}
}
