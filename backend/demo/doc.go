// Package demo is a scripted agent that speaks ACP over real pipes, so that a
// machine with no agent and no key can see everything the app can show. It
// simulates an agent; it does not fake the app: whatever is shown of it went
// through the same reader, machine and history as any other agent.
//
// Rules of the room: it reads its input, writes its output and its stderr,
// starts a process only where Options.RealTools says so or a scenario calls a tool
// that the client has offered, and listens on a loopback
// port only where Options.Port says so. It touches no file, no other network and
// nothing of the app. Run owns every goroutine of the program and
// returns when all of them are gone; scripts may block, in waits that end with
// their turn.
package demo
