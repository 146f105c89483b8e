// Package policy says what is done about a failure: pure functions from what the
// registry found and what is known of the turn to a decision. Each covers every
// code of the taxonomy.
//
// It imports agent and failure, does no I/O, keeps no state, reads no clock and
// never blocks: whoever asks brings the number of tries and the dice.
package policy
