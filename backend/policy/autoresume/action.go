package autoresume

import "time"

// Act is what is to be done.
type Act string

// Acts. Prompt and Cancel reach the agent, Reply answers its call of
// task_complete. Announce and Withdraw frame a countdown; Withdraw of a
// Cancel says that the prompt after it will not be sent. Poll asks for a Probed,
// Outcome tells what came of an earlier Prompt.
const (
	Prompt   Act = "prompt"
	Cancel   Act = "cancel"
	GiveUp   Act = "give_up"
	Notice   Act = "notice"
	Reply    Act = "task_complete.reply"
	Announce Act = "announce"
	Withdraw Act = "withdraw"
	Poll     Act = "poll"
	Outcome  Act = "outcome"
)

// Kind is what a prompt is about; of a notice, what would have been sent.
type Kind string

// Kinds of prompts.
const (
	Continue      Kind = "continue"
	ToolText      Kind = "tool_text"
	ThinkingTool  Kind = "thinking_tool"
	ToolLoop      Kind = "tool_loop"
	ActionIntent  Kind = "action_intent"
	ReadyToGoOn   Kind = "ready_to_continue"
	DoneOpenTodos Kind = "done_open_todos"
	DoneNoDetail  Kind = "done_no_detail"
	TodoReminder  Kind = "todo_reminder"
	StreamFailure Kind = "stream_failure"
	DeadStream    Kind = "dead_stream"
	UnknownTool   Kind = "unknown_tool"
	Subagent      Kind = "subagent"
	Truncated     Kind = "truncated"
)

// Kinds of notices that stand for no prompt.
const (
	NoticeStall      Kind = "stall"
	NoticeSaturation Kind = "context_saturation"
)

// Kinds lists every kind of prompt once.
func Kinds() []Kind {
	return []Kind{
		Continue, ToolText, ThinkingTool, ToolLoop, ActionIntent, ReadyToGoOn, DoneOpenTodos, DoneNoDetail,
		TodoReminder, StreamFailure, DeadStream, UnknownTool, Subagent, Truncated,
	}
}

// Reason says why a turn is cancelled or why the policy gives up.
type Reason string

// Reasons of a cancel.
const (
	CancelStall        Reason = "stall"
	CancelContinueLoop Reason = "continue_loop"
	CancelToolLoop     Reason = "tool_loop"
	CancelOrphanParent Reason = "orphan_parent"
	CancelStuckChild   Reason = "subagent_stuck"
)

// Reasons to give up. A failure that no prompt can help gives NonRetryable and
// what is missing.
const (
	GaveUpStall        Reason = "stall"
	GaveUpStream       Reason = "stream_failure"
	GaveUpDeadStream   Reason = "dead_stream"
	GaveUpToolLoop     Reason = "tool_loop"
	GaveUpOrphan       Reason = "orphan"
	GaveUpWindow       Reason = "window_budget"
	GaveUpCancel       Reason = "cancel_timeout"
	NonRetryablePrefix Reason = "non_retryable:"
)

// Result answers a call of task_complete, or says what came of a prompt.
type Result string

// Answers to task_complete.
const (
	Ack           Result = "ack"
	Blocked       Result = "blocked" // entries of the plan are open
	RepeatWarning Result = "repeat_warning"
	ReplyError    Result = "error"
)

// What came of a prompt.
const (
	Accepted Result = "accepted"
	Refused  Result = "refused"
	Ignored  Result = "ignored"  // accepted, but no turn began
	Answered Result = "answered" // the agent spoke or called a tool after it
)

// Action is something to do or to tell, in the order given. It is also what the
// ledger keeps: no word of an agent is in it.
type Action struct {
	ID      uint64        // of its row in the ledger; of the row meant, for Outcome and Withdraw
	At      time.Duration // awake time
	Session string
	Act     Act
	Kind    Kind
	Reason  Reason
	Result  Result
	Due     time.Duration // of Announce: when it will be done
	Count   int           // of Prompt: the how manyth since the user spoke
	Why     Evidence
}

// Evidence says what a decision rests on: a rule, and the figures it had.
type Evidence struct {
	Rule   string        // of this package: stall, idle, dead_stream, …
	Silent time.Duration // how long nothing came, where that matters
	Figure int64         // tokens, open entries, failures, calls: the rule says which
	Code   string        // of the taxonomy
}
