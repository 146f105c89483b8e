package main

import "turnwatch/backend/cli"

// app is the place where the window is bound: what the screen may ask of the
// backend stands here and nowhere else. There is no window yet, so it binds
// nothing, and the program answers the commands of tw alone.
type app struct{}

// run answers the command line and gives the exit status.
func (app) run() int { return cli.Main() }
