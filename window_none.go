//go:build !((desktop && production) || bindings)

package main

import (
	"fmt"
	"os"

	"turnwatch/backend/locale"
	"turnwatch/locales"
)

// openWindow says how the window is built: this program was built without it.
func openWindow([]string) int {
	words, err := locale.Open(locales.Files, locale.Languages(os.Getenv)...)
	if err != nil {
		fmt.Fprintln(os.Stderr, "turnwatch:", err)
		return 1
	}
	fmt.Fprintln(os.Stderr, "turnwatch: "+words.Say("cli.no_window", nil))
	return 2
}
