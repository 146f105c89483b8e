// Package view turns facts into what is shown: the model of a turn in hand that
// a terminal or a window draws, and the lines of the replay vocabulary that a
// program reads.
//
// It is pure. It imports the nouns and the codes, does no I/O, starts no
// goroutine, never blocks, and holds no words that a person reads: what it gives
// are keys, arguments and the agent's own text, unsanitised. Whoever draws that
// text makes it harmless for the place it is drawn on.
package view
