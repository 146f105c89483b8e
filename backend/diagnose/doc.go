// Package diagnose reads the one line of an agent's stderr that may end a turn:
// OpenCode's record of a failed model stream. A line goes in; what comes out is a
// Diagnostic that is fit to be stored and shown, or the reason why the line says
// nothing about the turn in hand. The raw line ends here, in memory.
//
// It is pure: no I/O, no clock, no goroutine, nothing is kept between calls. It
// never blocks and fails closed: whatever is not exactly as OpenCode writes it is
// no record.
package diagnose
