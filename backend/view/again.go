package view

import (
	"strconv"
	"time"

	"turnwatch/backend/agent"
)

// Actions of a card while its prompt waits to be sent again.
const (
	RetryNow  Action = "retry_now"
	StopRetry Action = "stop_retry"
)

// Again is what became of sending a failed prompt again by itself.
type Again struct {
	Try, Most int
	At        time.Time       // of the next try
	Waits     bool            // the countdown runs
	Why       agent.RetryDrop // of one that does not wait and was not sent
}

// apply puts it on a card. While the prompt waits, its countdown is all that there
// is to do; else the card says why nothing is sent, where the user did not decide it.
func (a *Again) apply(c *Card) {
	switch {
	case a == nil:
	case a.Waits:
		c.Again, c.Tone = a, TonePlain
		c.Guidance, c.Later, c.Note = Phrase{}, Phrase{}, Phrase{}
		c.Actions = []Action{RetryNow, StopRetry}
	case explained(a.Why):
		c.Note = Phrase{Key: "card.again_" + string(a.Why), Args: map[string]string{"Count": strconv.Itoa(a.Try)}}
	}
}

// explained reports whether a reason is news to the user.
func explained(why agent.RetryDrop) bool {
	switch why {
	case agent.DropUnsure, agent.DropEffects, agent.DropExhausted, agent.DropLost, agent.DropLate, agent.DropUnstored:
		return true
	}
	return false
}
