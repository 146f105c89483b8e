// Package cli is the command line: it reads arguments, opens what a command
// needs and no more, and gives an exit status. It is the same in every program
// that answers the commands.
//
// Rules of the room: results go to stdout, everything else to stderr; nothing is
// approved that the user did not allow; no word stands here, only keys. One
// goroutine per run conducts the turn and never blocks on the terminal, another
// draws and may.
package cli
