// Package tray is the program's place in the desktop's panel: an icon that tells by
// shape and colour how things stand, and a menu made of that.
//
// What it shows is pure: Of makes a Model of where all tasks stand. Tray puts it
// there; it speaks to the panel by D-Bus on Linux and by the shell on Windows. A
// process has one Tray, once: what lies below keeps its state for the process. It
// runs a few goroutines until Close. Whether anybody shows the icon is told by the
// folder host.
package tray
