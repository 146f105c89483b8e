package failure

import (
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/redact"
)

// CatalogueVersion names the state of the rules. It is stored with every failure
// and is raised whenever a rule changes what it says about a text.
const CatalogueVersion = "2"

// Channel says where a piece of evidence was read. It decides what the evidence
// may prove: what an agent says to the user and what a tool prints prove nothing,
// whatever the words.
type Channel string

// Channels.
const (
	ChannelRPC    Channel = "acp_error" // a JSON-RPC error of the agent
	ChannelSignal Channel = "signal"    // a typed sign: an SDK message, _meta, a server's event
	ChannelRetry  Channel = "retry"     // the agent's own word that it tries again
	ChannelStderr Channel = "stderr"    // a correlated line of the agent's stderr
	ChannelStart  Channel = "start"     // stderr of an agent that did not come up
	ChannelHTTP   Channel = "http"      // the body of a provider's answer
	ChannelOwn    Channel = "own_text"  // the program's own error text on a terminal or in a message
	ChannelLog    Channel = "log"       // a line of a log, of which most are harmless
	ChannelProse  Channel = "prose"     // what the model says: never evidence
	ChannelTool   Channel = "tool"      // what a tool prints: never evidence
)

// Confidence says how sure a classification is. Only high confidence lets a
// failed prompt be sent again by itself.
type Confidence string

// Degrees of confidence.
const (
	High   Confidence = "high"   // a typed field, or the exact words of this agent
	Medium Confidence = "medium" // words that several providers use, a status in a text
	Low    Confidence = "low"    // the form of an error, nothing more
)

// Evidence is one piece of what an agent or its provider said about a failure.
// All of it is untrusted. Every field but OccurredAt may be empty.
type Evidence struct {
	Agent      agent.Kind
	Channel    Channel // "" is ChannelOwn
	Method     string  // the ACP method that was refused
	Text       string  // any length; only head and tail, 4 KiB together, are read
	HTTPStatus int
	RPCCode    int64
	Data       []byte // JSON, or nil; over 64 KiB it is not read
	// OccurredAt is when the record was made, or read. Waits and resets count from
	// it; where it is zero none is told.
	OccurredAt time.Time
}

// Classification is what the registry makes of a piece of evidence. Its zero value
// says that the evidence shows no failure at all.
type Classification struct {
	Code             agent.Code // "": no evidence of a failure
	Class            Class      // of the code; RateLimited with a short known wait is Transient
	Confidence       Confidence
	RuleID           string
	CatalogueVersion string
	Provider, Model  string        // as a typed field named them, else ""
	RetryAfter       time.Duration // a wait that the provider or agent named; 0: none
	ResetAt          time.Time     // UTC; zero where nothing proves it
	Retrying         bool          // the agent says that it tries again by itself: not the end
}

// Failed reports whether the evidence shows the end of a turn: a failure that the
// agent does not say it retries.
func (c Classification) Failed() bool { return c.Code != "" && !c.Retrying }

// Failure makes the failure that is stored and shown. Text is raw: it is
// sanitised here. Source is the channel in the words of the history.
func (c Classification) Failure(source, text string, at time.Time) agent.Failure {
	message := redact.Text(text)
	return weigh(agent.Failure{
		Code: c.Code, Rule: c.RuleID, Source: source, Message: message, Hint: HintOf(c.Code, message),
		Provider: c.Provider, Model: c.Model, OccurredAt: at, ResetAt: c.ResetAt,
	}, c)
}

// HintOf is the key of the sentence that says what to do about a code. "" where
// nothing is known to do and there is no message of the agent to point at.
func HintOf(code agent.Code, message string) string {
	switch code {
	case AuthRequired, MissingCredentials:
		return HintLogIn
	case ContextOverflow, SessionLost:
		return HintStartFresh
	case AgentCrashed, AgentTransportLost:
		return HintRestart
	case NetworkUnavailable:
		return HintConnection
	case ModelUnavailable, ModelCapacity:
		return HintOtherModel
	}
	if message == "" {
		return ""
	}
	return HintCheckMessage
}
