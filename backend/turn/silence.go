package turn

import (
	"maps"
	"strconv"
	"time"

	"turnwatch/backend/agent"
)

// Threshold is how long a turn may send nothing genuine until that is said. It
// is no setting.
const Threshold = 5 * time.Minute

// silence is what the machine knows of how quiet the turn in hand is. All times
// are awake time: a lid closed for an hour is no hour of silence.
type silence struct {
	since   time.Duration // nothing genuine from here on; may lie ahead while a retry is announced
	notice  noticed
	args    map[string]string // of the notice
	logged  bool
	retries bool // the agent has announced a retry and nothing genuine came since
}

// noticed is how far the one notice of a turn has come. It is spent only when
// the history has accepted it.
type noticed int

const (
	unsaid  noticed = iota
	writing         // handed to the history
	shown           // on disk; the turn is quiet
	ended           // shown, and events have resumed since
)

// rearm starts the inactivity clock anew.
func (t *step) rearm() {
	t.epoch++
	t.turn.silence.since = t.now.Awake
	t.turn.silence.retries = false
}

// resumed ends a silence that was said: the notice stays, its text changes.
func (t *step) resumed() {
	q := &t.turn.silence
	if q.notice == shown {
		t.quietEnded(t.now.Awake - q.since)
	}
}

// quietEnded changes the notice to say how long it had been quiet.
func (t *step) quietEnded(quiet time.Duration) {
	q := &t.turn.silence
	q.notice = ended
	args := map[string]string{"was_ms": strconv.FormatInt(quiet.Milliseconds(), 10)}
	maps.Copy(args, q.args)
	t.note(t.turn.gen, agent.NoticeChanged{Notice: agent.Notice{Kind: agent.NoticeQuiet, Args: args}})
}

// checked takes the watchdog's snapshot of a silent turn. It is stale when
// anything genuine came since it was taken. Silence fails nothing, but a turn
// that has never started.
func (t *step) checked(e agent.Checked) {
	if e.Generation != t.turn.gen || e.Epoch != t.epoch || !t.silent() {
		return
	}
	if t.turn.phase == dispatched && len(t.abandoned) == 0 {
		t.neverStarted()
		return
	}
	q := &t.turn.silence
	if !q.logged {
		q.logged = true
		t.effects = append(t.effects, agent.Log{Kind: "stall", Generation: t.turn.gen})
	}
	if q.notice == unsaid {
		q.notice = writing
		q.args = t.words.waitingOn(t.turn.gen)
		n := agent.Notice{Kind: agent.NoticeQuiet, Args: q.args}
		t.waiting = append(t.waiting, wait{seq: t.try(t.turn.gen, agent.Noticed{Notice: n}), notice: t.turn.gen})
	}
}

// silent reports whether the turn in hand has been silent for the threshold. It
// never is while something is asked or while it is being cancelled.
func (t *step) silent() bool {
	return t.turn.open() && t.turn.phase != cancelling && len(t.turn.asks) == 0 &&
		t.now.Awake-t.turn.silence.since >= Threshold
}

// neverStarted ends a turn of which nothing genuine was seen since its dispatch.
// The call is cancelled and let go, and the process is asked to stop.
func (t *step) neverStarted() {
	t.effects = append(t.effects, agent.Log{Kind: "stall", Generation: t.turn.gen})
	t.send(agent.Cancel{Generation: t.turn.gen})
	t.settle(end{outcome: agent.NeverStarted})
	t.shut()
}

// retrying takes the agent's word that it tries again. The announced wait is no
// silence: the clock counts from its end. It proves no start.
func (t *step) retrying(e agent.Retrying) {
	if !t.turn.open() || e.Stamp.Generation != t.turn.gen || t.turn.phase == cancelling {
		return
	}
	t.rearm()
	q := &t.turn.silence
	q.retries = true
	if wait := e.Next.Sub(t.now.Wall); !e.Next.IsZero() && wait > 0 {
		q.since += wait
	}
	t.note(t.turn.gen, agent.RetryAnnounced{Attempt: e.Attempt, Next: e.Next, Code: e.Code, Message: e.Message})
}

// noticeStored and noticeRefused take the history's answer. A refused notice is
// tried again at the next tick; nothing else changes.
func (t *step) noticeStored(g agent.Generation) {
	if g == t.turn.gen && t.turn.silence.notice == writing {
		t.turn.silence.notice = shown
		if t.now.Awake-t.turn.silence.since < Threshold { // events resumed while it was written
			t.quietEnded(Threshold)
		}
	}
}

func (t *step) noticeRefused(g agent.Generation) {
	if g == t.turn.gen && t.turn.silence.notice == writing {
		t.turn.silence.notice = unsaid
	}
}

// waitingOn names the tool that a quiet turn waits for: the most recently started
// top-level call that is open, by a name that holds nothing of its input.
func (w *transcript) waitingOn(g agent.Generation) map[string]string {
	for i := len(w.order) - 1; i >= 0; i-- {
		p, ok := w.tools[w.order[i]]
		if !ok || p.Generation != g || p.Tool.Parent != "" || !p.Tool.Status.Open() {
			continue
		}
		if name := p.Tool.PublicName(); name != "" {
			return map[string]string{"tool": name}
		}
		if p.Tool.Kind != "" {
			return map[string]string{"kind": p.Tool.Kind}
		}
		return nil
	}
	return nil
}
