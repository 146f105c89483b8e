// Package supervise gives each session one owner: a goroutine that alone holds
// the state of the turn machine, takes what happens from a mailbox, and has the
// effects carried out at the edge.
//
// Who may block: the owner never does. A connection that delivers updates is held
// back while the owner, or the history behind it, has not caught up; a user's word
// and our own timers never wait behind updates. Everything that speaks to an
// agent runs in goroutines of its own (hands), bounded in time.
//
// The room imports agent, failure and turn; what it records to and what it opens are ports.
package supervise
