package managed

import (
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/diagnose"
	"turnwatch/backend/failure"
	"turnwatch/backend/opencode"
)

// Bounds of the judge.
const (
	streamWait  = 1500 * time.Millisecond // for the event stream to contradict a record
	answerWait  = 3 * time.Second         // for the answer to the one question
	recordWait  = time.Second             // for the record of a limit that the stream told first
	nearTry     = 60 * time.Second        // a next try that is farther away is no retry but a stop
	healingTime = 30 * time.Second        // after an announced try began
)

// judge says when a failed model stream of OpenCode ends the turn, and when the
// agent is healing it by itself. It is a pure machine: the time is given, and what
// it wants done is returned.
//
// A used-up limit ends the turn at once; a context that is too long never does. Any
// other record waits for the agent's
// own event stream, which follows it by milliseconds, then the server is asked
// once. A next try that is announced within a minute makes it a retry, which ends
// the turn if nothing genuine came until half a minute after that try began.
type judge struct {
	turn   agent.Generation // 0: none is in hand, or it has been judged
	phase  judgement
	held   *finding // what ends the turn if nothing speaks against it
	seq    int      // of the question or timer that counts
	source bool     // there is an event stream to wait for, or there may be one
	said   opencode.Status
	last   *opencode.Error // of the turn in hand
	told   agent.Retrying
}

// finding is a failure and the stamp of what proved it.
type finding struct {
	stamp   agent.Stamp
	failure agent.Failure
}

// judgement is what the judge waits for.
type judgement int

const (
	nothing    judgement = iota
	streaming            // for the stream to say that the agent tries again
	asking               // for the answer to the one question
	healing              // for anything genuine after an announced try
	recording            // for the record of a limit that the stream told first: it says more
	confirming           // for the answer whether a limit told by the stream alone still stands
)

// What the judge is told. Anything that carries a stamp of another turn is ignored.
type (
	prompted struct{ stamp agent.Stamp }
	returned struct{ generation agent.Generation }
	genuine  struct{ generation agent.Generation }
	recorded struct {
		stamp   agent.Stamp
		finding diagnose.Finding
	}
	sourced  struct{ there bool } // whether an event stream may be waited for
	rejoined struct{}             // the stream is there (again)
	reported struct {
		stamp  agent.Stamp
		status opencode.Status
		model  modelNames
	}
	broken struct {
		stamp agent.Stamp
		err   opencode.Error
	}
	answered struct {
		seq    int
		ok     bool // the server answered
		status opencode.Status
		stamp  agent.Stamp
		model  modelNames
	}
	woken struct{ seq int }
)

// modelNames are the provider and model of the step in hand, fit to be shown.
type modelNames struct{ provider, model string }

// What the judge wants done.
type (
	emit struct{ event agent.Event }
	ask  struct{ seq int }
	wake struct {
		seq   int
		after time.Duration
	}
)

// step takes what happened and returns what is to be done, in order.
func (j *judge) step(ev any, now time.Time) []any {
	switch e := ev.(type) {
	case prompted:
		*j = judge{turn: e.stamp.Generation, seq: j.seq + 1, source: j.source}
	case returned:
		if e.generation == j.turn {
			j.rest()
		}
	case genuine:
		if e.generation == j.turn {
			j.clear()
		}
	case sourced:
		j.source = e.there
		if !e.there && (j.phase == streaming || j.phase == asking) {
			return j.settle()
		}
	case rejoined:
		j.source = true
		if j.turn != 0 && j.phase == nothing {
			j.seq++
			return []any{ask{j.seq}} // what was told meanwhile is missing
		}
	case recorded:
		return j.recorded(e, now)
	case reported:
		return j.reported(e, now)
	case broken:
		return j.broken(e)
	case answered:
		return j.answered(e, now)
	case woken:
		return j.woken(e)
	}
	return nil
}

// recorded takes a correlated record of stderr.
func (j *judge) recorded(e recorded, now time.Time) []any {
	if j.turn == 0 || e.stamp.Generation != j.turn || compacts(e.finding.Failure().Code) {
		return nil
	}
	j.held = &finding{stamp: e.stamp, failure: e.finding.Failure()}
	switch {
	case e.finding.Quota(), !j.source:
		return j.settle()
	case j.said.Limited():
		return j.limit(j.said)
	case j.said.Doing == opencode.Retry && j.said.Next.After(now):
		return j.announced(j.said, now)
	}
	j.phase = streaming
	j.seq++
	return []any{wake{j.seq, streamWait}}
}

// compacts reports whether OpenCode itself gets over a failure of that code: it
// shortens a conversation that is too long and goes on in the same turn. Where
// that fails too, the answer to the prompt says so.
func compacts(code agent.Code) bool { return code == failure.ContextOverflow }

