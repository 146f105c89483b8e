// Package detect reads the last message of an agent and says what it ended with:
// a tool call written out as text, an announcement with nothing behind it, a claim
// that all is done, a question to the user.
//
// It is pure and imports the standard library only. Messages are untrusted and may
// be long: each detector takes time that is linear in the length, and most look at
// the last lines alone.
package detect
