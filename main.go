// Turnwatch runs coding agents and watches over their turns. This program is the
// desktop app; until its window is there it answers the commands of tw alone.
package main

import "os"

func main() { os.Exit(app{}.run()) }
