package cli

import "strings"

// Version is what this program calls its version.
func Version() string { return version() }

// Command reports whether a command line is one of tw's, and not one that opens
// the window: it names anything that is no flag, or asks for help.
func Command(args []string) bool {
	skip := false
	for _, a := range args {
		switch {
		case skip:
			skip = false
		case a == "--data" || a == "--log":
			skip = true
		case a == "-h" || a == "--help":
			return true
		case strings.HasPrefix(a, "turnwatch:"): // a link, which is the window's
			return false
		case len(a) > 0 && a[0] != '-':
			return true
		}
	}
	return false
}
