// Package history keeps what Turnwatch has seen and decided: tasks, sessions,
// turns, transcripts, outcomes, failures, notices and the queue, in one SQLite
// file on the user's own machine.
//
// What it may touch: the data folder that it is given, and nothing else. It
// imports agent and failure, and holds no words that a person reads: keys and
// arguments only.
//
// Who may block: Open, OpenReader, Close and every method with a context may
// wait for the disk. Record never blocks and may be called by an owner loop. All
// writing is done by one goroutine of the Store, which groups what arrives
// within 50 ms into one durable commit; several readers run beside it, each on a
// connection of its own, and never see half a commit.
//
// Times are stored as whole milliseconds UTC, so what is read back is cut to
// them; zero times stay zero. Text is stored as it came. Empty and missing lists
// are the same.
package history
