// Package turn is the machine that decides what a session is doing and how each
// of its turns ended. Step takes a state and an event and gives the next state
// and what is to be done about it; nothing else in Turnwatch settles a turn.
//
// The room is pure: it imports agent and failure, does no I/O, starts no
// goroutine, takes no lock and reads no clock. Whoever calls Step owns the state.
//
//	            first genuine event
//	dispatched ---------------------> active
//	    |                               |
//	    +---- answer | evidence | exit -+--> settled(outcome)   exactly once
//	    +---- cancel --> cancelling -- answered | bound over --> settled(cancelled)
//
// A turn is recorded as started before it is dispatched, and dispatched only when
// that record is on disk: a prompt is never sent that the history does not know.
package turn
