// Package opencode speaks HTTP with an OpenCode server: the one inside every
// "opencode acp" process, or one that a person runs. It reads what the server
// tells of its sessions and asks what they are doing.
//
// Everything a server says is untrusted and bounded: headers, bodies, events, and
// how long it may be silent. Raw texts of a provider pass through in memory, for
// those who classify them, and never reach a log; neither does the password.
// Redirects are not followed and no proxy is asked.
//
// Who may block: Watch blocks until its context ends and calls its handler in its
// own goroutine; Statuses blocks for one answer, ten seconds at most. Nothing else
// blocks, and no goroutine outlives the call that started it.
package opencode
