// Package proc starts the programs that Turnwatch owns, drains what they say on
// stderr and makes sure that nothing of them is left behind.
//
// A program is started with a launch id in its environment, in a session and
// process group of its own (Unix) or in a job object (Windows). Everything that
// descends from it is its family. The family is found by parent, by session, by
// launch id and by what was seen of it earlier; every member is held by pid and
// start time, so that a pid that the system gave to somebody else is never
// touched.
//
// When the program ends, by itself or by Stop, what is left of its family is
// ended too, before Done is closed. What a killed Turnwatch leaves behind is
// found in the Ledger by the next one, and ended by Reap.
//
// Rules of the room: it knows bytes, lines and processes and nothing of what
// they mean. It may start and signal processes and write the ledger's folder. It
// never logs an environment value, an argument or a line of a program. Start,
// Stop, Tree, OpenLedger and Reap block; everything else returns at once. The
// goroutine that drains stderr never waits for anybody.
//
// Known limits: a descendant that leaves its session, its parent and its
// environment behind before anybody looked is not found, and one that runs as
// another user can be found but not always be ended; it is reported.
package proc
