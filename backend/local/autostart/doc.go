// Package autostart has the desktop start the program when the user logs in: a
// desktop entry on Linux, a value of the Run key on Windows, a launch agent on
// macOS. It touches that entry alone, waits for the disk, and is off until asked.
package autostart

// Entry is what is started: a program by its absolute path, and its arguments.
type Entry struct {
	Program string
	Args    []string
	Comment string // for whoever looks at the list
}
