// Package autoresume is the opt-in policy that finishes the job: a pure machine
// from what happens in families of sessions to what may be done by itself. It
// says "continue" into a silent turn, answers a turn that ended in the middle,
// and breaks loops; it holds while anything waits for the user, is refilled by
// nobody but the user, and stops below one ceiling.
//
// It imports agent, failure and policy/detect. It does no I/O, starts no
// goroutine and reads no clock: whoever owns an Engine brings awake time. An
// Engine is not safe for several goroutines and no call of it blocks. Everything
// that events hold is untrusted; actions carry none of it.
package autoresume
