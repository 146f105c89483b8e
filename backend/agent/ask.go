package agent

// AskID names an open request of the agent within one process.
type AskID string

// AskKind says what kind of answer is wanted.
type AskKind string

// Kinds of request. Questions (elicitation) come with the work on them; the
// machine treats both alike: while one is open the inactivity clock stands.
const (
	AskPermission AskKind = "permission"
	AskQuestion   AskKind = "question"
)

// Ask is a request from the agent that waits for the user. Options are the
// agent's own; Turnwatch adds none and chooses none.
type Ask struct {
	ID      AskID       `json:"id"`
	Kind    AskKind     `json:"kind"`
	Tool    ToolCall    `json:"tool"`
	Options []AskOption `json:"options"`
}

// AskOption is one answer that the agent offers. Kind is ACP's: allow_once,
// allow_always, reject_once, reject_always.
type AskOption struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Kind string `json:"kind"`
}

// Decision is the answer to an Ask. An empty Option means that the request was
// cancelled: nothing was chosen.
type Decision struct {
	Option string     `json:"option,omitempty"`
	By     DecisionBy `json:"by"`
}

// DecisionBy says who decided, so that the history can tell.
type DecisionBy string

// Who may decide about a request.
const (
	ByUser   DecisionBy = "user"   // chosen by hand
	ByFlag   DecisionBy = "flag"   // the user allowed this kind beforehand for this session
	ByNobody DecisionBy = "nobody" // nobody was there to ask: cancelled
	ByCancel DecisionBy = "cancel" // the turn was cancelled
	ByEnd    DecisionBy = "end"    // the turn or the agent ended first
)
