package turn

import (
	"time"

	"turnwatch/backend/agent"
)

// Bounds of a retry that an earlier run of Turnwatch has planned.
const (
	// Notice is how long it is shown at least before it is sent: whoever starts
	// Turnwatch must be able to see it and to stop it.
	Notice = 5 * time.Second
	// Stale is how long after its time it is still sent by itself. Later the world
	// has moved on, and it is the user's to send.
	Stale = time.Hour
)

// Tried is what is known of a turn that failed. Output says that text or a plan
// came, Tools that it asked for something or called a tool; Tries is how often its
// prompt had been sent again by itself.
type Tried struct {
	Failure       agent.Failure
	Output, Tools bool
	Tries         int
}

// Verdict says whether the prompt of a failed turn is sent again by itself: after
// Wait where that is not zero. Else Drop says why not, "" where that is no question.
type Verdict struct {
	Wait time.Duration
	Most int // how many tries there are
	Drop agent.RetryDrop
}

// chance is what the turn in hand must keep in case its prompt is sent again, or
// was.
type chance struct {
	acted   bool             // it asked for something or called a tool
	of      agent.Generation // the failed turn whose prompt this is; 0 for the user's own
	try     int
	model   string         // that the failed turn used
	failure *agent.Failure // of the failed turn
	undone  bool           // it must not be sent after all
}

// retry is a failed prompt that waits to be sent again. It is on disk before its
// timer runs, and its row there ends with its start: it is sent once at most.
type retry struct {
	chance
	gen    agent.Generation // of the turn that failed
	prompt agent.Prompt
	most   int
	at     time.Time
}

// plan decides what becomes of the prompt of the turn in hand, which fails.
func (t *step) plan(e end) []agent.Fact {
	if e.outcome != agent.Failed || e.failure == nil || e.final || t.policy.Again == nil || t.policy.Unattended {
		return nil
	}
	c := t.turn.chance
	v := t.policy.Again(Tried{Failure: *e.failure, Output: t.turn.output, Tools: c.acted, Tries: c.try})
	if v.Wait > 0 && t.lost() {
		v = Verdict{Drop: agent.DropLost}
	}
	switch {
	case v.Wait > 0:
		t.retry = &retry{
			chance: chance{of: t.turn.gen, try: c.try + 1, model: agent.ModelOf(t.info.Options), failure: e.failure},
			gen:    t.turn.gen, prompt: t.turn.prompt, most: v.Most, at: t.now.Wall.Add(v.Wait),
		}
		return []agent.Fact{t.retry.planned()}
	case v.Drop != "":
		return []agent.Fact{agent.RetryDropped{Why: v.Drop, Try: c.try}}
	}
	return nil
}

func (r *retry) planned() agent.Fact {
	return agent.RetryPlanned{Try: r.try, Most: r.most, At: r.at}
}

// lost reports whether the agent would have to begin anew, without what was said
// before: it is gone, or still busy with a prompt that we let go of, and cannot
// take its session up.
func (t *step) lost() bool {
	return (t.link == down || len(t.abandoned) > 0) && t.info.ID != "" && !t.info.Resumes
}

// countDown lets the timer of a retry run, now that it is on disk.
func (t *step) countDown(g agent.Generation) {
	if t.retry != nil && t.retry.gen == g {
		t.arm(agent.RetryDue, g, max(t.retry.at.Sub(t.now.Wall), 0))
	}
}

// sendAgain starts the turn that sends a failed prompt once more. An agent that is
// still busy with the failed one is stopped first: what it says could not be told
// from what the new turn does.
func (t *step) sendAgain() {
	if t.retry == nil || t.turn.phase != idle {
		return
	}
	r := t.retry
	t.retry = nil
	if len(t.abandoned) > 0 {
		t.shut()
	}
	t.begin(current{prompt: r.prompt, chance: r.chance})
}

// drop gives up a retry that waits; without one it does nothing. The task needs
// its user then, unless a turn is about to begin.
func (t *step) drop(why agent.RetryDrop) {
	if t.retry == nil {
		return
	}
	r := t.retry
	t.retry = nil
	t.note(r.gen, agent.RetryDropped{Why: why, Try: r.try - 1})
	if why != agent.DropPrompt {
		t.stand(agent.SessionWaiting, agent.TaskNeedsYou)
	}
}

// rearmRetry takes up what an earlier run has planned and provably not sent.
func (t *step) rearmRetry() {
	r := t.retry
	switch {
	case r == nil:
		return
	case t.now.Wall.Sub(r.at) > Stale:
		t.drop(agent.DropLate)
		return
	case t.lost():
		t.drop(agent.DropLost)
		return
	}
	if soon := t.now.Wall.Add(Notice); r.at.Before(soon) {
		r.at = soon
	}
	seq := t.noteAck(r.gen, r.planned())
	t.waiting = append(t.waiting, wait{seq: seq, retry: r.gen})
}

// lateEffect gives up a retry when the failed turn turns out to do something, also
// one that has begun and is not sent yet.
func (t *step) lateEffect() {
	t.drop(agent.DropEffects)
	switch {
	case t.turn.chance.of == 0:
	case t.turn.phase == recording:
		t.turn.chance.undone = true
	case t.turn.phase == starting:
		t.undo()
	}
}

// undo ends a turn that was to send a failed prompt again before it is sent. The
// failure stands.
func (t *step) undo() {
	t.settle(end{outcome: agent.Failed, failure: t.turn.chance.failure, final: true})
}

// otherModel reports whether a prompt that is sent again would reach another model
// than the one that failed.
func (c chance) otherModel(options []agent.Option) bool {
	now := agent.ModelOf(options)
	return c.of != 0 && c.model != "" && now != "" && now != c.model
}
