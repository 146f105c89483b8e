// Package terminal draws a turn on a terminal and reads single keys from one.
//
// Everything that comes from an agent passes Clean before it is drawn: no byte of
// an agent ever reaches the terminal as a control. The room writes to the writer
// it was given and reads the file it was given; it knows nothing of the backend.
// A Printer belongs to one goroutine, which blocks while the writer does.
package terminal
