package managed

import (
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
	"turnwatch/backend/opencode"
	"turnwatch/backend/redact"
)

// mostKin bounds how many subagents of a turn are known; of more nothing is said.
const mostKin = 256

// kin are the sessions that work for the one in hand: its subagents and theirs, as
// the event stream names them, since the prompt was sent. While a subagent waits
// for its provider its parent waits too and says nothing. That wait is the
// parent's, so it is told as one; but it proves no failure of the parent, whatever
// the subagent met, and never ends the turn.
type kin map[agent.ProviderSession]time.Time // the next try that was told last

// made takes a session that was made for another.
func (k *kin) made(c opencode.ChildMade, own agent.ProviderSession) {
	if _, ours := (*k)[c.Parent]; own == "" || c.Session == own || c.Parent != own && !ours {
		return
	}
	if *k == nil {
		*k = kin{}
	}
	if _, known := (*k)[c.Session]; !known && len(*k) < mostKin {
		(*k)[c.Session] = time.Time{}
	}
}

// told reports the wait that a subagent announces, once for each try.
func (k kin) told(st agent.Stamp, c opencode.StatusChanged) (agent.Retrying, bool) {
	before, ours := k[c.Session]
	s := c.Status
	if !ours || s.Doing != opencode.Retry || s.Next.IsZero() || s.Next.Equal(before) || !s.Next.After(st.At) {
		return agent.Retrying{}, false
	}
	k[c.Session] = s.Next
	r := agent.Retrying{Stamp: st, Attempt: s.Attempt, Next: s.Next, Message: redact.Text(s.Message)}
	if s.Limited() {
		r.Code = failure.QuotaLimited
		return r, true
	}
	return because(r, failure.Evidence{Agent: agent.OpenCode, Text: s.Message}, s.Message), true
}

// waitsForKin reports whether the turn of a stamp is in hand and the judge has
// nothing of its own to wait for, which would say more.
func (j *judge) waitsForKin(st agent.Stamp) bool {
	return j.turn != 0 && j.turn == st.Generation && j.phase == nothing
}
