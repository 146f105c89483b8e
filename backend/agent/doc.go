// Package agent holds the nouns every other room speaks in: who a session is,
// what an agent can say, what may happen to a turn, what is decided about it and
// what is remembered.
//
// Rules of the room: it imports the standard library only, starts no goroutine,
// does no I/O and holds no words that a person reads. Everything in it is a
// value, except the two ports Conn and Connector and the small Counter.
package agent
