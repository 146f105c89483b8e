package history

import (
	"time"

	"turnwatch/backend/agent"
)

// Task is a task as it is stored. CreateTask reads ID, Title, Dir, State and
// CreatedAt; the rest is the history's own. A zero time means "not".
type Task struct {
	ID         agent.TaskID
	Title      string // the user's; may be empty
	AgentTitle string // the latest that an agent gave; untrusted
	Dir        string
	State      agent.TaskState
	Kind       agent.Kind // the agent of the newest session; "" where there is none
	CreatedAt  time.Time
	UpdatedAt  time.Time
	ArchivedAt time.Time
	DeletedAt  time.Time
}

// NewSession is what CreateSession needs to know.
type NewSession struct {
	ID        agent.SessionID
	Task      agent.TaskID
	Kind      agent.Kind
	Command   []string // the user's own command line; empty for an agent known by its kind
	Dir       string
	Options   map[string]string // wanted values by option id or category
	CreatedAt time.Time
}

// Session is a session as it is stored. Info holds what the agent said of itself
// when it was last there, with its options and commands as of now.
type Session struct {
	NewSession
	State      agent.SessionState
	Held       bool
	Generation agent.Generation
	LastSeq    uint64
	Title      string // the agent's own; untrusted
	Info       agent.SessionInfo
	Usage      agent.Usage
	Owner      Owner // zero where no program holds it
	UpdatedAt  time.Time
	PrunedAt   time.Time // the transcript was dropped by retention
}

// Owner is a program that holds sessions.
type Owner struct {
	ID  string
	PID int
}

// Turn is one turn. End is nil while it is open.
type Turn struct {
	Session    agent.SessionID
	Generation agent.Generation
	Prompt     agent.Prompt
	StartedAt  time.Time
	End        *TurnEnd
	Retry      *Retry // the latest retry that the agent announced
	Cancel     []CancelStage
	Of         agent.Generation // the failed turn whose prompt this sent again by itself; 0 for the user's own
	Try        int              // how often that was done by then
	Auto       *agent.Auto      // the auto-resume policy has sent the prompt; nil for any other
	Again      *Again           // of a failed turn: what became of sending it again; nil where that was no question
}

// TurnEnd is how a turn ended.
type TurnEnd struct {
	At      time.Time
	Outcome agent.Outcome
	Stop    agent.StopReason
	ByAgent bool
	Failure *agent.Failure
	Usage   agent.Usage
}

// Retry is a retry that the agent announced. Next is zero where it did not say.
type Retry struct {
	At      time.Time
	Attempt int
	Next    time.Time
}

// CancelStage is a stage of a cancel and when it came.
type CancelStage struct {
	At   time.Time
	Step agent.CancelStep
}

// Ask is a request of the agent. Decision is nil while it is open.
type Ask struct {
	Session    agent.SessionID
	Generation agent.Generation
	OpenedAt   time.Time
	ClosedAt   time.Time
	Ask        agent.Ask
	Decision   *agent.Decision
}

// Notice is a notice that was shown.
type Notice struct {
	Session    agent.SessionID
	Generation agent.Generation
	At         time.Time
	Notice     agent.Notice
}

// Failure is a failure with its place. Generation is 0 where it belongs to no
// turn: the agent could not be started. Kind is "provider_quota_limited" for a
// quota and the code for any other.
type Failure struct {
	ID         int64
	Session    agent.SessionID
	Generation agent.Generation
	At         time.Time
	Kind       string
	Failure    agent.Failure
}

// Snapshot is what the machine needs to take a session up again.
type Snapshot struct {
	Session Session
	Task    agent.TaskState
	Queue   []agent.Prompt // in order
	Open    *Turn          // a turn that is not settled: nil but for one that a living program runs
	Asks    []Ask          // open ones, of the same turn
	Failed  *Turn          // the last turn, where its prompt waits to be sent again
}

// Recovered names a turn that was found open and made interrupted.
type Recovered struct {
	Task       agent.TaskID
	Session    agent.SessionID
	Generation agent.Generation
}

// TaskFilter chooses tasks. The zero value means the newest 50 that are neither
// archived nor deleted.
type TaskFilter struct {
	States   []agent.TaskState
	Agent    agent.Kind
	Text     string // in a title, the folder or the transcript
	Archived bool   // archived ones instead
	Deleted  bool   // deleted ones instead, which can still be brought back
	Before   TaskCursor
	Limit    int // 1 to 500; 0 means 50
}

// TaskCursor is the place after the last task of a page; the zero value is the
// start. Pages go from the newest change to the oldest.
type TaskCursor struct {
	UpdatedAt time.Time
	ID        agent.TaskID
}

// PartQuery chooses a page of a transcript: parts from From on (From included),
// upwards, or downwards where Backwards is set. From 0 is the first part, or,
// backwards, the last. A page is in the order in which it was read.
type PartQuery struct {
	Session   agent.SessionID
	From      uint64
	Backwards bool
	Limit     int // 1 to 1000; 0 means 200
}

// Hit is a part that a search found. Snippet is cut to about 12 words around
// the match.
type Hit struct {
	Task       agent.TaskID
	Title      string // the task's, or else the agent's
	Session    agent.SessionID
	Generation agent.Generation
	Seq        uint64
	Kind       agent.PartKind
	At         time.Time
	Snippet    []Span
}

// Span is a piece of a snippet. Match marks the words that were looked for.
type Span struct {
	Text  string
	Match bool
}

// Limits say how much is kept. A zero field means no limit of that kind.
type Limits struct {
	Age   time.Duration // transcripts of sessions that did not change for so long are dropped
	Bytes int64         // the database is kept below; the oldest transcripts go first
	Undo  time.Duration // deleted tasks are purged after so long; 0 purges none
}

// Pruned says what retention dropped. Bytes is the size of the database after.
type Pruned struct {
	Transcripts int
	Tasks       int
	Bytes       int64
}
