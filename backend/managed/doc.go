// Package managed launches agents over the Agent Client Protocol and speaks to
// them: it knows where they are installed, how each is started, what each can
// do, and what each says when it fails. One process serves one session.
//
// One file per agent holds everything that is special about it. What an agent
// says is collected and correlated here (see evidence) and judged in package
// failure; nothing here decides about a turn, and no permission request is ever
// answered here unless the turn is over.
//
// Rules of the room: it may start processes (through package proc), speak to
// them (through package acp), look for programs in the usual folders, and read
// and write files inside a session's folder when the agent asks for it and the
// session serves it. It never logs or keeps what an agent says, an environment
// value or a password.
//
// Who may block: Find and Open block on processes. The reader of a connection
// delivers to the session's Sink and blocks while its owner is behind. Stderr is
// only ever offered. Close blocks until nothing of the agent is left.
package managed