// reported takes what the stream says of the session.
func (j *judge) reported(e reported, now time.Time) []any {
	if j.turn == 0 || e.stamp.Generation != j.turn {
		return nil
	}
	j.said = e.status
	switch e.status.Doing {
	case opencode.Idle:
		j.clear() // the answer to the prompt follows, and says why
		return nil
	case opencode.Retry:
	default:
		return nil
	}
	switch {
	case e.status.Limited() && j.phase > healing:
		return nil // told already
	case e.status.Limited() && j.held != nil:
		return j.limit(e.status)
	case e.status.Limited():
		j.held = limited(e.status, e.stamp, e.model)
		j.phase = recording
		j.seq++
		return []any{wake{j.seq, recordWait}}
	case j.held != nil:
		return j.announced(e.status, now)
	}
	return j.tell(e.stamp, e.status)
}

// announced takes a next try while a record is held.
func (j *judge) announced(s opencode.Status, now time.Time) []any {
	wait := s.Next.Sub(now)
	if s.Next.IsZero() || wait > nearTry {
		return j.settle()
	}
	j.phase = healing
	j.seq++
	return append(j.tell(j.held.stamp, s), wake{j.seq, max(wait, 0) + healingTime})
}

// broken takes the end of a turn by an error, as the stream tells it. The answer
// to the prompt follows, and says less.
func (j *judge) broken(e broken) []any {
	switch {
	case j.turn == 0 || e.stamp.Generation != j.turn:
		return nil
	case e.err.Aborted():
		j.clear()
		return nil
	}
	j.last = &e.err
	if j.held == nil || j.phase > healing {
		j.clear()
		return nil
	}
	j.held.failure = refine(j.held.failure, e.err)
	return j.settle()
}

// answered takes the server's answer to the one question.
func (j *judge) answered(e answered, now time.Time) []any {
	if j.turn == 0 || e.seq != j.seq || e.stamp.Generation != j.turn {
		return nil
	}
	retries := e.ok && e.status.Doing == opencode.Retry
	switch j.phase {
	case asking:
		switch {
		case retries && e.status.Limited():
			return j.limit(e.status)
		case retries:
			return j.announced(e.status, now)
		}
		return j.settle()
	case confirming:
		if e.ok && !retries {
			j.clear()
			return nil
		}
		return j.settle()
	case nothing:
		if retries {
			return j.reported(reported{stamp: e.stamp, status: e.status, model: e.model}, now)
		}
	}
	return nil
}

// woken takes the end of a wait.
func (j *judge) woken(e woken) []any {
	if j.turn == 0 || e.seq != j.seq {
		return nil
	}
	switch j.phase {
	case recording:
		j.phase = confirming
		return []any{ask{j.seq}, wake{j.seq, answerWait}}
	case streaming:
		j.phase = asking
		return []any{ask{j.seq}, wake{j.seq, answerWait}}
	case asking, healing, confirming:
		return j.settle()
	}
	return nil
}

// limit makes of a held failure the limit that the stream says it is.
func (j *judge) limit(s opencode.Status) []any {
	f := &j.held.failure
	if f.Code != failure.QuotaLimited {
		f.Code, f.Rule, f.Hint = failure.QuotaLimited, ruleLimit, failure.HintOf(failure.QuotaLimited, f.Message)
	}
	if f.ResetAt.IsZero() {
		untilNextTry(f, s)
	}
	return j.settle()
}

// settle ends the turn by what is held. Nothing more is said of that turn.
func (j *judge) settle() []any {
	if j.held == nil {
		return nil
	}
	f := agent.FailureSeen{Stamp: j.held.stamp, Failure: j.held.failure}
	j.rest()
	return []any{emit{f}}
}

// tell announces a retry, each only once.
func (j *judge) tell(st agent.Stamp, s opencode.Status) []any {
	r := because(agent.Retrying{Stamp: st, Attempt: s.Attempt, Next: s.Next}, failure.Evidence{Agent: agent.OpenCode, Text: s.Message}, s.Message)
	if h := j.held; h != nil && r.Code == "" && r.Message == "" {
		r.Code, r.Message = h.failure.Code, h.failure.Message // what stderr told of it
	}
	if r.Attempt == j.told.Attempt && r.Next.Equal(j.told.Next) {
		return nil
	}
	j.told = r
	return []any{emit{r}}
}

// clear forgets what is held and what was announced: the agent goes on.
func (j *judge) clear() {
	j.held, j.phase, j.said = nil, nothing, opencode.Status{}
	j.seq++
}

// rest ends the turn in hand.
func (j *judge) rest() {
	j.clear()
	j.turn, j.last, j.told = 0, nil, agent.Retrying{}
}
