// Package pilot drives the auto-resume policy: it tells the engine what happens in
// the sessions for which the user has switched it on, and asks their owners for
// what the engine wants. Nothing is driven that nobody has switched on.
//
// One goroutine owns the engine. It never waits: facts come in through an inbox,
// owners are asked in goroutines of their own, and an owner refuses whatever its
// session has moved on from. The room imports agent and the policy; owners, the
// store and the clock are ports.
package pilot
