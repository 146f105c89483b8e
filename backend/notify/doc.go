// Package notify decides what the user is told while the window is out of sight,
// and speaks to the desktop's notification server where that is D-Bus.
//
// Desk decides and is pure: it is given where all tasks stand, whether the user is
// looking, and the time, and gives what is to be shown or taken back. It belongs
// to one goroutine. Bus speaks to the server; its calls wait for that within
// short bounds, and it runs one goroutine until Close.
//
// The rule: only what needs the user or ends the work is told, once for each
// change, never while the task is in view, and nothing here moves the focus.
package notify
