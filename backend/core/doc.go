// Package core opens everything below it and joins it: the history, the launch
// ledger, the agents and the owners of the sessions. Every front door, the
// command line as well as the window, stands on this one facade.
//
// Its methods may wait for the disk or for an agent's answer, within the context
// that they are given; none may be called from an owner or a writer. Nothing here
// decides about a turn.
package core
