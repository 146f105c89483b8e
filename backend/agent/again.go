package agent

import "time"

// A failed prompt may be sent again by itself. Planned says so before it happens,
// Dropped that it will not; sent it is by a TurnStarted that names the failed turn.
// All three are facts of a session; the first two bear the generation of the turn
// that failed.
type (
	// RetryPlanned says that the prompt of the turn is sent again at a time, unless
	// somebody stops it. One that is planned already gets another time.
	RetryPlanned struct {
		Try  int // counts from 1
		Most int // how many tries there are
		At   time.Time
	}
	// RetryDropped says that the prompt is not sent again by itself, and why. It may
	// come without a RetryPlanned before it.
	RetryDropped struct {
		Why RetryDrop
		Try int // how often it had been sent again by then
	}
)

func (RetryPlanned) fact() {}
func (RetryDropped) fact() {}

// RetryDrop says why a prompt is not sent again by itself.
type RetryDrop string

// Why a prompt is not sent again.
const (
	// Of a failure that may pass by itself.
	DropUnsure    RetryDrop = "unsure"    // the words only smell of it
	DropEffects   RetryDrop = "effects"   // the turn has done or said something, perhaps late
	DropExhausted RetryDrop = "exhausted" // it was tried often enough
	DropLost      RetryDrop = "lost"      // the agent is gone and cannot take the session up
	// Of one that was planned.
	DropCancelled RetryDrop = "cancelled" // by the user
	DropPrompt    RetryDrop = "prompt"    // another prompt was sent
	DropOption    RetryDrop = "option"    // the model or another option has changed
	DropRestart   RetryDrop = "restart"   // the agent was started anew by the user
	DropFresh     RetryDrop = "fresh"     // the task goes on in another session
	DropAway      RetryDrop = "away"      // the task was archived or deleted
	DropLate      RetryDrop = "late"      // Turnwatch was not running for too long after its time
	DropUnstored  RetryDrop = "unstored"  // its start could not be written down
)

type (
	// RetryNow sends a prompt that waits to be sent again without waiting longer. It
	// does nothing where none waits. CancelTurn stops one that waits.
	RetryNow struct{}
	// Rearm takes up a retry that an earlier run of Turnwatch has planned and not
	// sent. It is the first event of a session that was restored with one.
	Rearm struct{}
)

func (RetryNow) event() {}
func (Rearm) event()    {}
