// The program tw is Turnwatch without a window: what servers, scripts, editors
// and agents are given.
package main

import (
	"os"

	"turnwatch/backend/cli"
)

func main() { os.Exit(cli.Main()) }
