// Package replay plays a scenario of outside events to the turn machine at
// virtual time and tells what the machine did, in order. It drives the very
// function that the owners of sessions drive, with a history that always answers
// at once, unless the scenario lets it fail.
//
// It is pure: no goroutine, no clock, no file. It imports turn, policy, view, failure and
// agent. A scenario is untrusted: its length and times are bounded.
package replay
