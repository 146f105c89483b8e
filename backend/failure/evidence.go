package failure

import (
	"time"

	"turnwatch/backend/agent"
)

// Sources of a failure: the channel that proved it.
const (
	SourceACP  = "acp_error" // a JSON-RPC error of the agent
	SourceExit = "exit"      // the end of the agent's process
	SourceOpen = "open"      // our own attempt to bring the agent up
	// SourceSignal is a typed sign of the agent beside its answer.
	SourceSignal = "agent_signal"
)

// Hints: keys of the sentences that say what to do.
const (
	HintLogIn        = "hint.log_in"           // args: methods, the agent's own names for its logins, parted by ", "
	HintStartFresh   = "hint.start_fresh"      // the agent no longer knows the session
	HintRestart      = "hint.restart_agent"    // the process is gone
	HintConnection   = "hint.check_connection" // the provider was not reached, or cut off
	HintOtherModel   = "hint.other_model"
	HintCheckMessage = "hint.check_message" // only the agent's own words tell more, and there are some
	HintBadAnswer    = "hint.bad_answer"    // the agent answered what is no answer
)

// RPC is a JSON-RPC error as an agent sent it, wholly untrusted.
type RPC struct {
	Agent   agent.Kind
	Method  string // the method that was called
	Code    int64  // 0 where the agent sent no whole number
	Message string
	Data    []byte // JSON, or nil
	At      time.Time
}

// Exit is the end of an agent's process.
type Exit struct {
	Code   int
	Signal string // "" where it was not killed
	Lost   bool   // the pipe closed, but how the process ended is not known
	At     time.Time
}

// OfSignal is the failure that a typed sign of an agent proves: text is what the
// agent wrote beside it and data the sign itself, as JSON or nil. Rule names a sign
// that does not say which failure it is; it stands where no rule knows more.
func OfSignal(k agent.Kind, rule, text string, data []byte, at time.Time) agent.Failure {
	c := Classify(Evidence{Agent: k, Channel: ChannelSignal, Text: text, Data: data, OccurredAt: at})
	if c.Code == "" || c.Code == UnknownProviderError {
		c = Classification{Code: UnknownProviderError, RuleID: rule}
	}
	return c.Failure(SourceSignal, Spoken(text), at)
}
