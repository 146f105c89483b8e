// Turnwatch runs coding agents and watches over their turns. This program is the
// desktop app: it opens the window, and answers the commands of tw where it is
// given one.
package main

import (
	"os"

	"turnwatch/backend/cli"
)

func main() {
	if cli.Command(os.Args[1:]) {
		os.Exit(cli.Main())
	}
	os.Exit(openWindow(os.Args[1:]))
}
