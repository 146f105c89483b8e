package opencode

import (
	"time"

	"turnwatch/backend/agent"
)

// Event is something that a server told, or that happened to the connection. The
// sum is closed; whoever watches whole servers adds kinds here.
type Event interface{ event() }

type (
	// Connected says that the server's stream is there and speaks.
	Connected struct{}
	// Lost says that it is not, or has been silent for too long. Another Connected
	// may follow; what was told between is missing.
	Lost struct{ Cause error }
	// StatusChanged is what a session is doing from here on.
	StatusChanged struct {
		Session agent.ProviderSession
		Status  Status
	}
	// SessionFailed says that a turn of a session ended by an error.
	SessionFailed struct {
		Session agent.ProviderSession
		Error   Error
	}
	// ChildMade says that a session works for another: a subagent of it.
	ChildMade struct{ Session, Parent agent.ProviderSession }
	// MessageSeen names a message of a session; each step of a turn has its own.
	// Provider and Model are raw and only there for an assistant's message.
	MessageSeen struct {
		Session  agent.ProviderSession
		ID       string
		Role     string // user, assistant
		Provider string
		Model    string
	}
	// PartSeen says that a message holds something: text, a tool call, a thought.
	// Marks of the beginning and end of a step hold nothing.
	PartSeen struct {
		Session agent.ProviderSession
		Message string
		Kind    string // text, reasoning, tool …, or delta for a piece of one
		Empty   bool   // text of no characters, or a mark
	}
)

func (Connected) event()     {}
func (Lost) event()          {}
func (StatusChanged) event() {}
func (SessionFailed) event() {}
func (ChildMade) event()     {}
func (MessageSeen) event()   {}
func (PartSeen) event()      {}

// Doing is what a session is doing.
type Doing string

// States of a session. A session that a server does not list is idle.
const (
	Idle  Doing = "idle"
	Busy  Doing = "busy"
	Retry Doing = "retry"
)

// Status is what a session is doing, as the server says it.
type Status struct {
	Doing   Doing
	Attempt int       // of Retry: which failed, from 1
	Next    time.Time // of Retry: when the next begins; zero where it is not said or makes no sense
	Message string    // raw, of the provider
	Reason  string    // of a limit: account_rate_limit, free_tier_limit; else ""
}

// Limited reports whether the server itself says that a limit was met.
func (s Status) Limited() bool {
	return s.Doing == Retry && (s.Reason == "account_rate_limit" || s.Reason == "free_tier_limit")
}

// Error is why a turn of a session ended. Message and Body are raw.
type Error struct {
	Name    string // APIError, UnknownError, MessageAbortedError …
	Message string
	HTTP    int    // the provider's status, 0 where there is none
	Body    string // of the provider's answer
}

// Aborted reports whether the turn was called off and has not failed.
func (e Error) Aborted() bool { return e.Name == "MessageAbortedError" }
