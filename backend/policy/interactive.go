package policy

import (
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
)

// Action is what is done about a failure.
type Action string

// Actions.
const (
	// Nothing: the agent goes on by itself, or there is no failure.
	Nothing Action = "nothing"
	// Retry sends the same prompt to the same agent and model once more, after a
	// countdown that the user sees and can cancel.
	Retry Action = "retry"
	// Card leaves it to the user.
	Card Action = "card"
)

// Turn is what is known of the turn that failed.
type Turn struct {
	// Output says that text or a plan came from the agent, Tools that it called a
	// tool: sending the prompt again might do things twice.
	Output, Tools bool
	// Resumes says that the agent guarantees to take the turn up where it stopped,
	// so that neither matters.
	Resumes bool
	// Tries is how often this prompt was sent again by itself already.
	Tries int
}

// Decision is what is done, and when. Reason says why a failure that may pass by
// itself is left to the user; "" where it is not.
type Decision struct {
	Action Action
	Wait   time.Duration // of Retry, counted from the failure
	Reason agent.RetryDrop
}

// schedule is how long each try waits at least.
var schedule = []time.Duration{5 * time.Second, 10 * time.Second, 20 * time.Second, 40 * time.Second, 60 * time.Second}

// Tries is how often a prompt is sent again at most.
func Tries() int { return len(schedule) }

// spread is the most that dice add to a wait, as a part of it: enough that agents
// that failed together do not come back together.
const spread = 0.2

// Interactive decides for a person at the board. Only a failure that is surely
// transient is retried, and only while the turn has done nothing; everything else
// is a card, and nothing hard is ever replayed. Dice is a random number from 0 up
// to 1. What the provider asks to wait is waited at least.
func Interactive(c failure.Classification, t Turn, dice float64) Decision {
	switch {
	case !c.Failed():
		return Decision{Action: Nothing}
	case c.Class != failure.Transient:
		return Decision{Action: Card}
	case c.Confidence != failure.High:
		return Decision{Action: Card, Reason: agent.DropUnsure}
	case (t.Output || t.Tools) && !t.Resumes:
		return Decision{Action: Card, Reason: agent.DropEffects}
	case t.Tries < 0 || t.Tries >= len(schedule):
		return Decision{Action: Card, Reason: agent.DropExhausted}
	}
	wait := max(schedule[t.Tries], c.RetryAfter)
	return Decision{Action: Retry, Wait: wait + time.Duration(float64(wait)*spread*min(max(dice, 0), 1))}
}
