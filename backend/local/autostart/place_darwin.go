package autostart

import (
	"path/filepath"

	"github.com/adrg/xdg"
)

// Here is the user's own place for the entry.
func Here() Folder { return LaunchAgents(filepath.Join(xdg.Home, "Library", "LaunchAgents")) }
