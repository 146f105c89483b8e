package agent

import "time"

// Fact is something that was decided or seen, in the form that is stored and
// shown. The sum is closed. Facts hold keys and arguments, never sentences.
type Fact interface{ fact() }

type (
	// SessionReady says that the agent is there: its version and its options.
	SessionReady struct{ Info SessionInfo }
	// PromptQueued says that a prompt was accepted and waits.
	PromptQueued struct{ Prompt Prompt }
	// PromptEdited says that a waiting prompt has a new text.
	PromptEdited struct {
		ID     PromptID
		Blocks []Block
	}
	// PromptRemoved says that a waiting prompt was taken out by the user.
	PromptRemoved struct{ ID PromptID }
	// TurnStarted says that a prompt is about to be dispatched under a new
	// generation. It leaves the queue if it was in it. Again is the failed turn
	// whose prompt is sent again by itself and Try how often that was done; both are
	// 0 for what the user has sent.
	TurnStarted struct {
		Generation Generation
		Prompt     Prompt
		Again      Generation
		Try        int
		Auto       *Auto // the auto-resume policy has sent it; nil for any other
	}
	// PartSet adds a part of the transcript or replaces it whole.
	PartSet struct{ Part Part }
	// PartAppended adds text to the end of a text or thought part. Offset is the
	// length in bytes of what stood there before, so that a reader who joins late
	// can tell what it has already.
	PartAppended struct {
		Seq    uint64
		Offset int
		Text   string
	}
	// AskOpened is a request of the agent that waits for an answer.
	AskOpened struct{ Ask Ask }
	// AskClosed is the answer it was given.
	AskClosed struct {
		ID       AskID
		Decision Decision
	}
	// OptionsSet is the new list of the session's options.
	OptionsSet struct{ Options []Option }
	// CommandsSet is the new list of slash commands.
	CommandsSet struct{ Commands []Command }
	// UsageSet is the latest word of the agent about its context and cost.
	UsageSet struct{ Usage Usage }
	// TitleSet is the agent's own title for the session.
	TitleSet struct{ Title string }
	// CancelStepped is one stage of a cancel.
	CancelStepped struct {
		Step CancelStep
		Auto bool // of sent: the auto-resume policy cancels, not the user
	}
	// Noticed shows a notice, by key and arguments.
	Noticed struct{ Notice Notice }
	// NoticeChanged gives a notice that was shown other arguments: how long it was
	// quiet until events resumed, how many steps it is by now. It is no new notice.
	NoticeChanged struct{ Notice Notice }
	// ToolFinished says that a top-level tool call came to its own good end, and how
	// long it was quiet at most while it was open: awake time between two of its
	// updates in which nothing was asked. Name is public (ToolCall.PublicName), as
	// it stood in that quiet.
	ToolFinished struct {
		Name  string
		Quiet time.Duration
	}
	// RetryAnnounced says that the agent retries by itself, and why as far as it
	// tells: see Retrying. The reason is shown while it lasts and is not stored.
	RetryAnnounced struct {
		Attempt int
		Next    time.Time
		Code    Code
		Message string
	}
	// TurnSettled is the end of a turn. There is one for each TurnStarted.
	TurnSettled struct {
		Outcome Outcome
		Stop    StopReason // as the agent said it; "" where it did not answer
		ByAgent bool       // of Cancelled: nobody here asked for it
		Failure *Failure
		Usage   Usage
	}
	// OpenRefused says that the agent could not be started or the session not be
	// opened. It belongs to no turn.
	OpenRefused struct{ Failure Failure }
	// StateSet is the state of the session and its task from here on.
	StateSet struct {
		Session SessionState
		Task    TaskState
		Held    bool // the queue waits for the user's word
	}
)

func (SessionReady) fact()   {}
func (PromptQueued) fact()   {}
func (PromptEdited) fact()   {}
func (PromptRemoved) fact()  {}
func (TurnStarted) fact()    {}
func (PartSet) fact()        {}
func (PartAppended) fact()   {}
func (AskOpened) fact()      {}
func (AskClosed) fact()      {}
func (OptionsSet) fact()     {}
func (CommandsSet) fact()    {}
func (UsageSet) fact()       {}
func (TitleSet) fact()       {}
func (CancelStepped) fact()  {}
func (Noticed) fact()        {}
func (NoticeChanged) fact()  {}
func (ToolFinished) fact()   {}
func (RetryAnnounced) fact() {}
func (TurnSettled) fact()    {}
func (OpenRefused) fact()    {}
func (StateSet) fact()       {}

// PartKind says what a part of the transcript is.
type PartKind string

// Kinds of part.
const (
	PartPrompt  PartKind = "prompt"  // what the user asked
	PartText    PartKind = "text"    // what the agent said
	PartThought PartKind = "thought" // what it thought aloud
	PartTool    PartKind = "tool"
	PartPlan    PartKind = "plan"
	PartOther   PartKind = "other" // an update of an unknown kind, kept as it came
)

// Part is one entry of a transcript. Seq counts from 1 within its session and
// never changes; Key is the messageId or toolCallId where there is one. A part
// belongs to the generation that first carried it.
type Part struct {
	Seq        uint64
	Generation Generation
	Kind       PartKind
	Key        string
	At         time.Time // of its first byte
	Ended      time.Time // when a tool call was first seen closed; zero before, and for anything else

	Text   string   // of prompt, text, thought
	Blocks []Block  // what is not text in a prompt or message
	Tool   ToolCall // of PartTool
	Plan   []PlanEntry
	Raw    []byte // of PartOther
	Late   bool   // came after the end of its turn
	Marked bool   // the agent's own error or progress form: no output
	Auto   *Auto  // of a prompt that the auto-resume policy has sent
	Try    int    // of a prompt that was sent again by itself: how often; 0 for the user's own
}

// Notice reports whether the part is a notice of the agent about itself: a text
// that moves nothing.
func (p Part) Notice() bool { return p.Marked && p.Key == string(NoticeSent) }

// Kinds of notice.
const (
	NoticeQuiet      = "quiet"       // nothing genuine for five minutes; args: tool or kind, and was_ms once events have resumed
	NoticeLooping    = "looping"     // steps without any output; args: steps
	NoticeEmpty      = "ended_empty" // the turn ended without any output
	NoticeNotStopped = "not_stopped" // the agent has not answered a cancel
)

// Notice is a neutral remark about a turn, by key and arguments. A turn has at
// most one of each kind.
type Notice struct {
	Kind string            `json:"kind"`
	Args map[string]string `json:"args,omitempty"`
}

// Entry is a fact with its place: whose it is, of which turn, and when it came
// to be. Generation is 0 for facts that belong to no turn.
type Entry struct {
	Task       TaskID
	Session    SessionID
	Generation Generation
	Epoch      uint64 // of the session when it came to be; not stored
	At         time.Time
	Fact       Fact
}
