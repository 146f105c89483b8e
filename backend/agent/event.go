package agent

import "time"

// Event is anything that may happen to a session. The sum is closed: only this
// package adds to it. Events of a turn carry a Stamp or a Generation, and one of
// another generation changes nothing.
type Event interface{ event() }

// What the user does.
type (
	// Submit hands in a prompt. While a turn runs, or while the queue is held,
	// it waits in the queue.
	Submit struct {
		Prompt Prompt
	}
	// EditQueued changes the text of a prompt that still waits.
	EditQueued struct {
		ID     PromptID
		Blocks []Block
	}
	// RemoveQueued takes a prompt out of the queue.
	RemoveQueued struct{ ID PromptID }
	// ReleaseQueue sends a held queue on: the user chose Resume.
	ReleaseQueue struct{}
	// CancelTurn ends the turn in hand. With none open it does nothing.
	CancelTurn struct{}
	// Decide answers an open request.
	Decide struct {
		Ask      AskID
		Decision Decision
	}
	// SetOption asks the agent for another value of one of its options.
	SetOption struct{ ID, Value string }
	// Connect brings the agent up without a prompt, so that its options can be
	// seen. It does nothing where the agent is up.
	Connect struct{}
	// Restart stops the agent's process and opens the session anew.
	Restart struct{}
)

// What a connection reports.
type (
	// Opened says that the agent is there and the provider session is ready.
	Opened struct{ Info SessionInfo }
	// OpenFailed says that it could not be brought there.
	OpenFailed struct{ Failure Failure }
	// Updated is one session update.
	Updated struct {
		Stamp  Stamp
		Update Update
	}
	// Asked is a request of the agent for the user.
	Asked struct {
		Stamp Stamp
		Ask   Ask
	}
	// AskGone says that the agent no longer waits for an answer.
	AskGone struct {
		Stamp Stamp
		ID    AskID
	}
	// Retrying says that the agent itself announced a retry. Next is zero where
	// it did not say when. Code is what it means to get over and Message what its
	// provider said, sanitised; both are empty where it did not say why.
	Retrying struct {
		Stamp   Stamp
		Attempt int
		Next    time.Time
		Code    Code
		Message string
	}
	// FailureSeen is correlated evidence, beside the answer, that the turn of
	// its stamp has failed.
	FailureSeen struct {
		Stamp   Stamp
		Failure Failure
	}
	// Stepped says that the agent went to its model once more in the turn of its
	// stamp and that the step before had no output, where the agent tells so.
	Stepped struct{ Stamp Stamp }
	// CancelRefused says that the agent does not take a cancel.
	CancelRefused struct{ Generation Generation }
	// Answered is the end of the prompt call of a generation: an answer or, with
	// Failure set, an error.
	Answered struct {
		Generation Generation
		Stop       StopReason
		Usage      Usage
		Failure    *Failure
	}
	// Exited says that the agent's process is gone. It comes after everything
	// that the process had written was delivered.
	Exited struct {
		Stamp   Stamp
		Failure Failure
	}
)

// What comes back from our own side.
type (
	// Persisted answers a Record: everything up to Seq is on disk or, with Err
	// set, the batch Seq was refused and is not stored.
	Persisted struct {
		Seq uint64
		Err error
	}
	// TimerFired answers an Arm.
	TimerFired struct {
		Timer      Timer
		Generation Generation
	}
	// Checked is the watchdog's snapshot of a silent turn coming back to the
	// owner, who drops it when any of the three has moved on.
	Checked struct {
		Session    SessionID
		Generation Generation
		Epoch      uint64
	}
	// Closed says that Turnwatch lets go of the session: stop the agent.
	Closed struct{}
)

func (Submit) event()        {}
func (EditQueued) event()    {}
func (RemoveQueued) event()  {}
func (ReleaseQueue) event()  {}
func (CancelTurn) event()    {}
func (Decide) event()        {}
func (SetOption) event()     {}
func (Restart) event()       {}
func (Connect) event()       {}
func (Opened) event()        {}
func (OpenFailed) event()    {}
func (Updated) event()       {}
func (Asked) event()         {}
func (AskGone) event()       {}
func (Retrying) event()      {}
func (FailureSeen) event()   {}
func (Answered) event()      {}
func (Exited) event()        {}
func (Persisted) event()     {}
func (TimerFired) event()    {}
func (Checked) event()       {}
func (Stepped) event()       {}
func (CancelRefused) event() {}
func (Closed) event()        {}

// Prompt is what the user asks. Its id is Turnwatch's own.
type Prompt struct {
	ID     PromptID
	Blocks []Block
	At     time.Time
}

// Timer names a bound that the machine sets itself.
type Timer string

// Timers.
const (
	CancelBound Timer = "cancel_bound" // 3 s for the prompt to return after a cancel
	StopBound   Timer = "stop_bound"   // 30 s until "the agent has not stopped"
	IdleBound   Timer = "idle_bound"   // an idle agent that can resume is stopped
	RetryDue    Timer = "retry_due"    // a failed prompt is to be sent again; of the failed generation
)

// SessionInfo is what is known of a session once it is open.
type SessionInfo struct {
	ID       ProviderSession
	Agent    string // the agent's own name for itself
	Version  string
	Options  []Option
	Commands []Command
	Resumes  bool // session/resume or session/load is offered
	Images   bool // prompts may hold images
	Embeds   bool // prompts may hold embedded resources
	Resumed  bool // the provider session is an earlier one, taken up again
}
