package agent

import "time"

// Effect is something the turn machine wants done. The sum is closed.
type Effect interface{ effect() }

type (
	// Send puts a message to the agent. It is carried out at the edge and must
	// never make the owner wait.
	Send struct{ Message Message }
	// Arm asks for a TimerFired after a while of monotonic time.
	Arm struct {
		Timer      Timer
		Generation Generation
		After      time.Duration
	}
	// Record hands facts to the history, in order. A Must batch is kept and tried
	// again until it is stored; any other is answered by Persisted with an error
	// when it cannot be stored now, and is then as if it had never been. Where
	// Ack is set, Persisted is wanted as an event.
	Record struct {
		Seq        uint64
		Generation Generation // of the facts; 0 where they belong to no turn
		Facts      []Fact
		Must       bool
		Ack        bool
	}
	// Log asks for one line in the log, by its kind and without a word of an agent.
	Log struct {
		Kind       string
		Generation Generation
	}
	// Refuse tells whoever sent the event in hand that it can't be done now, and
	// why. Nothing has changed.
	Refuse struct{ Reason Reason }
)

// Reason says why a request of the user changes nothing. It is an error.
type Reason string

// Reasons to refuse.
const (
	NoSuchAsk    Reason = "no_such_ask"    // answered already, or withdrawn
	NoSuchChoice Reason = "no_such_choice" // the agent did not offer that answer
	NoSuchPrompt Reason = "no_such_prompt" // it is not in the queue any more
	EmptyPrompt  Reason = "empty_prompt"
	NotOpen      Reason = "not_open" // no agent is running for this session
)

func (r Reason) Error() string { return string(r) }

func (Send) effect()   {}
func (Arm) effect()    {}
func (Record) effect() {}
func (Refuse) effect() {}
func (Log) effect()    {}

// Message is what can be sent to an agent. The sum is closed.
type Message interface{ message() }

type (
	// Open starts the agent, or takes up a session again, and comes back as
	// Opened or OpenFailed.
	Open struct{ Resume ProviderSession }
	// Dispatch sends a prompt; it comes back as Answered with its generation,
	// perhaps long after the turn was settled otherwise.
	Dispatch struct {
		Generation Generation
		Prompt     Prompt
	}
	// Cancel sends session/cancel, a notification.
	Cancel struct{ Generation Generation }
	// Decided answers a request of the agent.
	Decided struct {
		Ask      AskID
		Decision Decision
	}
	// Choose sets an option of the session.
	Choose struct{ ID, Value string }
	// Shut stops the agent's process by the stop order.
	Shut struct{}
)

func (Open) message()     {}
func (Dispatch) message() {}
func (Cancel) message()   {}
func (Decided) message()  {}
func (Choose) message()   {}
func (Shut) message()     {}
