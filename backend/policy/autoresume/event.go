package autoresume

import "time"

// Event is what may happen to a session. The sum is closed.
type Event interface{ event() }

// Origin says who started a turn.
type Origin string

// Origins. Only the user and another client of the user refill budgets.
const (
	ByUser       Origin = "user"
	ByExternal   Origin = "external"   // a prompt of another client
	ByAgent      Origin = "agent"      // the agent itself, such as a child session
	BySupervisor Origin = "supervisor" // a prompt of this policy
	ByUnknown    Origin = "unknown"
)

// Stops of a turn that mean something here; any other is an end like end_turn.
const (
	StopMaxTokens = "max_tokens"
	StopRefusal   = "refusal"
	StopCancelled = "cancelled"
	StopError     = "error"
)

// What a session and its agent do.
type (
	// Opened says that a session is there. Busy: it was found in the middle of a
	// turn, so that the calls in flight are not known. Caps nil are the Engine's.
	Opened struct {
		Parent string
		Model  string
		Busy   bool
		Caps   *Caps
	}
	// TurnStarted says that a prompt was taken up.
	TurnStarted struct{ Origin Origin }
	// TurnEnded says how a turn ended. OutTokens are those of its last message, nil
	// where the agent tells none; Fault is set where it ended with an error.
	TurnEnded struct {
		Stop      string
		OutTokens *int64
		Fault     *Fault
	}
	// Text and Thought are chunks of the agent's message and of its reasoning.
	Text    struct{ Text string }
	Thought struct{ Text string }
	// ToolStarted is a call. Args is JSON or nil; Spawns is the session that the
	// call has delegated its work to, where that is known.
	ToolStarted struct {
		ID, Name string
		Args     []byte
		Spawns   string
	}
	// ToolEnded is its end. Out is a hash of the output, "" where there is none;
	// Err is "unknown_tool" where the agent has no tool of that name.
	ToolEnded struct {
		ID, Name string
		OK       bool
		Out      string
		Err      string
	}
	// Stirred is any other sign of life.
	Stirred struct{}
	// Planned is the whole list of what the agent means to do.
	Planned struct{ Entries []Entry }
	// Used tells how full the model's window is, in tokens.
	Used struct{ Used, Size int64 }
	// Retrying is the agent's word that it tries again, after Wait where it says so.
	Retrying struct {
		Attempt int
		Wait    time.Duration // 0: not told
	}
	// Fault is an error that the agent or its provider reported.
	Fault struct {
		Code      string // of the taxonomy where it is classified already, with Rule
		Rule      string
		Name      string // the agent's own name of the error
		Message   string
		Status    int   // of HTTP, 0 where there is none
		Retryable *bool // what the agent says about it
	}
	// AskOpened and AskClosed frame a permission or question for the user.
	AskOpened struct{ ID string }
	AskClosed struct{ ID string }
	// Compacting says that the agent shortens its context, or has done so.
	Compacting struct{ On bool }
	// CommandStarted and CommandEnded frame a slash command.
	CommandStarted struct{ ID string }
	CommandEnded   struct{ ID string }
	// Completed is a call of the tool task_complete: it is answered at once.
	Completed struct{}
	// Probed answers a Poll, or is a poll of somebody else: "idle", "busy", or
	// anything else for not known.
	Probed struct{ State string }
	// Closed says that a session is over for good: everything of it is forgotten.
	Closed struct{}
	// Exited says that the agent's process is gone.
	Exited struct{}
)

// What the user does.
type (
	// Cancelled is the user's cancel or ESC.
	Cancelled struct{}
	// Typing says that the user writes into this session.
	Typing struct{}
	// Dismissed takes an announced action back: Cancel on the countdown.
	Dismissed struct{}
	// Switched turns the policy on or off for a session; for all with session "".
	Switched struct{ On bool }
	// Yielded says that somebody else watches the session (a plugin of the same
	// purpose, an editor), or no longer does. It is only watched meanwhile.
	Yielded struct{ To bool }
	// Configured gives a session and its children options of their own.
	Configured struct {
		Options Options
		Caps    Caps
	}
)

// Sent says what came of a prompt that was asked for: whether it was taken.
type Sent struct{ OK bool }

// Entry is one entry of a plan.
type Entry struct{ Content, Status string }

// Caps is what the way to a session allows.
type Caps struct {
	PromptWhileBusy bool // a prompt reaches a turn that runs
	PromptChild     bool // child sessions can be addressed
	Status          bool // the agent can be asked whether a turn runs
}

// AllCaps are those of a server that takes any prompt.
func AllCaps() Caps { return Caps{PromptWhileBusy: true, PromptChild: true, Status: true} }

func (Opened) event()         {}
func (TurnStarted) event()    {}
func (TurnEnded) event()      {}
func (Text) event()           {}
func (Thought) event()        {}
func (ToolStarted) event()    {}
func (ToolEnded) event()      {}
func (Stirred) event()        {}
func (Planned) event()        {}
func (Used) event()           {}
func (Retrying) event()       {}
func (Fault) event()          {}
func (AskOpened) event()      {}
func (AskClosed) event()      {}
func (Compacting) event()     {}
func (CommandStarted) event() {}
func (CommandEnded) event()   {}
func (Completed) event()      {}
func (Probed) event()         {}
func (Exited) event()         {}
func (Closed) event()         {}
func (Cancelled) event()      {}
func (Typing) event()         {}
func (Dismissed) event()      {}
func (Switched) event()       {}
func (Yielded) event()        {}
func (Configured) event()     {}
func (Sent) event()           {}
