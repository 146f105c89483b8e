// Package window is what the screen asks and hears: calls in view types, and one
// stream of batches at 30 Hz. It knows no Wails: the program that opens the
// window binds the parts Tasks, History and Settings and hands the pump a way to
// emit; the loopback bridge of the browser tests does the same with HTTP.
//
// Every call may come from hostile script: arguments are bounded and checked, a
// folder or file outside a task's folder is refused, and nothing here runs a
// command that a page names. Calls may wait for the disk; the pump never waits
// for the page.
//
// View types hold keys and arguments where a person reads words, times as
// milliseconds since 1970 UTC (0 is "not"), and agent text as it came: the page
// makes it harmless.
package window
