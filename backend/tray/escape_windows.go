package tray

import "strings"

// escape keeps a text from naming its own shortcut letter.
func escape(s string) string { return strings.ReplaceAll(s, "&", "&&") }
