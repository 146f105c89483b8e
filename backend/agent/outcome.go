package agent

import "time"

// Outcome is how a turn ended. A turn has exactly one.
type Outcome string

// Outcomes of a turn.
const (
	Completed    Outcome = "completed"     // a stop reason, with output
	EndedEmpty   Outcome = "ended_empty"   // a successful stop reason without output
	Cancelled    Outcome = "cancelled"     // our cancel, or the agent's own
	Failed       Outcome = "failed"        // proved by an error, a diagnostic or the agent's exit
	NeverStarted Outcome = "never_started" // nothing genuine since dispatch
	Interrupted  Outcome = "interrupted"   // found open at the next start
)

// StopReason is ACP's word for why a prompt was answered.
type StopReason string

// Stop reasons of ACP.
const (
	EndTurn         StopReason = "end_turn"
	MaxTokens       StopReason = "max_tokens"
	MaxTurnRequests StopReason = "max_turn_requests"
	Refusal         StopReason = "refusal"
	StopCancelled   StopReason = "cancelled"
)

// SessionState is what a session is doing.
type SessionState string

// States of a session. Opening is only ever seen while no turn is open.
const (
	SessionOpening SessionState = "opening"
	SessionRunning SessionState = "running"
	SessionWaiting SessionState = "waiting_for_input"
	SessionFailed  SessionState = "failed"
)

// TaskState is where a task stands for the person who gave it.
type TaskState string

// States of a task.
const (
	TaskWaiting  TaskState = "waiting"
	TaskRunning  TaskState = "running"
	TaskNeedsYou TaskState = "needs_you"
	TaskDone     TaskState = "done"
	TaskFailed   TaskState = "failed"
)

// Code is the name of a failure in the one taxonomy; package failure lists them.
type Code string

// Failure is a proved failure, safe to store and to show. Message is sanitised
// text or empty; Hint is the key of a sentence that says what to do, with its
// arguments. There is no raw field, so nothing raw can leak.
type Failure struct {
	Code    Code
	Rule    string // the id of the rule that said so
	Source  string // the channel: acp_error, exit, open, opencode_stderr …
	Message string
	Hint    string
	Args    map[string]string

	Provider   string
	Model      string
	OccurredAt time.Time
	ResetAt    time.Time // zero where it is not known
	Link       string    // a validated remediation address, or ""

	Confidence string        // how sure the rule is: high, medium, low; "" where nothing was weighed
	RetryAfter time.Duration // the wait that the provider or agent asked for; 0 for none
}

// Error makes a Failure an error. The text is for logs: code and rule, then the
// sanitised message.
func (f *Failure) Error() string {
	s := string(f.Code)
	if f.Rule != "" {
		s += " (" + f.Rule + ")"
	}
	if f.Message != "" {
		s += ": " + f.Message
	}
	return s
}

// CancelStep is a stage of a cancel. The card lists each with its time.
type CancelStep string

// Stages of a cancel.
const (
	CancelSent         CancelStep = "sent"
	CancelAcknowledged CancelStep = "acknowledged" // the prompt returned in answer to it
	CancelEscalated    CancelStep = "escalated"    // the bound was over; we let go of the prompt
	CancelNotStopped   CancelStep = "not_stopped"  // the agent has not answered 30 s later
	CancelDenied       CancelStep = "refused"      // the agent does not take a cancel
	CancelReturned     CancelStep = "returned"     // a released prompt came back after all
)
